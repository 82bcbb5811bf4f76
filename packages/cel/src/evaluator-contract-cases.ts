import { createEnvironment } from './environment.ts';
import type { Limits } from './limits.ts';
import type { Activation } from './program.ts';
import {
  CelDouble,
  CelUint,
  Duration,
  Optional,
  REST_UNKNOWN,
  Timestamp,
  TypeValue,
  Unknown,
  UnknownPresence,
} from './runtime/value.ts';
import {
  BOOL,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  wrapperOf,
} from './types/type.ts';

/** What an expression comes to: a tagged value, an error at a stretch of the source, or the inputs that are unknown. */
export type Expected =
  | { readonly value: unknown }
  | { readonly error: string; readonly at: string }
  | { readonly unknown: readonly string[] };

/** An expression, what it runs on, and what every evaluator must make of it. */
export interface ContractCase {
  readonly expression: string;
  readonly activation?: Activation;
  readonly expected: Expected;
  readonly note?: string;
  readonly limits?: Partial<Limits>;
  /** Run without being checked. */
  readonly unchecked?: boolean;
}

function variables(types: Readonly<Record<string, Type>>) {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

function fields(types: Readonly<Record<string, Type>>) {
  return new Map(Object.entries(types).map(([name, type]) => [name, { type }]));
}

export const ENVIRONMENT = createEnvironment({
  variables: variables({
    a: BOOL,
    b: BOOL,
    c: BOOL,
    i: INT,
    j: INT,
    u: UINT,
    f: DOUBLE,
    s: STRING,
    d: DYN,
    e: DYN,
    t: TIMESTAMP,
    span: DURATION,
    nothing: NULL,
    box: wrapperOf(INT),
    ints: listOf(INT),
    names: listOf(STRING),
    doubles: listOf(DOUBLE),
    uints: listOf(UINT),
    rows: listOf(listOf(INT)),
    m: mapOf(STRING, INT),
    byInt: mapOf(INT, STRING),
    rates: mapOf(STRING, DOUBLE),
    headers: mapOf(STRING, listOf(STRING)),
    maybe: optionalOf(INT),
    req: objectType('Request'),
    'conn.server': STRING,
    constructor: STRING,
    toString: INT,
  }),
  objects: [
    {
      name: 'Request',
      fields: fields({
        Method: STRING,
        Status: INT,
        Size: UINT,
        Rate: DOUBLE,
        Headers: mapOf(STRING, listOf(STRING)),
        Tags: listOf(STRING),
        Time: TIMESTAMP,
        Peer: objectType('Peer'),
        constructor: STRING,
        value: STRING,
      }),
    },
    { name: 'Peer', fields: fields({ Name: STRING, Port: INT }) },
  ],
});

type Row = readonly [expression: string, activation: Activation, value: unknown, note?: string];

function values(...rows: readonly Row[]): ContractCase[] {
  return rows.map(([expression, activation, value, note]) => ({
    expression,
    activation,
    expected: { value },
    ...(note === undefined ? {} : { note }),
  }));
}

type ErrorRow = readonly [expression: string, activation: Activation, error: string, at: string, note?: string];

function errors(...rows: readonly ErrorRow[]): ContractCase[] {
  return rows.map(([expression, activation, error, at, note]) => ({
    expression,
    activation,
    expected: { error, at },
    ...(note === undefined ? {} : { note }),
  }));
}

type UnknownRow = readonly [expression: string, activation: Activation, unknown: readonly string[], note?: string];

function unknowns(...rows: readonly UnknownRow[]): ContractCase[] {
  return rows.map(([expression, activation, unknown, note]) => ({
    expression,
    activation,
    expected: { unknown },
    ...(note === undefined ? {} : { note }),
  }));
}

const X = new Unknown(['x']);
const Y = new Unknown(['y']);
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const HEADERS = { Host: ['example.org'], Accept: ['a', 'b'] };
const PARTIAL = { Host: ['example.org'], [REST_UNKNOWN]: 'req.Headers' };
const REQUEST = {
  Method: 'GET',
  Status: 200,
  Size: 5,
  Rate: 2,
  Headers: HEADERS,
  Tags: ['x'],
  Peer: { Name: 'p', Port: 1 },
};
const MOMENT = new Timestamp(1_700_000_000, 0);
const OWN = Object.fromEntries([
  ['__proto__', 1],
  ['constructor', 2],
]);
class Inherits {
  get Method(): string {
    return 'inherited';
  }
}

const HOST_DATA: readonly ContractCase[] = [
  ...values(
    ['req.Method', { req: REQUEST }, 'GET'],
    ['req.Status + 1', { req: REQUEST }, 201],
    ['req.Size', { req: REQUEST }, new CelUint(5)],
    ['req.Rate', { req: REQUEST }, new CelDouble(2)],
    ['req.Rate * 1.25', { req: REQUEST }, 2.5],
    ['req.Headers["Accept"][1]', { req: REQUEST }, 'b'],
    ['req.Headers.Host[0]', { req: REQUEST }, 'example.org'],
    ['req.Headers', { req: { Headers: new Map([['Host', ['h']]]) } }, new Map([['Host', ['h']]])],
    ['headers["Host"][0]', { headers: new Map([['Host', ['h']]]) }, 'h'],
    ['headers["size"][0] == "1"', { headers: { size: ['1'] } }, true],
    ['m["size"]', { m: new Map([['size', 7]]) }, 7],
    ['m.length', { m: { length: 3 } }, 3],
    ['byInt[2]', { byInt: new Map([[2, 'two']]) }, 'two'],
    ['rates["a"] + rates["b"]', { rates: { a: 1, b: 0.5 } }, 1.5],
    ['rates["a"]', { rates: { a: 1 } }, new CelDouble(1)],
    ['rates["a"]', { rates: { a: new CelDouble(1) } }, new CelDouble(1)],
    ['u + 1u', { u: 2 }, new CelUint(3)],
    ['u', { u: new CelUint(2) }, new CelUint(2)],
    ['u', { u: 2n ** 64n - 1n }, new CelUint(2n ** 64n - 1n)],
    ['i', { i: 5n }, 5],
    ['i', { i: MAX }, MAX],
    ['i + 1', { i: Number.MAX_SAFE_INTEGER }, 2n ** 53n],
    ['i - 1', { i: 2n ** 53n }, Number.MAX_SAFE_INTEGER],
    ['i * j', { i: 3_037_000_500, j: 3_037_000_499 }, 3_037_000_500n * 3_037_000_499n],
    ['i == j', { i: 2n ** 60n, j: 2n ** 60n }, true],
    ['i < j', { i: 5, j: 2n ** 60n }, true],
    ['i * 0', { i: -5 }, 0],
    ['-i', { i: 0 }, 0],
    ['i % j', { i: -4, j: 2 }, 0],
    ['i / j', { i: -7, j: 2 }, -3],
    ['f', { f: 3 }, new CelDouble(3)],
    ['-f', { f: 0 }, new CelDouble(-0)],
    ['u < f', { u: 2n ** 64n - 2n, f: 2 ** 64 }, false, 'an integer beyond 2^53 is compared with a double as a double'],
    ['i < 9223372036854775808.0', { i: MAX }, false],
    ['i >= 9223372036854775808.0', { i: MAX }, true],
    ['f * 0.0 - 0.0', { f: -1 }, new CelDouble(-0)],
    ['f', { f: -0 }, new CelDouble(-0)],
    ['dyn(f)', { f: 0.5 }, 0.5],
    ['type(f)', { f: 3 }, new TypeValue('double')],
    ['type(d)', { d: 3 }, new TypeValue('int')],
    ['type(d)', { d: 3.5 }, new TypeValue('double')],
    ['d.a.b[0] == 1', { d: { a: { b: [1] } } }, true],
    ['d["k"]', { d: new Map([['k', 1n]]) }, 1],
    ['d == 1u', { d: 1 }, true],
    ['t', { t: new Date(1_700_000_000_000) }, MOMENT],
    ['t.getFullYear()', { t: new Date(1_700_000_000_500) }, 2023],
    ['d.getFullYear()', { d: new Date(1_700_000_000_500) }, 2023],
    ['t + span', { t: MOMENT, span: new Duration(60, 5) }, new Timestamp(1_700_000_060, 5)],
    ['box', { box: null }, null],
    ['box == 3', { box: 3 }, true],
    ['box == null', { box: null }, true],
    ['maybe.orValue(7)', { maybe: new Optional(undefined) }, 7],
    ['maybe.value()', { maybe: new Optional(5) }, 5],
    ['nothing == null', { nothing: null }, true],
    ['conn.server', { 'conn.server': 'edge' }, 'edge'],
    ['ints[1]', { ints: [1, 2n] }, 2],
    ['names.map(n, n + "!")', { names: ['a', 'b'] }, ['a!', 'b!']],
    ['doubles.map(x, x)', { doubles: [1, 2.5] }, [new CelDouble(1), 2.5]],
    ['doubles[0]', { doubles: [1] }, new CelDouble(1)],
    ['doubles == [1.0, 2.5]', { doubles: [1, 2.5] }, true],
    ['[doubles]', { doubles: [1] }, [[new CelDouble(1)]]],
    ['type(doubles[0])', { doubles: [1] }, new TypeValue('double')],
    ['uints.exists(x, type(x) == uint)', { uints: [1] }, true],
    ['1.0 in doubles', { doubles: [1] }, true],
    ['rows.map(r, r.map(x, x + i))', { rows: [[1, 2], [3]], i: 10 }, [[11, 12], [13]]],
    ['headers.map(k, headers[k][0]).size()', { headers: HEADERS }, 2],
    [
      'm.transformMap(k, v, v * 2)',
      { m: { a: 1, b: 2 } },
      new Map([
        ['a', 2],
        ['b', 4],
      ]),
    ],
    ['ints.transformList(n, x, n * x)', { ints: [5, 6, 7] }, [0, 6, 14]],
    ['m.all(k, v, v > 0 && k != "")', { m: { a: 1 } }, true],
  ),
  ...errors(
    ['s', {}, 'eval/no-such-variable', 's'],
    ['s == "x"', {}, 'eval/no-such-variable', 's'],
    ['s', { s: undefined }, 'eval/no-such-variable', 's'],
    ['s', { s: 5 }, 'eval/host-type', 's'],
    ['s == "5"', { s: 5 }, 'eval/host-type', 's'],
    ['i + 1', { i: 1.5 }, 'eval/host-type', 'i'],
    ['i', { i: '1' }, 'eval/host-type', 'i'],
    ['i', { i: 2n ** 63n }, 'eval/host-type', 'i'],
    ['u', { u: -1 }, 'eval/host-type', 'u'],
    ['a && true', { a: 'true' }, 'eval/host-type', 'a'],
    ['box', { box: 'x' }, 'eval/host-type', 'box'],
    ['t', { t: new Date(Number.NaN) }, 'eval/host-type', 't', 'an invalid date'],
    ['t', { t: '2026-01-01T00:00:00Z' }, 'eval/host-type', 't'],
    ['ints', { ints: 'abc' }, 'eval/host-type', 'ints'],
    ['names[0] == ""', { names: 'abc' }, 'eval/host-type', 'names'],
    ['m["length"]', { m: 'abc' }, 'eval/host-type', 'm'],
    ['m["a"]', { m: { a: 'text' } }, 'eval/host-type', 'm["a"]'],
    ['m["a"]', { m: null }, 'eval/host-type', 'm'],
    ['ints[0]', { ints: ['x'] }, 'eval/host-type', 'ints[0]'],
    ['ints.exists(x, x > 5)', { ints: [1, 'x'] }, 'eval/host-type', 'x'],
    ['req.Method', { req: 'text' }, 'eval/host-type', 'req'],
    ['req.Peer.Name', { req: { Peer: null } }, 'eval/host-type', 'req.Peer'],
    ['req.Status', { req: { Status: '200' } }, 'eval/host-type', 'req.Status'],
    ['req.Method', { req: {} }, 'eval/no-such-field', 'req.Method'],
    ['req.Method', { req: { Method: undefined } }, 'eval/no-such-field', 'req.Method'],
    ['req.Peer.Name', { req: {} }, 'eval/no-such-field', 'req.Peer'],
    ['req.Peer.Name', { req: { Peer: {} } }, 'eval/no-such-field', 'req.Peer.Name'],
    ['req.Headers["X"][0] == ""', { req: REQUEST }, 'eval/no-such-key', 'req.Headers["X"]'],
    ['req.Headers.X', { req: REQUEST }, 'eval/no-such-key', 'req.Headers.X'],
    ['req.Headers["Host"][1]', { req: REQUEST }, 'eval/index-out-of-range', 'req.Headers["Host"][1]'],
    ['req.Headers["Host"][-1]', { req: REQUEST }, 'eval/index-out-of-range', 'req.Headers["Host"][-1]'],
    ['ints[i]', { ints: [1], i: 2n ** 60n }, 'eval/index-out-of-range', 'ints[i]'],
    ['m[s]', { m: {}, s: 'k' }, 'eval/no-such-key', 'm[s]'],
    ['d.k', { d: {} }, 'eval/no-such-key', 'd.k'],
    ['d.k', { d: 5 }, 'eval/no-matching-overload', 'd.k'],
    ['d[0]', { d: 'text' }, 'eval/no-matching-overload', 'd[0]'],
    ['d + 1', { d: 'text' }, 'eval/no-matching-overload', 'd + 1'],
    ['d < e', { d: 1, e: 'x' }, 'eval/no-matching-overload', 'd < e'],
    ['d.startsWith("x")', { d: 1 }, 'eval/no-matching-overload', 'd.startsWith("x")'],
    ['i + d', { i: 1, d: 1.5 }, 'eval/no-matching-overload', 'i + d'],
    ['d', { d: () => 1 }, 'eval/host-type', 'd'],
    ['i + 1', { i: MAX }, 'eval/overflow', 'i + 1'],
    ['-i', { i: MIN }, 'eval/overflow', '-i'],
    ['i / j', { i: MIN, j: -1 }, 'eval/overflow', 'i / j'],
    ['u - 1u', { u: 0 }, 'eval/overflow', 'u - 1u'],
    ['i / j', { i: 1, j: 0 }, 'eval/division-by-zero', 'i / j'],
    ['i % j', { i: 1, j: 0 }, 'eval/division-by-zero', 'i % j'],
    ['s.matches(names[0])', { s: '', names: ['('] }, 'regex/invalid-pattern', 's.matches(names[0])'],
    ['{s: 1, "a": 2}', { s: 'a' }, 'eval/duplicate-key', '"a": 2'],
    ['timestamp(s)', { s: 'x' }, 'eval/invalid-conversion', 'timestamp(s)'],
  ),
];

const PROTOTYPES: readonly ContractCase[] = [
  ...values(
    ['m["constructor"]', { m: OWN }, 2],
    ['m["__proto__"]', { m: OWN }, 1],
    ['has(m.constructor)', { m: {} }, false],
    ['"toString" in m', { m: {} }, false],
    ['"__proto__" in m', { m: OWN }, true],
    ['constructor', { constructor: 'own' }, 'own'],
    ['has(d.constructor)', { d: {} }, false],
    ['d == {"a": 1}', { d: { a: 1 } }, true],
    ['{"__proto__": 1}["__proto__"]', {}, 1],
    ['{"constructor": 1}.constructor', {}, 1],
    ['req.constructor', { req: { constructor: 'own' } }, 'own'],
    ['req.value', { req: { value: 'own' } }, 'own'],
  ),
  ...errors(
    ['m["constructor"]', { m: {} }, 'eval/no-such-key', 'm["constructor"]'],
    ['m.__proto__', { m: {} }, 'eval/no-such-key', 'm.__proto__'],
    ['m["hasOwnProperty"]', { m: new Map() }, 'eval/no-such-key', 'm["hasOwnProperty"]'],
    ['m["size"]', { m: new Map() }, 'eval/no-such-key', 'm["size"]'],
    ['constructor', {}, 'eval/no-such-variable', 'constructor'],
    ['toString', {}, 'eval/no-such-variable', 'toString'],
    ['d.constructor', { d: {} }, 'eval/no-such-key', 'd.constructor'],
    ['req.constructor', { req: {} }, 'eval/no-such-field', 'req.constructor'],
    ['req.value', { req: new Timestamp(0, 0) }, 'eval/host-type', 'req'],
  ),
];

const PRESENCE: readonly ContractCase[] = [
  ...values(
    ['has(req.Method)', { req: REQUEST }, true],
    ['has(req.Method)', { req: {} }, false],
    ['has(req.Method)', { req: { Method: undefined } }, false],
    ['has(req.Headers.Host)', { req: REQUEST }, true],
    ['has(req.Headers.X)', { req: REQUEST }, false],
    ['has(d.a)', { d: { a: null } }, true],
    ['has(d.a)', { d: new Map() }, false],
    ['"X" in req.Headers', { req: REQUEST }, false],
    ['"Host" in req.Headers', { req: REQUEST }, true],
    ['"Host" in req.Headers', { req: { Headers: PARTIAL } }, true],
    ['"Via" in req.Headers', { req: { Headers: { Via: X } } }, true],
    ['has(req.Headers.Host)', { req: { Headers: PARTIAL } }, true],
    ['req.Headers["Host"][0]', { req: { Headers: PARTIAL } }, 'example.org'],
    ['req.Headers.?X.orValue(["none"])[0]', { req: REQUEST }, 'none'],
    ['req.Headers[?"Host"].hasValue()', { req: REQUEST }, true],
    ['names[?1].hasValue()', { names: ['x'] }, false],
  ),
  ...errors(
    ['has(req.Peer.Name)', { req: {} }, 'eval/no-such-field', 'req.Peer'],
    ['has(req.Status)', { req: { Status: 'x' } }, 'eval/host-type', 'has(req.Status)'],
    ['has(d.a)', { d: 5 }, 'eval/no-matching-overload', 'has(d.a)'],
  ),
];

const UNKNOWN: readonly ContractCase[] = [
  ...unknowns(
    ['s', { s: X }, ['x']],
    ['s == "a"', { s: X }, ['x']],
    ['s != "a"', { s: X }, ['x']],
    ['i + j', { i: X, j: Y }, ['x'], 'left to right'],
    ['i < 5', { i: X }, ['x']],
    ['s in ["a", "b"]', { s: X }, ['x']],
    ['i in [1, 2, 3]', { i: X }, ['x']],
    ['i in ints', { i: 1, ints: X }, ['x']],
    ['s.contains("a")', { s: X }, ['x']],
    ['s.matches("^a+$")', { s: X }, ['x']],
    ['size(s)', { s: X }, ['x']],
    ['size(s) < 3', { s: X }, ['x']],
    ['d.a.b', { d: X }, ['x']],
    ['req.Method', { req: X }, ['x']],
    ['req.Method == "GET"', { req: { Method: X } }, ['x']],
    ['has(req.Method)', { req: { Method: X } }, ['x']],
    ['has(req.Method)', { req: { [REST_UNKNOWN]: 'req' } }, ['req.Method']],
    ['req.Method', { req: { [REST_UNKNOWN]: 'req' } }, ['req.Method']],
    ['req.Peer.Name == "x"', { req: { [REST_UNKNOWN]: 'req' } }, ['req.Peer']],
    ['req.Headers["X-Key"][0] == "a"', { req: { Headers: PARTIAL } }, ['req.Headers["X-Key"]']],
    ['"Via" in req.Headers', { req: { Headers: { Via: new UnknownPresence(['x']) } } }, ['x']],
    ['has(req.Headers.Via)', { req: { Headers: { Via: new UnknownPresence(['x']) } } }, ['x']],
    ['"X-Key" in req.Headers', { req: { Headers: PARTIAL } }, ['req.Headers["X-Key"]']],
    ['has(req.Headers.Cookie)', { req: { Headers: PARTIAL } }, ['req.Headers["Cookie"]']],
    ['req.Headers[?"Cookie"].hasValue()', { req: { Headers: PARTIAL } }, ['req.Headers["Cookie"]']],
    ['req.Headers.?Cookie.orValue([]) == []', { req: { Headers: PARTIAL } }, ['req.Headers["Cookie"]']],
    ['d["k"]', { d: { [REST_UNKNOWN]: 'd' } }, ['d["k"]']],
    ['d.k', { d: { [REST_UNKNOWN]: 'd' } }, ['d["k"]']],
    ['size(req.Headers)', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['req.Headers == {}', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['req.Headers', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['[req.Headers]', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['req', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['req.Headers.all(k, k != "")', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['d == 1', { d: { [REST_UNKNOWN]: 'd' } }, ['d']],
    ['names[1]', { names: ['a', X] }, ['x']],
    ['(a ? req.Headers : {}).size()', { a: true, req: { Headers: PARTIAL } }, ['req.Headers']],
    ['[req.Headers][0]["X"]', { req: { Headers: PARTIAL } }, ['req.Headers["X"]']],
    ['[[req.Headers]].size()', { req: { Headers: PARTIAL } }, ['req.Headers']],
    ['[req.Headers].map(h, h["X"])', { req: { Headers: PARTIAL } }, ['req.Headers["X"]']],
    ['[d][?i].hasValue()', { d: { [REST_UNKNOWN]: 'd' }, i: X }, ['x']],
    ['{"k": d}.k', { d: { [REST_UNKNOWN]: 'd' } }, ['d']],
    ['names == ["a"]', { names: ['a', X] }, ['x']],
    ['"b" in names', { names: ['a', X] }, ['x']],
    ['names.exists(n, n == "b")', { names: ['a', X] }, ['x']],
    ['names.all(n, n == "a")', { names: ['a', X] }, ['x']],
    ['names.map(n, n + "!")', { names: ['a', X] }, ['x']],
    ['names.filter(n, n == "a")', { names: ['a', X] }, ['x']],
    ['names.exists_one(n, n == "a")', { names: ['a', X] }, ['x']],
    ['ints.exists(n, n > 1)', { ints: X }, ['x']],
    ['a ? 1 : 2', { a: X }, ['x']],
    ['true ? i : 2', { i: X }, ['x']],
    ['[i]', { i: X }, ['x']],
    ['{"a": i}', { i: X }, ['x']],
    ['cel.bind(v, i, v + 1)', { i: X }, ['x']],
    ['a && b', { a: X, b: Y }, ['x', 'y']],
    ['a && b', { a: Y, b: X }, ['x', 'y']],
    ['a && b && c', { a: X, b: X, c: true }, ['x']],
    ['a || b', { a: X, b: Y }, ['x', 'y']],
    ['a && b', { a: true, b: X }, ['x']],
    ['a || b', { a: false, b: X }, ['x']],
    ['a && 1 / i == 1', { a: X, i: 0 }, ['x'], 'unknown before error'],
    ['1 / i == 1 && a', { a: X, i: 0 }, ['x'], 'unknown before error'],
    ['1 / i == 1 || a', { a: X, i: 0 }, ['x'], 'unknown before error'],
    ['!a', { a: X }, ['x']],
    ['names.exists(n, n == s)', { names: ['a', 'b'], s: X }, ['x']],
    ['names.exists(n, n == s) && a', { names: ['a', 'b'], s: X, a: Y }, ['x', 'y']],
  ),
  ...values(
    ['a && b', { a: X, b: false }, false],
    ['a && b', { a: false, b: X }, false],
    ['a || b', { a: X, b: true }, true],
    ['a || b || c', { a: X, b: Y, c: true }, true],
    ['a && b && c', { a: X, b: true, c: false }, false],
    ['true ? 1 : i', { i: X }, 1],
    ['"a" in names', { names: [X, 'a'] }, true],
    ['names.exists(n, n == "a")', { names: [X, 'a'] }, true],
    ['names.all(n, n == "b")', { names: [X, 'a'] }, false],
    ['size(names)', { names: [] }, 0],
    ['cel.bind(v, i, 5)', { i: X }, 5, 'a value that is not read'],
    ['d.k', { d: { k: 1, [REST_UNKNOWN]: 'd' } }, 1],
    ['[req.Headers][0]["Host"]', { req: { Headers: PARTIAL } }, ['example.org']],
    ['(a ? req.Headers : {})["Host"]', { a: true, req: { Headers: PARTIAL } }, ['example.org']],
    ['{"k": [d]}.k[0].a', { d: { a: 1, [REST_UNKNOWN]: 'd' } }, 1],
    ['[d][?0].orValue({}).a', { d: { a: 1 } }, 1],
    ['maybe.orValue(i)', { maybe: new Optional(1), i: X }, 1],
  ),
  ...errors(['1 / i + j', { i: 0, j: X }, 'eval/division-by-zero', '1 / i', 'left to right']),
];

const ABSORPTION: readonly ContractCase[] = [
  ...values(
    ['1 / i == 1 || true', { i: 0 }, true],
    ['true || 1 / i == 1', { i: 0 }, true],
    ['1 / i == 1 && false', { i: 0 }, false],
    ['req.Headers["X"][0] == "a" || req.Method == "GET"', { req: REQUEST }, true],
    ['req.Headers["X"][0] == "a" || req.Headers["Y"][0] == "a" || req.Method == "GET"', { req: REQUEST }, true],
    ['a && b && c && i > 0 && false', { a: true, b: true, c: true, i: 'x' }, false],
    ['!(1 / i == 1 && false)', { i: 0 }, true],
    ['[0, 1].exists(x, 1 / x == 1)', {}, true],
    ['[1, 2].exists_one(x, true || [b][10] == a)', { a: true, b: true }, false],
    ['[1, 2].map(x, true || [b][10] == a)', { a: true, b: true }, [true, true]],
    ['[1, 2].all(x, true || m["k"] == x)', { m: {} }, true],
    ['[0, 1].all(x, 1 / x == 2)', {}, false],
    ['[1, 0].exists(x, 1 / x == 1)', {}, true],
    ['cel.bind(v, 1 / i, true)', { i: 0 }, true],
    ['a ? 1 : 1 / i', { a: true, i: 0 }, 1],
    ['{"k": 1}.?k.orValue(1 / i)', { i: 0 }, 1],
    ['optional.of(1).or(optional.of(1 / i)).value()', { i: 0 }, 1],
    ['d || true', { d: 5 }, true, 'an operand that is no truth value is an error'],
    ['d && false', { d: 'x' }, false],
  ),
  ...errors(
    ['1 / i == 1 || 2 % i == 1', { i: 0 }, 'eval/division-by-zero', '1 / i', 'the first error'],
    ['1 / i == 1 || false', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['false || 1 / i == 1', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['true && 1 / i == 1 && true', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['!(1 / i == 1)', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['1 / i == 1 ? 1 : 2', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['[1, 0].all(x, 1 / x == 1)', {}, 'eval/division-by-zero', '1 / x'],
    ['[1, 0].map(x, 1 / x)', {}, 'eval/division-by-zero', '1 / x'],
    ['[1, 0].filter(x, 1 / x == 1)', {}, 'eval/division-by-zero', '1 / x'],
    ['[1, 0].exists_one(x, 1 / x == 1)', {}, 'eval/division-by-zero', '1 / x'],
    ['[1 / i, 2 % i]', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['{"a": 1 / i}', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['size([1 / i])', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['cel.bind(v, 1 / i, v == v)', { i: 0 }, 'eval/division-by-zero', '1 / i'],
    ['d && true', { d: 5 }, 'eval/no-matching-overload', 'd && true'],
    ['d ? 1 : 2', { d: 5 }, 'eval/no-matching-overload', 'd ? 1 : 2'],
    ['!d', { d: 5 }, 'eval/no-matching-overload', '!d'],
  ),
];

const UNCHECKED: readonly ContractCase[] = [
  ...values(
    ['absent || true', {}, true],
    ['f(1) || true', {}, true],
    ['1 == "a"', {}, false],
    ['size(d)', { d: 'ab' }, 2],
  ),
  ...errors(
    ['absent', {}, 'eval/undeclared-reference', 'absent'],
    ['absent.b', {}, 'eval/undeclared-reference', 'absent'],
    ['f(1)', {}, 'eval/undeclared-reference', 'f(1)'],
    ['"a".matches("(")', {}, 'regex/invalid-pattern', '"a".matches("(")'],
    ['1 + "a"', {}, 'eval/no-matching-overload', '1 + "a"'],
    ['size(1)', {}, 'eval/no-matching-overload', 'size(1)'],
    ['size()', {}, 'eval/no-matching-overload', 'size()'],
    ['1.startsWith("a")', {}, 'eval/no-matching-overload', '1.startsWith("a")'],
    ['"a" && true', {}, 'eval/no-matching-overload', '"a" && true'],
    ['[1].exists(x, x)', {}, 'eval/no-matching-overload', '[1].exists(x, x)'],
    ['5.map(x, x)', {}, 'eval/no-matching-overload', '5.map(x, x)'],
  ),
].map(each => ({ ...each, unchecked: true }));

const TEN = { ints: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] };

function limited(
  expression: string,
  limits: Partial<Limits>,
  expected: Expected,
  activation: Activation = TEN,
): ContractCase {
  return { expression, activation, limits, expected, note: JSON.stringify(limits) };
}

const LIMITS: readonly ContractCase[] = [
  limited('ints.all(x, x > 0)', { maxSteps: 10 }, { value: true }),
  limited('ints.all(x, x > 0)', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.all(x, x > 0)' }),
  limited('ints.exists(x, x > 4)', { maxSteps: 5 }, { value: true }),
  limited('ints.map(x, x * 2).size()', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.map(x, x * 2)' }),
  limited('ints.map(x, x).map(x, x).size()', { maxSteps: 20 }, { value: 10 }),
  limited(
    'ints.map(x, x).map(x, x).size()',
    { maxSteps: 19 },
    { error: 'limit/steps', at: 'ints.map(x, x).map(x, x)' },
  ),
  limited('ints.all(x, ints.all(y, x > 0))', { maxSteps: 110 }, { value: true }),
  limited('ints.all(x, ints.all(y, x > 0))', { maxSteps: 109 }, { error: 'limit/steps', at: 'ints.all(y, x > 0)' }),
  limited('ints.filter(x, x > 5).size()', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.filter(x, x > 5)' }),
  limited('ints.exists_one(x, x == 5)', { maxSteps: 9 }, { error: 'limit/steps', at: 'ints.exists_one(x, x == 5)' }),
  limited('ints.map(x, x)', { maxCollectionSize: 9 }, { error: 'limit/collection-size', at: 'ints.map(x, x)' }),
  limited('ints + ints', { maxCollectionSize: 19 }, { error: 'limit/collection-size', at: 'ints + ints' }),
  limited('s + s', { maxTextLength: 5 }, { error: 'limit/text-length', at: 's + s' }, { s: 'abc' }),
  limited('s + s', { maxTextLength: 6 }, { value: 'abcabc' }, { s: 'abc' }),
];

export const CASES: Readonly<Record<string, readonly ContractCase[]>> = {
  'reads host data in place': HOST_DATA,
  'reads own properties only': [
    ...PROTOTYPES,
    ...errors(['d.Method', { d: new Inherits() }, 'eval/no-such-key', 'd.Method', 'an inherited getter']),
  ],
  'tells presence': PRESENCE,
  'carries unknowns': UNKNOWN,
  'absorbs errors': ABSORPTION,
  'fails at run time what was not checked': UNCHECKED,
  'keeps to limits': LIMITS,
};
