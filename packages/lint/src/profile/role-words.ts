import type { Profile, ValueRole } from '@tollgate/catalog';

/** For each role, last names of paths and names of lookup functions. The source of an expression that reads the role contains one of them. */
export type RoleWords = ReadonlyMap<ValueRole, readonly string[]>;

export function roleWords({ variables, functions }: Pick<Profile, 'variables' | 'functions'>): RoleWords {
  const words = new Map<ValueRole, string[]>();
  const add = (role: ValueRole, name: string) => {
    const known = words.get(role) ?? [];
    const word = lastName(name);
    if (!known.includes(word)) known.push(word);
    words.set(role, known);
  };
  for (const { role, path } of variables) if (role) add(role, path);
  for (const { looksUp, name } of functions) if (looksUp) add(looksUp.in, name);
  return words;
}

/** Returns the names of functions that take address ranges. */
export function rangeWords({ functions }: Pick<Profile, 'functions'>): readonly string[] {
  const found = functions.filter(({ params }) => params.some(param => param.role === 'address-range'));
  return [...new Set(found.map(({ name }) => lastName(name)))];
}

/** Returns false if a source certainly reads no input of the roles, which is true for most sources. */
export function mayRead(source: string, words: RoleWords, roles: readonly ValueRole[]): boolean {
  for (const role of roles) if (hasOne(source, words.get(role) ?? NONE)) return true;
  return false;
}

const NONE: readonly string[] = [];

export function hasOne(source: string, words: readonly string[]): boolean {
  for (const word of words) if (source.includes(word)) return true;
  return false;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
