import fc from 'fast-check';
import { DOUBLES, INTS, stringsOf, type Take, UINTS } from './data.ts';
import { pathTo } from './paths.ts';

/** A variable in scope, with its type as `formatType` writes it. */
interface Variable {
  readonly name: string;
  readonly type: string;
}

/** The language that expressions are generated from. */
export interface Profile {
  readonly variables: readonly Variable[];
  /** Types that may occur. */
  readonly types: readonly string[];
  /** Names of productions and other traits to leave out. */
  readonly without: ReadonlySet<string>;
  /** Names of the only productions to use, if there are few. */
  readonly only?: ReadonlySet<string>;
  /** Whether extension libraries are used: `cel.bind`, optionals. */
  readonly extensions: boolean;
  /** Whether every variable has a value. */
  readonly complete: boolean;
}

/** State of generating one expression. */
interface GeneratorState {
  readonly take: Take;
  readonly profile: Profile;
  readonly scope: readonly Variable[];
  readonly depth: number;
}

type Production = (m: GeneratorState, type: string) => string;

export const SCALARS = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'] as const;
const NUMBERS = ['int', 'uint', 'double'];
const ORDERED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const TIME_PARTS = [
  'FullYear',
  'Month',
  'DayOfYear',
  'DayOfMonth',
  'Date',
  'DayOfWeek',
  'Hours',
  'Minutes',
  'Seconds',
  'Milliseconds',
];
const BYTES = ["b''", "b'a'", "b'ab'", "b'é'", String.raw`b'\xff'`];
const TIMES = ["'2026-01-31T23:59:59Z'", "'1970-01-01T00:00:00.5Z'", "'2024-02-29T12:00:00.001Z'"];
const EXTREME_TIMES = [
  "'2024-02-29T12:00:00.000000001Z'",
  "'0001-01-01T00:00:00Z'",
  "'9999-12-31T23:59:59.999999999Z'",
];
const PLAIN_TEXTS = ['', 'a', 'ab', 'b', 'x-key', 'Zz'];
const SMALL_INTS = INTS.filter(value => value > -100n && value < 100n);
const SMALL_UINTS = UINTS.filter(value => value < 100n);
const NUMERALS = ['"0"', '"12"', '"-3"', '"9223372036854775807"'];
const PATTERNS = ['^a', 'b$', 'a.*b', '[0-9]+', '(a|b)+', '^$', '\\\\d', '.'];

/** Generates a random expression of the type. */
export function expressionOf(type: string, take: Take, profile: Profile): string {
  return make({ take, profile, scope: profile.variables, depth: 4 }, type);
}

function make(m: GeneratorState, type: string): string {
  const productions = productionsOf(m, type);
  const production = pick(m, productions);
  return production({ ...m, depth: m.depth - 1 }, type);
}

function pick<T>({ take }: GeneratorState, values: readonly T[]): T {
  return values[take(fc.nat, values.length - 1)] as T;
}

function chance({ take }: GeneratorState, of: number): boolean {
  return take(fc.nat, of - 1) === 0;
}

function productionsOf(m: GeneratorState, type: string): readonly Production[] {
  const inScope = m.scope.some(variable => variable.type === type);
  const leaves: Production[] = inScope ? [literal, variable, variable] : [literal];
  if (m.depth <= 0) return leaves;
  const own = Object.entries(BY_TYPE[type] ?? COLLECTIONS[type.slice(0, type.indexOf('('))] ?? {});
  const kind = type.includes('(') ? type.slice(0, type.indexOf('(')) : type;
  const extensions = { ...EXTENSIONS, ...LIBRARIES[kind] };
  const shared = Object.entries(m.profile.extensions ? { ...SHARED, ...extensions } : SHARED);
  const { without, only } = m.profile;
  const allowed = [...own, ...own, ...shared].filter(([name]) => !without.has(name) && (only?.has(name) ?? true));
  return [...leaves, ...allowed.map(([, production]) => production)];
}

