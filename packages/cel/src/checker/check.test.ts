import { describe, expect, test } from 'vitest';
import type { FunctionDecl, Reference } from '../ast/ast.ts';
import {
  BOOL,
  DOUBLE,
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  objectType,
  paramType,
  STRING,
  TIMESTAMP,
  type Type,
  wrapperOf,
} from '../ast/types.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { check } from './check.ts';
import { createEnvironment, type EnvironmentOptions } from './environment.ts';

const OPTIONS: EnvironmentOptions = {
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'tags', type: listOf(STRING) },
    { name: 'count', type: INT },
    { name: 'ratio', type: DOUBLE },
    { name: 'any', type: DYN },
    { name: 'maybe', type: wrapperOf(INT) },
    { name: 'edge.region.name', type: STRING },
    { name: 'some', type: listOf(paramType('T')) },
  ],
  objects: [
    {
      name: 'Request',
      fields: new Map([
        ['Method', { type: STRING }],
        ['Headers', { type: mapOf(STRING, listOf(STRING)) }],
        ['Time', { type: TIMESTAMP }],
        ['Secure', { type: BOOL }],
      ]),
    },
  ],
};
const ENV = createEnvironment({ libraries: EXTENSION_LIBRARIES, ...OPTIONS });

function diagnose(source: string, env = ENV): string[] {
  const { ast, diagnostics } = parse(source, env);
  expect(diagnostics).toEqual([]);
  return check(ast, env).diagnostics.map(({ code, range, message }) => {
    return `${code} at ${source.slice(range.start, range.end)}: ${message}`;
  });
}

function typeOfSource(source: string, env = ENV): string {
  expect(diagnose(source, env)).toEqual([]);
  return formatType(check(parse(source, env).ast, env).typed.resultType);
}

describe('types', () => {
  test.each([
    ['req.Headers', 'map(string, list(string))'],
    ['req.Headers["a"][0].size() + count', 'int'],
    ['req.Headers[?"a"]', 'optional_type(list(string))'],
    ['req.?Method', 'optional_type(string)'],
    ['req.?Headers.a[?0].orValue("")', 'string'],
    ['has(req.Method) ? 1 : 2', 'int'],
    ['[1, 2.0]', 'list(dyn)'],
    ['[maybe, 1]', 'list(wrapper(int))'],
    ['[1, maybe]', 'list(wrapper(int))'],
    ['[null, req]', 'list(Request)'],
    ['[{1: any}, {any: 1}]', 'list(map(dyn, dyn))'],
    ['{"a": [], "b": [1]}', 'map(string, list(int))'],
    ['maybe + 1', 'int'],
    ['any + 1', 'int'],
    ['any + any', 'dyn'],
    ['tags + any', 'list(dyn)'],
    ['(tags + any)[0] == 1', 'bool'],
    ['req.Headers[any]', 'list(string)'],
    ['size(any)', 'int'],
    ['any.a.b[0]', 'dyn'],
    ['1 < 2.0', 'bool'],
    ['type(req.Time) == google.protobuf.Timestamp', 'bool'],
    ['[type(1), type("a")]', 'list(type(dyn))'],
    ['type([]) == int', 'bool'],
    ['json.parse("1", uint)', 'optional_type(uint)'],
    ['json.parse("1", map).value().a', 'dyn'],
    ['json.parse("1", type(any))', 'optional_type(dyn)'],
    ['tags.map(t, t.size())', 'list(int)'],
    ['tags.exists_one(i, t, i > 0 && t == "a")', 'bool'],
    ['req.Headers.transformMap(k, v, v.size())', 'map(string, int)'],
    ['req.Headers.map(k, k + "x")', 'list(string)'],
    ['cel.bind(all, tags + ["x"], all[0] + all[1])', 'string'],
    ['cel.block([1, [cel.index(0) + 1]], cel.index(1)[0] * 2)', 'int'],
    ['some[0]', 'dyn'],
    ['some + [1]', 'list(int)'],
    ['edge.region.name.startsWith("eu")', 'bool'],
    ['math.greatest(1, 2)', 'int'],
    ['ip("10.0.0.1")', 'net.IP'],
  ])('%s is a %s', (source, type) => {
    expect(typeOfSource(source)).toBe(type);
  });
});

