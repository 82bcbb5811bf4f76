import type { ConfigField, FunctionFact, Profile, ValueRole, VariableFact } from '@tollgate/catalog';
import type { SizeHints } from '@tollgate/cel';
import { type RoleWords, rangeWords, roleWords } from './role-words.ts';
import { sizeHints } from './size-hints.ts';

/** What a profile says its names stand for, by name. */
export interface ProfileRoles {
  readonly profile: Profile;
  readonly variables: ReadonlyMap<string, VariableFact>;
  /** Of a role, the first path that has it. */
  readonly paths: ReadonlyMap<ValueRole, string>;
  /** By overload id. */
  readonly functions: ReadonlyMap<string, FunctionFact>;
  /** What stands for roles in the sources of expressions. */
  readonly words: RoleWords;
  /** The same for functions that are given address ranges. */
  readonly rangeWords: readonly string[];
  /** How large inputs may be, for estimates. */
  readonly sizes: SizeHints;
}

/** The roles of a profile. Linear in the number of its facts: whoever lints many files keeps it. */
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

/** The field of an action's configuration under a key. */
export function fieldNamed(fields: readonly ConfigField[] | undefined, key: string): ConfigField | undefined {
  return fields?.find(field => field.name === key);
}