const variable: Production = (m, type) =>
  pick(
    m,
    m.scope.filter(candidate => candidate.type === type),
  ).name;

function literal(m: GeneratorState, type: string): string {
  const [, element] = /^list\((.*)\)$/.exec(type) ?? [];
  if (element !== undefined) return `[${several(m, () => make(shallow(m), element)).join(', ')}]`;
  const [, key, value] = /^map\((\w+), (.*)\)$/.exec(type) ?? [];
  if (key !== undefined && value !== undefined) {
    if (m.profile.without.has('computedKeys'))
      return `{"a": ${make(shallow(m), value)}, "b": ${make(shallow(m), value)}}`;
    return `{${several(m, () => `${make(shallow(m), key)}: ${make(shallow(m), value)}`).join(', ')}}`;
  }
  switch (type) {
    case 'bool':
      return pick(m, ['true', 'false']);
    case 'int':
      if (m.profile.without.has('negativeInts')) return String(m.take(fc.nat, 12));
      return parenthesized(String(pick(m, !m.profile.without.has('largeInts') && chance(m, 4) ? INTS : SMALL_INTS)));
    case 'uint':
      return `${pick(m, chance(m, 4) ? UINTS : SMALL_UINTS)}u`;
    case 'double':
      return doubleLiteral(pick(m, DOUBLES));
    case 'string':
      return JSON.stringify(pick(m, m.profile.without.has('astralText') ? PLAIN_TEXTS : stringsOf(m.profile.without)));
    case 'bytes':
      return pick(m, m.profile.without.has('astralBytes') ? BYTES : [...BYTES, "b'😀'"]);
    case 'timestamp':
      return `timestamp(${pick(m, m.profile.without.has('extremeTimes') ? TIMES : [...TIMES, ...EXTREME_TIMES])})`;
    case 'duration':
      return `duration(${pick(m, ["'0s'", "'1h30m'", "'1.5s'", "'-1ms'", "'100000h'"])})`;
    case 'dyn':
      return `dyn(${make(
        shallow(m),
        pick(
          m,
          m.profile.types.filter(other => other !== 'dyn'),
        ),
      )})`;
    default:
      return 'null';
  }
}

function doubleLiteral(value: number): string {
  if (Number.isNaN(value)) return '(0.0 / 0.0)';
  if (!Number.isFinite(value)) return value < 0 ? '(-1.0 / 0.0)' : '(1.0 / 0.0)';
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return parenthesized(/[.e]/.test(digits) ? digits : `${digits}.0`);
}

/** After an operator, a minus sign belongs to a literal only within parentheses. */
function parenthesized(text: string): string {
  return text.startsWith('-') ? `(${text})` : text;
}

/** Never empty: the checker infers the type of `[][0]` from its use. Empty lists and maps come from the data. */
function several(m: GeneratorState, one: () => string): string[] {
  return Array.from({ length: 1 + m.take(fc.nat, 1) }, one);
}

function shallow(m: GeneratorState): GeneratorState {
  return { ...m, depth: Math.min(m.depth - 1, 1) };
}

function anyOf(m: GeneratorState, types: readonly string[]): string {
  return pick(
    m,
    types.filter(type => m.profile.types.includes(type)),
  );
}

function negation(m: GeneratorState, type: string): string {
  const negated = parenthesized(make(m, type));
  return m.profile.without.has('repeatedNegation') && negated.startsWith('(-') ? negated : `(-${negated})`;
}

/** Sometimes hides the static type from the checker, so that the values decide. */
function operand(m: GeneratorState, type: string): string {
  const text = make(m, type);
  return !m.profile.without.has('dyn') && chance(m, 8) ? `dyn(${text})` : text;
}

function infix(operators: readonly string[], types?: readonly string[]): Production {
  return (m, type) => {
    const of = types === undefined ? type : anyOf(m, types);
    return `(${operand(m, of)} ${pick(m, operators)} ${operand(m, of)})`;
  };
}

