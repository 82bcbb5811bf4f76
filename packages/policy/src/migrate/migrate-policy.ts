import type { EndpointKind, Profile } from '@tollgate/catalog';
import { type Diagnostic, type Range, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits, offsetBefore, sortEdits } from '../document/edits.ts';
import type { PartPath } from '../document/select-part.ts';
import { type MigrationState, migrateDocument, RENAMED_KEYS, separateEdits } from './migrate-document.ts';
import { COOKIE_LISTS, counterpartsOf, HEADER_MAPS, type Loss, STATUS, TLS_VERSIONS } from './rewrite-expression.ts';

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
  return { text, edits, diagnostics: losses.map(loss => ({ ...loss, uri: source.uri })) };
}

/** Variables of two profiles that have the same values, whatever they are called. */
export interface SharedVariables {
  /** The paths of the later profile, by those of the earlier one; others have the same path in both, or are in one only. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Maps of headers in the earlier profile: their keys are written as its names are. */
  readonly headerMaps: ReadonlySet<string>;
  /** By path of the later profile, where it may be absent: the integer that the earlier profile has then. */
  readonly absent: ReadonlyMap<string, bigint>;
  /** Keys of configurations with another name in the later profile, by action. */
  readonly renamedKeys: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Returns what a profile and the later one to which its policies migrate share; undefined if its policies do not migrate to it. */
export function sharedVariables(from: Profile, to: Profile): SharedVariables | undefined {
  if (from.name === to.name || to.name !== 'modern') return undefined;
  const { variables } = counterpartsOf(from);
  const same = Object.entries(variables).filter(([path, { loss }]) => loss === undefined && !isSpelledOtherwise(path));
  return {
    renamed: new Map(same.map(([path, { to: other }]) => [path, other])),
    headerMaps: HEADER_MAPS,
    renamedKeys: RENAMED_KEYS,
    absent: new Map(
      same.flatMap(([, { to: other, otherwise }]) =>
        otherwise !== undefined && /^-?\d+$/.test(otherwise) ? [[other, BigInt(otherwise)] as const] : [],
      ),
    ),
  };
}

/** The values have another type or form. */
function isSpelledOtherwise(path: string): boolean {
  return COOKIE_LISTS.has(path) || TLS_VERSIONS.has(path) || path === STATUS;
}

/** A migrated file and its edits. */
interface MigratedSource {
  readonly uri: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** Returns the errors of the migrated file that no reported loss explains, with ranges of the original file. */
function checkMigrated(migrated: MigratedSource, losses: readonly Loss[], options: AnalysisOptions): readonly Loss[] {
  const { diagnostics } = analyzePolicies(new SourceText(migrated.uri, migrated.text), options);
  return diagnostics
    .filter(one => one.severity === 'error')
    .flatMap(one => {
      const range = rangeBefore(migrated.edits, one);
      return losses.some(loss => loss.severity === 'error' && overlap(loss.range, range))
        ? []
        : [lossOf(one, range, options.profile)];
    });
}

function rangeBefore(edits: readonly TextEdit[], { range }: Diagnostic): Range {
  const start = offsetBefore(edits, range.start);
  return { start, end: Math.max(start, offsetBefore(edits, range.end)) };
}

function overlap(a: Range, b: Range): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function lossOf({ code, message }: Diagnostic, range: Range, { name }: Profile): Loss {
  return {
    code: 'migrate/does-not-check',
    severity: 'error',
    message: `error in \`${name}\` after migration: ${message}`,
    range,
    args: { code },
  };
}
