import type { Profile } from '@tollgate/catalog';
import { RENAMED_KEYS } from './document/migrate-config.ts';
import { COOKIE_LISTS, counterpartsOf, HEADER_MAPS, STATUS, TLS_VERSIONS } from './expression/counterparts.ts';

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