function withLocal(m: GeneratorState, type: string): { readonly inner: GeneratorState; readonly name: string } {
  const name = `v${m.scope.length}`;
  return { inner: { ...m, scope: [...m.scope, { name, type }] }, name };
}

/** Generates a list, or a map whose keys have the type, for a macro to iterate over. */
function range(m: GeneratorState, element: string): string {
  if (m.profile.without.has('computedRange')) return variable(m, `list(${element})`);
  const isMap = element === 'string' && m.profile.types.includes('map(string, int)') && chance(m, 4);
  return make(m, isMap ? 'map(string, int)' : `list(${element})`);
}

const elementTypes = (m: GeneratorState): readonly string[] =>
  m.profile.types.filter(type => m.profile.types.includes(`list(${type})`));

function predicateMacro(macros: readonly string[]): Production {
  return m => {
    const element = pick(m, elementTypes(m));
    const { inner, name } = withLocal(m, element);
    return `${range(m, element)}.${pick(m, macros)}(${name}, ${make(inner, 'bool')})`;
  };
}

/** Generates a part of a variable that is several steps away; some types have none. */
function path(m: GeneratorState, type: string): string | undefined {
  const ways = m.scope.flatMap(({ name, type: from }) => {
    const steps = from === type ? undefined : pathTo(from, type, m.take);
    return steps === undefined ? [] : [`${name}${steps}`];
  });
  return ways.length === 0 ? undefined : pick(m, ways);
}

/** Types of maps and objects that paths may end at, to test what they contain. */
const HOLDERS = ['map(string, int)', 'map(string, map(string, int))', 'map(string, string)', 'dyn'];

const SHARED: Readonly<Record<string, Production>> = {
  path: (m, type) => path(m, type) ?? make(m, type),
  conditional: (m, type) => `(${operand(m, 'bool')} ? ${make(m, type)} : ${make(m, type)})`,
  element: (m, type) => {
    const list = `list(${type})`;
    const from = m.profile.types.includes(list) ? make(m, list) : `[${make(m, type)}, ${make(m, type)}]`;
    return `${from}[${pick(m, ['0', '1', '2', make(shallow(m), 'int')])}]`;
  },
  entry: (m, type) => `{"a": ${make(m, type)}, "b": ${make(m, type)}}${pick(m, ['.a', '.b', '.c', '["a"]', '["z"]'])}`,
  valueOfMap: (m, type) => {
    const map = `map(string, ${type})`;
    return m.profile.types.includes(map) ? `${make(m, map)}[${make(m, 'string')}]` : make(m, type);
  },
};

const EXTENSIONS: Readonly<Record<string, Production>> = {
  bind: (m, type) => {
    const bound = anyOf(m, SCALARS);
    const { inner, name } = withLocal(m, bound);
    return `cel.bind(${name}, ${make(m, bound)}, ${make(inner, type)})`;
  },
  orValue: (m, type) => `{"a": ${make(m, type)}}${pick(m, ['.?a', '.?b', '[?"a"]'])}.orValue(${make(m, type)})`,
  optionalElement: (m, type) => `[${make(m, type)}][?${make(m, 'int')}].orValue(${make(m, type)})`,
};