const NO_OPTIONALS = createEnvironment({ ...OPTIONS, libraries: [] });
const OPTIONALS_OFF = 'optional syntax needs the optionals library, which is disabled';
const SAME_TYPES = createEnvironment({ libraries: EXTENSION_LIBRARIES, ...OPTIONS, crossTypeComparisons: false });

describe('diagnostics', () => {
  test.each<[string, string[]]>([
    ['foo == 1', ['name/undeclared-reference at foo: `foo` is not declared']],
    [
      'req.method == "GET"',
      ['name/undeclared-field at method: `Request` has no field `method`; did you mean `Method`?'],
    ],
    [
      'req.Metod.size() > 1',
      ['name/undeclared-field at Metod: `Request` has no field `Metod`; did you mean `Method`?'],
    ],
    ['[1].all(item, itm > 0)', ['name/undeclared-reference at itm: `itm` is not declared; did you mean `item`?']],
    [
      'foo.bar + foo.baz',
      [
        'name/undeclared-reference at foo: `foo` is not declared',
        'name/undeclared-reference at foo: `foo` is not declared',
      ],
    ],
    ['frobnicate(1)', ['name/undeclared-function at frobnicate: unknown function `frobnicate`']],
    [
      'tags.contians("a")',
      ['name/undeclared-function at contians: unknown method `contians`; did you mean `contains`?'],
    ],
    ['tags.map(t, t).filtr(1)', ['name/undeclared-function at filtr: unknown method `filtr`; did you mean `filter`?']],
    ['math.absolute(-1)', ['name/undeclared-function at math.absolute: unknown function `math.absolute`']],
    ['math.abz(-1)', ['name/undeclared-function at math.abz: unknown function `math.abz`; did you mean `math.abs`?']],
    ['req.Methods', ['name/undeclared-field at Methods: `Request` has no field `Methods`; did you mean `Method`?']],
    ['req.Method.length', ['type/no-fields at length: expected a map or an object before `.length`, found string']],
    ['count.x', ['type/no-fields at x: expected a map or an object before `.x`, found int']],
    [
      '1 + "a"',
      ['type/no-matching-overload at +: no overload of `+` takes (int, string); expected int + int or string + string'],
    ],
    [
      '"a" + 1 + true',
      ['type/no-matching-overload at +: no overload of `+` takes (string, int); expected int + int or string + string'],
    ],
    [
      'tags.contains("a")',
      [
        'type/no-matching-overload at contains: no overload of `contains` takes (list(string), string); expected string.contains(string)',
      ],
    ],
    ['-"a"', ['type/no-matching-overload at -: no overload of `-` takes (string); expected -int or -double']],
    ['!count', ['type/no-matching-overload at !: no overload of `!` takes (int); expected !bool']],
    [
      'count && "a" || true',
      ['type/mismatch at count: expected bool, found int', 'type/mismatch at "a": expected bool, found string'],
    ],
    ['count ? 1 : 2', ['type/mismatch at count: expected bool, found int']],
    [
      'true ? 1 : "a"',
      ['type/no-matching-overload at ?: the branches of `?:` must have one type, found int and string'],
    ],
    ['req.Method == 1', ['type/no-matching-overload at ==: `==` compares values of one type, found string and int']],
    [
      'req.Method in "GET"',
      [
        'type/no-matching-overload at in: no overload of `in` takes (string, string); expected A in list(A) or A in map(A, B)',
      ],
    ],
    [
      'tags["a"]',
      [
        'type/no-matching-overload at ["a"]: no overload of `[]` takes (list(string), string); expected list(A)[int] or map(A, B)[A] or optional_type(map(K, V))[K]',
      ],
    ],
    [
      'size(1)',
      [
        'type/no-matching-overload at size: no overload of `size` takes (int); expected size(string) or size(bytes) or size(list(A))',
      ],
    ],
    ['size()', ['type/wrong-argument-count at size: `size` takes 1 argument, found 0']],
    [
      'contains("a", "b")',
      ['type/wrong-call-form at contains: `contains` is the method `target.contains(…)`, but is called as a function'],
    ],
    ['"a".size("b")', ['type/wrong-argument-count at size: `size` takes 0 arguments, found 1']],
    // A macro that does not exist: one error, not one for each name that it would declare.
    ['[2, 1].reduce(a, b, a + b)', ['name/undeclared-function at reduce: unknown method `reduce`']],
    ['[2, 1].sort(a, b, a < b)', ['type/wrong-argument-count at sort: `sort` takes 0 arguments, found 3']],
    ['"abc".int()', ['type/wrong-call-form at int: `int` is the function `int(…)`, but is called as a method']],
    ['[1, 2].exists(i, i)', ['type/mismatch at i: expected bool, found int']],
    ['count.all(x, true)', ['type/not-iterable at count: expected a list or map to iterate over, found int']],
    ['tags.filter(t, t.size())', ['type/mismatch at t.size(): expected bool, found int']],
    [
      '{[]: 1, 1.5: 2}',
      [
        'type/map-key at []: a map key must be a bool, int, uint or string, found list(dyn)',
        'type/map-key at 1.5: a map key must be a bool, int, uint or string, found double',
      ],
    ],
    ['[?count]', ['type/mismatch at count: expected optional_type(int), found int']],
    ['{?"a": 1}', ['type/mismatch at 1: expected optional_type(int), found int']],
    ['Msg{a: 1}', ['type/unknown-type at Msg: `Msg` is not a type with fields']],
    [
      'Reqest{Method: "GET"}',
      ['type/unknown-type at Reqest: `Reqest` is not a type with fields; did you mean `Request`?'],
    ],
    [
      'Request{Metod: "GET"}',
      ['name/undeclared-field at Metod: `Request` has no field `Metod`; did you mean `Method`?'],
    ],
    ['Request{Method: 1}', ['type/mismatch at 1: expected string, found int']],
    [
      'req[0]',
      [
        'type/no-matching-overload at [0]: no overload of `[]` takes (Request, int); expected list(A)[int] or map(A, B)[A] or optional_type(list(V))[int]',
      ],
    ],
    [
      'foo + 1 == "a" && req.Method.contains(1) && bar',
      [
        'name/undeclared-reference at foo: `foo` is not declared',
        'type/no-matching-overload at contains: no overload of `contains` takes (string, int); expected string.contains(string)',
        'name/undeclared-reference at bar: `bar` is not declared',
      ],
    ],
    [
      '"a".startsWith(1)',
      [
        'type/no-matching-overload at startsWith: no overload of `startsWith` takes (string, int); expected string.startsWith(string)',
      ],
    ],
    ['ip("10.0.0.1").famly()', ['name/undeclared-function at famly: unknown method `famly`; did you mean `family`?']],
    [
      'tags.join(1)',
      [
        'type/no-matching-overload at join: no overload of `join` takes (list(string), int); expected list(string).join(string)',
      ],
    ],
    [
      'timestamp("2026-01-01T00:00:00Z") + 1',
      [
        'type/no-matching-overload at +: no overload of `+` takes (timestamp, int); expected int + int or timestamp + duration',
      ],
    ],
    [
      'cel.bind(x, 1, x + "a")',
      ['type/no-matching-overload at +: no overload of `+` takes (int, string); expected int + int or string + string'],
    ],
    [
      'edge.region.nam',
      [
        'name/undeclared-reference at edge.region.nam: `edge.region.nam` is not declared; did you mean `edge.region.name`?',
      ],
    ],
  ])('%s', (source, expected) => {
    expect(diagnose(source)).toEqual(expected);
  });
});

