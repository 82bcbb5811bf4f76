import type { Take } from '../data.ts';
import { chance, pick } from './literals.ts';

/** An expression, with the names of the types that its value may have. */
interface Term {
  readonly source: string;
  /** Types as keys of {@link VALUES}, or a container of such: `[]`, `{}` and `?` followed by the types of what it holds. */
  readonly holds: Shape;
}

/** What a value may be: one of several scalars, or a container of a shape. */
type Shape =
  | { readonly kind: 'scalar'; readonly types: readonly string[] }
  | { readonly kind: 'list' | 'map' | 'optional'; readonly of: Shape };

/** Values of every type that the language and its libraries have, constant and not. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  null: ['null', 'dyn(null)', 'null', 'json.parse("null").value()'],
  bool: ['true', 'b'],
  int: ['1', 'i'],
  uint: ['1u', 'u'],
  double: ['1.0', 'f', '1.5'],
  string: ["'a'", 's'],
  bytes: ["b'a'", 'y'],
  timestamp: ["timestamp('1970-01-01T00:00:00Z')", 'at'],
  duration: ["duration('1s')", 'span', "duration('0s')"],
  type: ['int', 'type(1u)'],
  list: ['[1]', 'ints', 'doubles', '[]', '[1u]'],
  map: ["{'a': 1}", 'table', '{}', "{'a': 1.0}"],
  optional: ['optional.of(1)', 'optional.none()', 'optional.of(1.0)', 'optional.of(null)', 'optional.of(span)'],
  ip: ["ip('10.0.0.1')"],
  cidr: ["cidr('10.0.0.0/8')"],
  wrapper: ['wrappedBool', 'wrappedInt', 'wrappedUint', 'wrappedDouble', 'wrappedString', 'wrappedBytes'],
  message: ['message', 'messages[0]', "google.protobuf.SourceContext{file_name: 'a'}"],
  dyn: ['d', 'dyn(1)', "dyn('a')"],
};
const TYPES = Object.keys(VALUES);

/** Types that the checker joins with null, which come up more often. */
const NULLABLE = ['timestamp', 'duration', 'optional', 'ip', 'cidr', 'wrapper', 'message'];

/** What can be asked of a value of a type. `…` stands for the value. */
const USES: Readonly<Record<string, readonly string[]>> = {
  null: ['… == null', 'type(…)'],
  bool: ['!…', '… && true', '… ? 1 : 2'],
  int: ['… + 1', '… < 2', '-…', 'math.greatest(…, 2)', 'string(…)'],
  uint: ['… + 1u', '… < 2u', 'uint(…)'],
  double: ['… + 1.0', '… < 2.0', 'double(…)', 'math.isNaN(…)'],
  string: ["… + 'a'", "… < 'b'", '….size()', "….startsWith('a')", 'size(…)', "'%s'.format([…])"],
  bytes: ["… + b'a'", 'size(…)', 'string(…)'],
  timestamp: ['….getFullYear()', "… + duration('1s')", '… - timestamp(0)', '… < timestamp(1)', 'string(…)', 'int(…)'],
  duration: ['….getSeconds()', "… + duration('1s')", '… + timestamp(0)', "… <= duration('1s')", 'string(…)'],
  type: ['… == int', 'type(…)'],
  list: ['…[0]', 'size(…)', '… + [2]', '….map(x, x)', '1 in …', '[…].flatten()', '….exists(x, x == null)'],
  map: ['….a', "…['a']", "'a' in …", 'has(….a)', '….exists(x, x == null)', '….?a'],
  optional: [
    '….orValue(2)',
    '….hasValue()',
    '….value()',
    '….or(optional.of(2))',
    '….optMap(x, x)',
    '[?…]',
    '….or(optional.of(null))',
    '….orValue(null)',
    '….?a',
    '…[?0]',
    "{?'a': …}",
    '….optFlatMap(x, optional.of(x))',
  ],
  ip: ['….family()', 'string(…)', "cidr('10.0.0.0/8').containsIP(…)"],
  cidr: ['….prefixLength()', '….ip()', "….containsIP(ip('10.0.0.1'))"],
  wrapper: ['… == 1', "… == 'a'", '… + 1', 'type(…)'],
  message: ['….file_name', 'has(….file_name)', "….file_name == 'a'"],
  dyn: ['… == 1', 'type(…)', 'size(…)'],
};
const ANY_USES = ['… == null', 'type(…)', '… == …', '… in [null]', '[…][0]', 'dyn(…)', 'optional.ofNonZeroValue(…)'];