/** Functions of the extension libraries, by result type. */
const LIBRARIES: Readonly<Record<string, Readonly<Record<string, Production>>>> = {
  bool: {
    // Operands that may be compiled more than once and contain several local names.
    choiceAmongBound: m => {
      const outer = withLocal(m, 'string');
      const inner = withLocal(outer.inner, 'list(int)');
      const test = `cel.bind(${inner.name}, ${make(m, 'list(int)')}, ${make(inner.inner, 'bool')})`;
      const choice = `(cel.bind(${outer.name}, ${make(m, 'string')}, ${test}) ? ${make(m, 'string')} : "a")`;
      return `(${choice} ${pick(m, ['==', '!=', 'in ["c"] || "a" =='])} "b")`;
    },
    inLarge: m => `(${make(m, 'int')} in ${make(m, 'list(int)')})`,
    sets: m =>
      `sets.${pick(m, ['contains', 'intersects', 'equivalent'])}(${make(m, 'list(int)')}, ${make(m, 'list(int)')})`,
    nestedEqual: m => `([${make(m, 'list(int)')}] == [${make(m, 'list(int)')}])`,
  },
  string: {
    edit: m => `${make(m, 'string')}.${pick(m, ['lowerAscii', 'upperAscii', 'trim', 'reverse'])}()`,
    replace: m => `${make(m, 'string')}.replace(${make(m, 'string')}, ${make(m, 'string')})`,
    join: m => `${make(m, 'list(string)')}.join(${make(m, 'string')})`,
  },
  list: {
    range: (m, type) => (type === 'list(int)' ? `lists.range(${m.take(fc.nat, 9)})` : make(m, type)),
    edit: (m, type) => `${make(m, type)}.${pick(m, ['reverse()', 'distinct()', 'sort()', 'slice(0, 1)'])}`,
    flatten: (m, type) => `[${make(m, type)}, ${make(m, type)}].flatten()`,
    split: (m, type) => (type === 'list(string)' ? `${make(m, 'string')}.split(${make(m, 'string')})` : make(m, type)),
  },
};

const COLLECTIONS: Readonly<Record<string, Readonly<Record<string, Production>>>> = {
  list: {
    // Not `operand`: the checker infers the element type of `[] + dyn(…)` from its use, as the reference implementation does.
    listConcat: (m, type) => `(${make(m, type)} + ${make(m, type)})`,
    listFilter: (m, type) => {
      const element = type.slice(5, -1);
      const { inner, name } = withLocal(m, element);
      return `${make(m, type)}.filter(${name}, ${make(inner, 'bool')})`;
    },
    listMap: (m, type) => {
      const from = pick(m, elementTypes(m));
      const { inner, name } = withLocal(m, from);
      const filter = !m.profile.without.has('filteredMap') && chance(m, 3) ? `${make(inner, 'bool')}, ` : '';
      return `${range(m, from)}.map(${name}, ${filter}${make(inner, type.slice(5, -1))})`;
    },
  },
  map: {},
};

