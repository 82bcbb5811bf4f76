import {
  type Activation,
  BOOL,
  createEnvironment,
  DOUBLE,
  DURATION,
  DYN,
  EXTENSION_LIBRARIES,
  INT,
  type Limits,
  listOf,
  mapOf,
  NULL,
  objectType,
  optionalOf,
  partialMap,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  Unknown,
  wrapperOf,
} from '@tollgate/cel';

/** The outcome of an expression: a tagged value, an error at a part of the source, or the unknown inputs. */
export type Expected =
  | { readonly value: unknown }
  | { readonly error: string; readonly at: string }
  | { readonly unknown: readonly string[] };

/** An expression, its input, and the outcome that every evaluator must have. */
export interface ContractCase {
  readonly expression: string;
  readonly activation?: Activation;
  readonly expected: Expected;
  readonly note?: string;
  readonly limits?: Partial<Limits>;
  /** Run without checking. */
  readonly unchecked?: boolean;
}

function variables(types: Readonly<Record<string, Type>>) {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

function fields(types: Readonly<Record<string, Type>>) {
  return new Map(Object.entries(types).map(([name, type]) => [name, { type }]));
}

export const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
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
    users: listOf(mapOf(STRING, mapOf(STRING, INT))),
    tokens: listOf(mapOf(STRING, DYN)),
    peers: listOf(objectType('Peer')),
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

/** Cases that return a value. */
export function values(...rows: readonly Row[]): ContractCase[] {
  return rows.map(([expression, activation, value, note]) => ({
    expression,
    activation,
    expected: { value },
    ...(note === undefined ? {} : { note }),
  }));
}

type ErrorRow = readonly [expression: string, activation: Activation, error: string, at: string, note?: string];

/** Cases that return an error, with the part of the source that fails. */
export function errors(...rows: readonly ErrorRow[]): ContractCase[] {
  return rows.map(([expression, activation, error, at, note]) => ({
    expression,
    activation,
    expected: { error, at },
    ...(note === undefined ? {} : { note }),
  }));
}

type UnknownRow = readonly [expression: string, activation: Activation, unknown: readonly string[], note?: string];

/** Cases that depend on unknown inputs. */
export function unknowns(...rows: readonly UnknownRow[]): ContractCase[] {
  return rows.map(([expression, activation, unknown, note]) => ({
    expression,
    activation,
    expected: { unknown },
    ...(note === undefined ? {} : { note }),
  }));
}

export const X = new Unknown(['x']);
export const Y = new Unknown(['y']);
export const MIN = -(2n ** 63n);
export const MAX = 2n ** 63n - 1n;
export const HEADERS = { Host: ['example.org'], Accept: ['a', 'b'] };
export const PARTIAL = partialMap({ Host: ['example.org'] }, 'req.Headers');
export const REQUEST = {
  Method: 'GET',
  Status: 200,
  Size: 5,
  Rate: 2,
  Headers: HEADERS,
  Tags: ['x'],
  Peer: { Name: 'p', Port: 1 },
};