/** Ways to join two values. `A` and `B` stand for the values. */
const JOINS: readonly (readonly [source: string, holds: 'list' | 'map' | 'optional' | 'either'])[] = [
  ['[A, B]', 'list'],
  ['[A, B, A]', 'list'],
  ["{'a': A, 'b': B}", 'map'],
  ["{?'a': optional.of(A), 'b': B}", 'map'],
  ["{'b': B, ?'a': [A][?1]}", 'map'],
  ['[?optional.of(A), B]', 'list'],
  ['[B, ?optional.none(), A]', 'list'],
  ['([A] + [B])', 'list'],
  ['(b ? A : B)', 'either'],
  ['(!b ? A : B)', 'either'],
  ['optional.of(A).or(optional.of(B))', 'optional'],
  ['optional.none().or(optional.of(A)).or(optional.of(B))', 'optional'],
  ['[A][?1].or([B][?0])', 'optional'],
  ["{'a': A}.?a.or({'a': B}.?a)", 'optional'],
  ['(b ? optional.of(A) : optional.of(B))', 'optional'],
  ['optional.of(A).orValue(B)', 'either'],
  ['optional.ofNonZeroValue(A).orValue(B)', 'either'],
  ['[A][?1].orValue(B)', 'either'],
  ['[1, 2].map(x, x == 1 ? A : B)', 'list'],
  ['[A, B].map(x, x)', 'list'],
  ['[A, B].filter(x, x != null)', 'list'],
  ["{'a': A, 'b': B}.transformMap(k, x, x)", 'map'],
  ['optional.of(A).optMap(x, b ? x : B)', 'optional'],
  ['optional.of(A).optFlatMap(x, b ? optional.of(x) : optional.of(B))', 'optional'],
  ['cel.bind(x, A, b ? x : B)', 'either'],
  ['[A, B].reverse()', 'list'],
  ['[[A], [B]].flatten()', 'list'],
  ['[optional.of(A), optional.of(B)].unwrap()', 'list'],
  ['[optional.of(A), optional.none(), optional.of(B)].unwrapOpt()', 'list'],
];

/** How to get at what a container holds. */
const PARTS: Readonly<Record<'list' | 'map' | 'optional', readonly string[]>> = {
  list: ['…[0]', '…[1]', '…[?0].value()', '….first().value()', '….last().value()', '….map(x, x)[0]'],
  map: ['….a', "…['b']", '….?a.value()', "…[?'b'].value()"],
  optional: ['….value()', '….orValue(null)', '….optMap(x, x).value()'],
};

/** Generates an expression that joins values of two types, and usually does something with the result. */
export function joinOf(take: Take): string {
  return used(take, joined(take, 2)).source;
}

function joined(take: Take, depth: number): Term {
  const operand = (): Term => {
    if (depth > 0 && chance(take, 4)) return partOf(take, joined(take, depth - 1));
    return scalar(take);
  };
  const [first, second] = chance(take, 2) ? [operand(), nullOr(take)] : [operand(), operand()];
  const [a, b] = chance(take, 2) ? [first, second] : [second, first];
  const [form, kind] = pick(take, JOINS);
  const either: Shape =
    a.holds.kind === 'scalar' && b.holds.kind === 'scalar'
      ? { kind: 'scalar', types: [...a.holds.types, ...b.holds.types] }
      : a.holds.kind === 'scalar'
        ? b.holds
        : a.holds;
  const source = form.replaceAll(/\b[AB]\b/g, name => (name === 'A' ? a.source : b.source));
  return { source, holds: kind === 'either' ? either : { kind, of: either } };
}

function nullOr(take: Take): Term {
  return chance(take, 3) ? scalar(take) : { source: pick(take, VALUES.null!), holds: scalarOf('null') };
}

function scalar(take: Take): Term {
  const type = pick(take, chance(take, 2) ? NULLABLE : TYPES);
  return { source: pick(take, VALUES[type]!), holds: scalarOf(type) };
}

const scalarOf = (type: string): Shape => ({ kind: 'scalar', types: [type] });

/** Returns the container, or something that it holds. */
function partOf(take: Take, term: Term): Term {
  if (term.holds.kind === 'scalar' || chance(take, 4)) return term;
  return { source: filled(pick(take, PARTS[term.holds.kind]), term), holds: term.holds.of };
}

function used(take: Take, term: Term): Term {
  const part = partOf(take, term);
  if (chance(take, 5)) return part;
  const types = part.holds.kind === 'scalar' ? part.holds.types : [part.holds.kind];
  const uses = chance(take, 3) ? ANY_USES : USES[pick(take, types)]!;
  return { source: filled(pick(take, uses), part), holds: scalarOf('dyn') };
}

function filled(use: string, { source }: Term): string {
  return use.replaceAll('…', () => source);
}