const BY_TYPE: Readonly<Record<string, Readonly<Record<string, Production>>>> = {
  bool: {
    and: infix(['&&']),
    or: infix(['||']),
    not: m => `!${make(m, 'bool')}`,
    order: infix(['<', '<=', '>', '>='], ORDERED),
    intOrder: infix(['<', '<=', '>', '>='], ['int']),
    mixedOrder: m =>
      `(${operand(m, anyOf(m, NUMBERS))} ${pick(m, ['<', '<=', '>', '>='])} ${operand(m, anyOf(m, NUMBERS))})`,
    equal: m => {
      const isOneType = m.profile.without.has('mixedEqual');
      const type = pick(
        m,
        m.profile.types.filter(candidate => !isOneType || candidate !== 'dyn'),
      );
      return `(${operand(m, type)} ${pick(m, ['==', '!='])} ${operand(m, type)})`;
    },
    smallMixedEqual: m => `(dyn(${pick(m, SMALL_INTS)}) ${pick(m, ['==', '!='])} ${make(m, anyOf(m, NUMBERS))})`,
    mixedEqual: m =>
      `(dyn(${make(m, pick(m, m.profile.types))}) ${pick(m, ['==', '!='])} ${make(m, pick(m, m.profile.types))})`,
    inList: m => {
      const element = pick(m, elementTypes(m));
      return `(${operand(m, element)} in ${make(m, `list(${element})`)})`;
    },
    inMap: m => `(${make(m, 'string')} in ${make(m, 'map(string, int)')})`,
    hasPath: m => `has(${path(m, pick(m, HOLDERS)) ?? variable(m, 'map(string, int)')}.a)`,
    inPath: m => `(${make(m, 'string')} in ${path(m, pick(m, HOLDERS)) ?? variable(m, 'map(string, int)')})`,
    recordMacro: m => {
      const ranges = m.scope.filter(({ type }) => /^list\((map|Person)/.test(type));
      if (ranges.length === 0) return make(m, 'bool');
      const { name: from, type } = pick(m, ranges);
      const { inner, name } = withLocal(m, type.slice(5, -1));
      return `${from}.${pick(m, ['all', 'exists', 'exists_one'])}(${name}, ${make(inner, 'bool')})`;
    },
    hasKey: m => `has(${make(m, 'map(string, int)')}.a)`,
    hasKeyOfVariable: m => `has(${variable(m, 'map(string, int)')}.a)`,
    hasKeyOfLiteral: m => `has(${literal(m, 'map(string, int)')}.a)`,
    search: m => `${operand(m, 'string')}.${pick(m, ['contains', 'startsWith', 'endsWith'])}(${make(m, 'string')})`,
    matches: m => `${make(m, 'string')}.matches("${pick(m, PATTERNS)}")`,
    quantifier: predicateMacro(['all', 'exists']),
    existsOne: predicateMacro(['exists_one']),
    typeTest: m =>
      `(type(${make(m, pick(m, m.profile.types))}) == ${pick(m, ['int', 'uint', 'double', 'string', 'bool', 'list', 'map', 'bytes'])})`,
  },
  int: {
    intAddition: infix(['+', '-', '*']),
    naturalAddition: infix(['+', '*']),
    sizeOfCollection: m => `size(${make(m, anyOf(m, ['list(int)', 'list(string)', 'map(string, int)']))})`,
    intDivision: infix(['/', '%']),
    intNegation: negation,
    size: m => `size(${operand(m, anyOf(m, ['string', 'bytes', 'list(int)', 'list(string)', 'map(string, int)']))})`,
    toInt: m => `int(${operand(m, anyOf(m, ['int', 'uint', 'double', 'timestamp']))})`,
    textToInt: m => `int(${make(m, 'string')})`,
    numeralToInt: m => `int(${pick(m, NUMERALS)})`,
    timePart: m =>
      `${make(m, 'timestamp')}.get${pick(m, TIME_PARTS)}(${pick(m, ['', "'UTC'", "'+05:30'", "'Europe/Berlin'"])})`,
    durationPart: m => `${make(m, 'duration')}.get${pick(m, ['Hours', 'Minutes', 'Seconds', 'Milliseconds'])}()`,
  },
  uint: {
    uintArithmetic: infix(['+', '-', '*', '%']),
    uintDivision: infix(['/']),
    toUint: m => `uint(${operand(m, anyOf(m, NUMBERS))})`,
    textToUint: m => `uint(${make(m, 'string')})`,
    numeralToUint: m => `uint(${pick(m, NUMERALS)})`,
  },
  double: {
    doubleArithmetic: infix(['+', '-', '*', '/']),
    doubleNegation: negation,
    toDouble: m => `double(${operand(m, anyOf(m, NUMBERS))})`,
    textToDouble: m => `double(${make(m, 'string')})`,
    numeralToDouble: m => `double(${pick(m, [...NUMERALS, '"-1.5e3"'])})`,
  },
  string: {
    textConcat: infix(['+']),
    toText: m => `string(${operand(m, anyOf(m, ['int', 'uint', 'bool', 'string', 'bytes']))})`,
    timeToText: m => `string(${operand(m, anyOf(m, ['timestamp', 'duration']))})`,
  },
  bytes: {
    bytesConcat: infix(['+']),
    toBytes: m => `bytes(${make(m, 'string')})`,
  },
  timestamp: {
    timeShift: m => `(${make(m, 'timestamp')} ${pick(m, ['+', '-'])} ${make(m, 'duration')})`,
    toTimestamp: m => `timestamp(${make(m, 'int')})`,
  },
  duration: {
    timeDifference: m => `(${make(m, 'timestamp')} - ${make(m, 'timestamp')})`,
    durationArithmetic: infix(['+', '-']),
  },
};
