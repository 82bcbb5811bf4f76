import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Diagnostic, SourceText, TextEdit } from '@tollgate/diagnostics';
import { analyzePolicies } from '../analysis/analyze-policy.ts';
import type { PartPath } from '../document/model/select-part.ts';
import { applyEdits, sortEdits } from '../edits/apply-edits.ts';
import { checkMigrated } from './check-migrated.ts';
import { migrateDocument } from './document/migrate-document.ts';
import type { Migrating } from './document/migration-state.ts';
import { separateEdits } from './document/separate-edits.ts';
import { counterpartsOf } from './expression/counterparts.ts';
import type { Loss } from './expression/expression-rewriter.ts';

/** From what to what a policy is migrated. The kind of endpoint must be one of both profiles. */
export interface MigrationOptions {
  readonly from: Profile;
  readonly to: Profile;
  readonly endpoint: EndpointKind;
  /** Where in the text the policy stands; without it, each document is one. */
  readonly part?: PartPath;
}

/** The policies of a text in another profile. */
export interface Migration {
  /** Undefined when there are errors to begin with. */
  readonly text: string | undefined;
  /** Of the old text, in its order, apart from each other. */
  readonly edits: readonly TextEdit[];
  /**
   * The errors to begin with; otherwise what is lost: a warning where the new policy may mean something else, an error
   * where a person must finish it. Places are of the old text.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes the policies of one profile anew in a later one, by edits of their text: layout and comments stay, and all that is around them.
 * What cannot be said in the new profile is reported, and left as it is.
 */
export function migratePolicy(source: SourceText, { from, to, endpoint, part }: MigrationOptions): Migration {
  const where = { endpoint, ...(part && { part }) };
  const { policies, diagnostics, environments } = analyzePolicies(source, { profile: from, ...where });
  if (policies.length === 0 || diagnostics.some(one => one.severity === 'error'))
    return { text: undefined, edits: [], diagnostics };
  const counterparts = counterpartsOf(from);
  const migrating: Migrating = {
    ...{ document: source.text, from, to, endpoint, environments, counterparts, isPart: part !== undefined },
    ...{ edits: [], losses: [] },
  };
  for (const policy of policies) migrateDocument(migrating, policy);
  const edits = sortEdits(separateEdits(migrating));
  const text = applyEdits(source.text, edits);
  const unannounced = checkMigrated({ uri: source.uri, text, edits }, migrating.losses, { profile: to, ...where });
  const losses = [...migrating.losses, ...unannounced];
  return { text, edits, diagnostics: losses.map(loss => diagnosticOf(loss, source.uri)) };
}

function diagnosticOf(loss: Loss, uri: string): Diagnostic {
  return { ...loss, uri };
}