describe('an environment', () => {
  test.each<[string, string[]]>([
    ['tags[?0]', [`type/optional-syntax at [: ${OPTIONALS_OFF}`]],
    ['req.?Method', [`type/optional-syntax at ?: ${OPTIONALS_OFF}`]],
    ['[?1]', [`type/optional-syntax at 1: ${OPTIONALS_OFF}`]],
    ['ip("10.0.0.1")', ['name/undeclared-function at ip: unknown function `ip`']],
  ])('rejects %s without extension libraries', (source, expected) => {
    expect(diagnose(source, NO_OPTIONALS)).toEqual(expected);
  });

  test('can require operands of one type, except for dynamic values', () => {
    const message = 'no overload of `<` takes (int, double); expected int < int or double < double';
    expect(diagnose('1 < 2.0', SAME_TYPES)).toEqual([`type/no-matching-overload at <: ${message}`]);
    expect(typeOfSource('any < 2.0', SAME_TYPES)).toBe('bool');
  });

  test('resolves names in its container first, and at the root after a leading dot', () => {
    const env = createEnvironment({
      libraries: EXTENSION_LIBRARIES,
      container: 'a.b',
      variables: [
        { name: 'a.b.x', type: INT },
        { name: 'a.x', type: STRING },
        { name: 'x', type: BOOL },
        { name: 'a.y.z', type: STRING },
      ],
      functions: [declareFunction('a.f', INT), declareFunction('f', STRING)],
    });
    expect(typeOfSource('x', env)).toBe('int');
    expect(typeOfSource('.a.x', env)).toBe('string');
    expect(typeOfSource('.x', env)).toBe('bool');
    expect(typeOfSource('y.z', env)).toBe('string');
    expect(typeOfSource('f()', env)).toBe('int');
    expect(typeOfSource('[true].map(x, x)', env)).toBe('list(bool)');
    expect(typeOfSource('[{"z": 1}].map(y, y.z)', env)).toBe('list(int)');
  });
});

