import type { ConfigField, FunctionFact, Profile, ValueRole, VariableFact } from '@tollgate/catalog';
import type { SizeHints } from '@tollgate/cel';
import { type RoleWords, rangeWords, roleWords } from './role-words.ts';
import { sizeHints } from './size-hints.ts';

/** The variables and functions of a profile, indexed by name and by role. */
export interface ProfileRoles {
  readonly profile: Profile;
  readonly variables: ReadonlyMap<string, VariableFact>;
  /** The first path with each role. */
  readonly paths: ReadonlyMap<ValueRole, string>;
  /** By overload id. */
  readonly functions: ReadonlyMap<string, FunctionFact>;
  /** Names that occur in the source of every expression that reads a role. */
  readonly words: RoleWords;
  /** Names of functions that take address ranges. */
  readonly rangeWords: readonly string[];
  /** Sizes of inputs, for cost estimates. */
  readonly sizes: SizeHints;
}

/** Indexes a profile. Linear in the number of its variables and functions, so keep the result if you lint many files. */
export function profileRoles(profile: Profile): ProfileRoles {
  const named = profile.variables.flatMap(({ role, path }) => (role ? [[role, path] as const] : []));
  return {
    profile,
    variables: new Map(profile.variables.map(fact => [fact.path, fact])),
    paths: new Map(named.toReversed()),
    functions: new Map(profile.functions.map(fact => [fact.overloadId, fact])),
    words: roleWords(profile),
    rangeWords: rangeWords(profile),
    sizes: sizeHints(profile.variables),
  };
}

/** Returns the configuration field with a name. */
export function fieldNamed(fields: readonly ConfigField[] | undefined, key: string): ConfigField | undefined {
  return fields?.find(field => field.name === key);
}
