import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Diagnostic, SourceText, TextEdit } from '@tollgate/diagnostics';
import { analyzePolicies } from '../analysis/analyze-policy.ts';
import type { PartPath } from '../document/model/select-part.ts';
import { applyEdits, sortEdits } from '../edits/apply-edits.ts';
import { checkMigrated } from './check-migrated.ts';
import { migrateDocument } from './document/migrate-document.ts';
import type { MigrationState } from './document/migration-state.ts';
import { separateEdits } from './document/separate-edits.ts';
import { counterpartsOf } from './expression/counterparts.ts';
import type { Loss } from './expression/expression-rewriter.ts';

/** The profiles to migrate between. Both must have the endpoint kind. */
export interface MigrationOptions {
  readonly from: Profile;
  readonly to: Profile;
  readonly endpoint: EndpointKind;
  /** Path of the policy within its file. Without it, each document is a policy. */
  readonly part?: PartPath;
}

/** The migrated policies of a file. */
export interface Migration {
  /** Undefined if the original has errors. */
  readonly text: string | undefined;
  /** Edits of the original, in order and not overlapping. */
  readonly edits: readonly TextEdit[];
  /**
   * The errors of the original; if it has none, the losses: a warning if the new policy may mean something else, an error
   * if a person must complete it. Ranges are of the original.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Migrates the policies of a file to a later profile by editing the text, which preserves layout, comments and surroundings.
 * Anything the new profile cannot express is reported and left unchanged.
 */
export function migratePolicy(source: SourceText, { from, to, endpoint, part }: MigrationOptions): Migration {
  const where = { endpoint, ...(part && { part }) };
  const { policies, diagnostics, environments } = analyzePolicies(source, { profile: from, ...where });
  if (policies.length === 0 || diagnostics.some(one => one.severity === 'error'))
    return { text: undefined, edits: [], diagnostics };
  const counterparts = counterpartsOf(from);
  const migrating: MigrationState = {
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