describe('references', () => {
  const referencesOf = (source: string): (string | undefined)[] => {
    const { ast } = parse(source, ENV);
    return check(ast, ENV).typed.references.flatMap(reference => (reference ? [describeReference(reference)] : []));
  };

  test.each([
    ['req.Method == "GET"', ['variable req', 'function _==_ equals']],
    ['edge.region.name', ['variable edge.region.name']],
    ['int', ['type int']],
    ['math.abs(count)', ['function math.abs math_abs_int', 'variable count']],
    ['size(any)', ['function size size_string|size_bytes|size_list|size_map', 'variable any']],
  ])('%s', (source, expected) => {
    expect(referencesOf(source).toSorted()).toEqual(expected.toSorted());
  });
});

function describeReference(reference: Reference): string {
  switch (reference.kind) {
    case 'variable':
      return `variable ${reference.name}`;
    case 'local':
      return `local ${reference.name}`;
    case 'type':
      return `type ${formatType(reference.type)}`;
    case 'function':
      return `function ${reference.name} ${reference.overloads.map(({ id }) => id).join('|')}`;
  }
}

function declareFunction(name: string, result: Type): FunctionDecl {
  return { name, doc: '', overloads: [{ id: name, member: false, params: [], result }] };
}

test('suggests the closest name as a fix and in args', () => {
  const { ast } = parse('req.method', ENV);
  expect(check(ast, ENV).diagnostics).toEqual([
    {
      code: 'name/undeclared-field',
      severity: 'error',
      message: '`Request` has no field `method`; did you mean `Method`?',
      uri: '',
      range: { start: 4, end: 10 },
      args: { field: 'method', type: 'Request', suggestion: 'Method' },
      fixes: [
        {
          title: 'change to `Method`',
          applicability: 'safe',
          edits: [{ range: { start: 4, end: 10 }, newText: 'Method' }],
        },
      ],
    },
  ]);
});

test('reports that diagnostics were left out beyond the limit', () => {
  const env = createEnvironment({ libraries: EXTENSION_LIBRARIES, limits: { maxDiagnostics: 3 } });
  const { diagnostics } = check(parse('a + b + c + d', env).ast, env);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['name/undeclared-reference', '`a` is not declared'],
    ['name/undeclared-reference', '`b` is not declared'],
    ['limit/diagnostics', 'only the first 2 of 4 diagnostics are shown'],
  ]);
});

test('reports nothing inside error nodes', () => {
  const { ast } = parse('req.Method == && foo', ENV);
  expect(check(ast, ENV).diagnostics.map(({ message }) => message)).toEqual(['`foo` is not declared']);
});
