// A profile indexed by names and roles, since names differ between profiles.

import type { ConfigField, FunctionFact, Phase, Profile, ValueRole, VariableFact } from '@tollgate/catalog';
import type { CostRange, SizeHints } from '@tollgate/cel';
import { canonicalHeaderName } from '@tollgate/policy';

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

/** For each role, last names of paths and names of lookup functions. The source of an expression that reads the role contains one of them. */
type RoleWords = ReadonlyMap<ValueRole, readonly string[]>;

function roleWords({ variables, functions }: Pick<Profile, 'variables' | 'functions'>): RoleWords {
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
function rangeWords({ functions }: Pick<Profile, 'functions'>): readonly string[] {
  const found = functions.filter(({ params }) => params.some(param => param.role === 'address-range'));
  return [...new Set(found.map(({ name }) => lastName(name)))];
}

/** Returns false if a source certainly reads no input of the roles, which is true for most sources. */
export function mayRead(source: string, words: RoleWords, roles: readonly ValueRole[]): boolean {
  for (const role of roles) if (hasOne(source, words.get(role) ?? NO_WORDS)) return true;
  return false;
}

const NO_WORDS: readonly string[] = [];

export function hasOne(source: string, words: readonly string[]): boolean {
  for (const word of words) if (source.includes(word)) return true;
  return false;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Default limits of common servers: 8 KiB for a request line or a header, 100 headers. */
const LINE: CostRange = { min: 0, max: 8192 };
const COUNT: CostRange = { min: 0, max: 100 };
const WORD: CostRange = { min: 0, max: 64 };

const TEXTS: Partial<Record<ValueRole, CostRange>> = {
  'client-address': { min: 0, max: 45 },
  'country-code': { min: 0, max: 2 },
  'numeric-string': { min: 0, max: 32 },
  'tls-version': { min: 0, max: 8 },
  method: WORD,
  status: { min: 0, max: 3 },
  host: { min: 0, max: 261 },
};

function sizeOfEntry(type: string): CostRange {
  if (type.startsWith('map(string, list')) return { min: 0, max: 10 };
  // Maps of no fixed type hold lists from the policy itself, which are longer than those in requests.
  return type.startsWith('map(string, dyn') ? COUNT : LINE;
}

/** Returns the sizes that inputs may have, by role; other strings are as long as a header line. */
function sizeHints(variables: readonly VariableFact[]): SizeHints {
  const hints: Record<string, CostRange> = {};
  for (const { path, type, role } of variables) {
    const isText = type === 'string';
    hints[path] = isText ? ((role && TEXTS[role]) ?? LINE) : COUNT;
    if (isText) continue;
    hints[`${path}.*`] = sizeOfEntry(type);
    hints[`${path}.*.*`] = LINE;
  }
  return hints;
}

/** Returns a header name in the spelling that the maps of the profile use as keys. */
export function spelledHeader(name: string, { headerNames }: Pick<Profile, 'headerNames'>): string {
  return headerNames === 'canonical' ? canonicalHeaderName(name) : name.toLowerCase();
}

/** Returns true if rules of the phase see a response and change it rather than the request. */
export function isResponsePhase(profile: Profile, phase: Phase): boolean {
  return profile.variables.some(fact => fact.role === 'status' && fact.phases.includes(phase));
}
