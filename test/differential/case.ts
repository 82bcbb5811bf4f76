import {
  type Activation,
  BOOL,
  BYTES,
  check,
  compileClosures,
  compileToJavaScript,
  createEnvironment,
  DOUBLE,
  DURATION,
  DYN,
  type Environment,
  EXTENSION_LIBRARIES,
  extendEnvironment,
  formatType,
  INT,
  type Limits,
  listOf,
  mapOf,
  objectType,
  type Program,
  parse,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '@tollgate/cel';
import fc from 'fast-check';
import { type Datum, datumOf, type Take, toOurs } from './data.ts';
import { expressionOf, type Profile, SCALARS } from './expression.ts';
import { FIELDS } from './paths.ts';

/** An expression, and data for the variables that have a value. */
export interface DifferentialCase {
  readonly source: string;
  readonly data: Readonly<Record<string, Datum>>;
}

const TYPES: Readonly<Record<string, Type>> = {
  b: BOOL,
  c: BOOL,
  i: INT,
  j: INT,
  u: UINT,
  f: DOUBLE,
  s: STRING,
  t: STRING,
  y: BYTES,
  at: TIMESTAMP,
  span: DURATION,
  d: DYN,
  ints: listOf(INT),
  texts: listOf(STRING),
  doubles: listOf(DOUBLE),
  table: mapOf(STRING, INT),
  byInt: mapOf(INT, STRING),
  headers: mapOf(STRING, listOf(STRING)),
  users: listOf(mapOf(STRING, mapOf(STRING, INT))),
  tokens: listOf(mapOf(STRING, DYN)),
  person: objectType('Person'),
  people: listOf(objectType('Person')),
};

/** The types of fields, as `formatType` writes them. */
const FIELD_TYPES: Readonly<Record<string, Type>> = Object.fromEntries(
  [
    ...[BOOL, INT, DOUBLE, STRING, listOf(STRING), mapOf(STRING, INT), mapOf(STRING, STRING)],
    ...[objectType('Place'), listOf(objectType('Room'))],
  ].map(type => [formatType(type), type]),
);

export const ENVIRONMENT: Environment = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
  objects: Object.entries(FIELDS).map(([name, fields]) => ({
    name,
    fields: new Map(Object.entries(fields).map(([field, type]) => [field, { type: FIELD_TYPES[type] ?? DYN }])),
  })),
});

const VARIABLES = Object.entries(TYPES).map(([name, type]) => ({ name, type: formatType(type) }));

/** All of CEL, for our own evaluators. */
export const EVERYTHING: Profile = {
  variables: VARIABLES,
  types: [...SCALARS, 'dyn', 'list(int)', 'list(string)', 'list(double)', 'map(string, int)'],
  without: new Set(),
  extensions: true,
  complete: false,
};

/** The part that `@bufbuild/cel` implements as the specification says; see `known-deviations.ts` for the rest. */
export const SHARED_WITH_BUFBUILD: Profile = {
  ...EVERYTHING,
  extensions: false,
  without: new Set([
    'toTimestamp',
    'textToInt',
    'textToUint',
    'textToDouble',
    'hasKey',
    'hasKeyOfVariable',
    'hasPath',
    'unitOrder',
    'astralBytes',
    'timeToText',
    'uintDivision',
    'mixedEqual',
    'repeatedNegation',
    'extremeTimes',
    'subMilliseconds',
  ]),
};

/**
 * The part where `cel-js` follows the specification: small ints, plain strings, lists and maps of them, and operators that cannot fail,
 * because it neither absorbs errors nor short-circuits. Macros and `has` work only on variables, and keys of map literals must be literals.
 */
export const SHARED_WITH_CEL_JS: Profile = {
  variables: VARIABLES.filter(({ name }) => ['b', 'c', 'i', 'j', 's', 't', 'ints', 'texts', 'table'].includes(name)),
  types: ['bool', 'int', 'string', 'list(int)', 'list(string)', 'map(string, int)'],
  without: new Set(['dyn', 'astralText', 'computedRange', 'largeInts', 'negativeInts', 'filteredMap', 'computedKeys']),
  only: new Set([
    'and',
    'or',
    'not',
    'conditional',
    'intOrder',
    'equal',
    'inList',
    'inMap',
    'hasKeyOfVariable',
    'quantifier',
    'existsOne',
    'naturalAddition',
    'sizeOfCollection',
    'textConcat',
    'listConcat',
    'listMap',
  ]),
  extensions: false,
  complete: true,
};

/** One in this many variables has no value. */
const ABSENT_ONE_IN = 16;

/** Generates a case: an expression of a random type, and incomplete data. */
export function caseOf(take: Take, profile: Profile): DifferentialCase {
  const type = profile.types[take(fc.nat, profile.types.length - 1)] as string;
  const source = expressionOf(type, take, profile);
  const data: Record<string, Datum> = {};
  for (const { name, type: of } of profile.variables) {
    if (!new RegExp(`\\b${name}\\b`).test(source)) continue;
    if (profile.complete || take(fc.nat, ABSENT_ONE_IN - 1) > 0) data[name] = datumOf(of, take, profile);
  }
  return { source, data };
}

/**
 * Returns our evaluators' programs for an expression. Throws if the parser or the checker rejects it, because then the generator is wrong.
 */
export function compileBoth(
  source: string,
  options: { readonly limits?: Partial<Limits>; readonly plainData?: boolean } = {},
): { readonly closures: Program; readonly generated: Program } {
  const { ast, diagnostics } = parse(source, ENVIRONMENT);
  const checked = check(ast, ENVIRONMENT);
  const [refused] = [...diagnostics, ...checked.diagnostics].filter(({ severity }) => severity === 'error');
  if (refused !== undefined) throw new Error(`${source}: ${refused.message}`);
  const env = extendEnvironment(ENVIRONMENT, options);
  return { closures: compileClosures(checked.typed, env), generated: compileToJavaScript(checked.typed, env) };
}

export function activationOf(data: Readonly<Record<string, Datum>>): Activation {
  return Object.fromEntries(Object.entries(data).map(([name, datum]) => [name, toOurs(datum, !isOpenInside(name))]));
}

/** Returns true if numbers in the variable's data must be boxed to determine their type. */
function isOpenInside(name: string): boolean {
  const type = TYPES[name];
  return type !== undefined && /\bdyn\b/.test(formatType(type));
}
