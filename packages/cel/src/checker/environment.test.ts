import { describe, expect, test } from 'vitest';
import type { FunctionDecl } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../ast/types.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { compileToJavaScript } from '../codegen/compile.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { MATH_LIBRARY } from '../library/math.ts';
import type { Implementation } from '../runtime/context.ts';
import { parse } from '../syntax/parse.ts';
import { check } from './check.ts';
import { createEnvironment, extendEnvironment } from './environment.ts';

function declare(name: string, id: string, params: readonly Type[] = []): FunctionDecl {
  return { name, doc: '', overloads: [{ id, member: false, params, result: INT }] };
}

describe('createEnvironment', () => {
  test('always includes the standard library, and the given extensions', () => {
    const all = createEnvironment({ libraries: EXTENSION_LIBRARIES });
    const none = createEnvironment({ libraries: [] });
    const math = createEnvironment({ libraries: [MATH_LIBRARY] });
    const has = (name: string): boolean[] => [all, none, math].map(env => env.functions.has(name));
    expect(has('size')).toEqual([true, true, true]);
    expect(has('math.abs')).toEqual([true, false, true]);
    expect(has('ip')).toEqual([true, false, false]);
    expect([...none.typeNames].includes('int')).toBe(true);
    expect([all, none].map(env => env.macros.has('bind:true:3'))).toEqual([true, false]);
    expect([all, none].map(env => env.macros.has('map:true:2'))).toEqual([true, true]);
  });

  test('accepts individual limits', () => {
    expect(createEnvironment({ libraries: EXTENSION_LIBRARIES, limits: { maxDepth: 3 } }).limits).toEqual({
      ...DEFAULT_LIMITS,
      maxDepth: 3,
    });
  });

  test('merges overloads that are declared separately', () => {
    const env = createEnvironment({
      libraries: EXTENSION_LIBRARIES,
      functions: [declare('f', 'f_int', [INT]), declare('f', 'f_string', [STRING])],
    });
    expect(env.functions.get('f')?.overloads.map(({ id }) => id)).toEqual(['f_int', 'f_string']);
  });

  test('accepts all extension libraries together', () => {
    expect(() => createEnvironment({ libraries: EXTENSION_LIBRARIES })).not.toThrow();
  });

  test.each([
    [
      { functions: [declare('f', 'same', [INT]), declare('g', 'same')] },
      'the overload id `same` is declared twice, for `f` and for `g`',
    ],
    [
      { functions: [declare('f', 'one', [INT, listOf(STRING)]), declare('f', 'two', [INT, listOf(STRING)])] },
      'the overloads `one` and `two` of `f` take the same arguments',
    ],
    [
      {
        variables: [
          { name: 'x', type: INT },
          { name: 'x', type: STRING },
        ],
      },
      'the variable `x` is declared twice, with different types',
    ],
    [
      { functions: [declare('size', 'size_string')] },
      'the overload id `size_string` is declared twice, for `size` and for `size`',
    ],
  ])('throws for conflicting declarations: %#', (options, message) => {
    expect(() => createEnvironment(options)).toThrow(new TypeError(message));
  });
});

describe('extendEnvironment', () => {
  const base = createEnvironment({
    libraries: EXTENSION_LIBRARIES,
    container: 'a',
    variables: [{ name: 'x', type: INT }],
  });

  test('adds declarations without changing the original environment', () => {
    const extended = extendEnvironment(base, {
      variables: [{ name: 'y', type: BOOL }],
      functions: [declare('f', 'f')],
    });
    expect([...extended.variables.keys()].slice(-2)).toEqual(['x', 'y']);
    expect(extended.container).toBe('a');
    expect(extended.index.callables.has('f')).toBe(true);
    expect([base.variables.has('y'), base.functions.has('f'), base.index.callables.has('f')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('throws for conflicts with existing declarations', () => {
    const options = { variables: [{ name: 'x', type: STRING }] };
    expect(() => extendEnvironment(base, options)).toThrow('the variable `x` is declared twice, with different types');
  });
});

function environment(result: Type, implementation: unknown) {
  return createEnvironment({
    functions: [{ name: 'f', doc: '', overloads: [{ id: 'f_int', member: false, params: [INT], result }] }],
    implementations: { f_int: implementation as Implementation },
  });
}

function run(result: Type, call: () => unknown, source = 'f(1)'): unknown[] {
  const env = environment(result, { call, total: true });
  const { typed, diagnostics } = check(parse(source, env).ast, env);
  expect(diagnostics).toEqual([]);
  return [compileClosures, compileToJavaScript].map(compile => compile(typed, env).evaluate({}));
}

const TYPES: readonly Type[] = [
  ...[BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, TIMESTAMP, DURATION, DYN],
  ...[listOf(INT), mapOf(STRING, INT), optionalOf(INT)],
];

describe('a result that is not a value', () => {
  const WRONG: readonly (readonly [string, Type, unknown, string])[] = [
    ...TYPES.map(type => ['a promise', type, Promise.resolve(true), 'a promise; return the value itself'] as const),
    ...TYPES.map(type => ['undefined', type, undefined, 'undefined'] as const),
    ...TYPES.map(type => ['a function', type, () => true, 'a function'] as const),
    ['a fraction', INT, 1.5, '1.5'],
    ['too large', INT, 2n ** 63n, String(2n ** 63n)],
    ['negative', UINT, -1, '-1'],
    ['a string for a bool', BOOL, 'true', 'a string'],
    ['null', STRING, null, 'null'],
    ['an object', listOf(INT), {}, 'an object'],
    ['a list', mapOf(STRING, INT), [], 'a list'],
    ['no optional', optionalOf(INT), 1, '1'],
  ];

  test.each(WRONG)('%s is an error for %o', (_name, type, value, found) => {
    for (const outcome of run(type, () => value)) {
      expect(outcome).toMatchObject({ code: 'eval/host-type', exprId: 2 });
      expect((outcome as Error).message).toMatch(/^`f\(\)` must return a value of type /);
      expect((outcome as Error).message.endsWith(`, found ${found}`)).toBe(true);
    }
  });

  test('is never taken for true', () => {
    for (const outcome of run(BOOL, async () => false, 'f(1) ? "yes" : "no"')) {
      expect(outcome).toMatchObject({ code: 'eval/host-type' });
    }
  });
});

test('an exception becomes an error that names the function', () => {
  const thrown = [new Error('no such tenant'), 'text', undefined, Object.create(null)];
  for (const reason of thrown) {
    const outcomes = run(BOOL, () => {
      throw reason;
    });
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ code: 'eval/extension-failed' });
      expect((outcome as Error).message).toMatch(/^`f\(\)` failed: /);
    }
  }
});

test('a result of the declared type is returned', () => {
  expect(run(INT, () => 41, 'f(1) + 1')).toEqual([42, 42]);
  expect(run(INT, () => 41n, 'f(1) + 1')).toEqual([42, 42]);
  expect(run(TIMESTAMP, () => new Date(0), 'f(1).getFullYear()')).toEqual([1970, 1970]);
  expect(run(listOf(STRING), () => ['a'], 'f(1)[0] == "a"')).toEqual([true, true]);
});

test.each([
  ['a bare function', () => true, /is a bare function; write/],
  ['nothing', undefined, /must be an object, found undefined/],
  ['null', null, /must be an object, found null/],
  ['another object', { run: () => true }, /has no function `call`, found undefined/],
  ['a call that is not a function', { call: 'f', total: true }, /has no function `call`, found string/],
])('createEnvironment rejects %s as an implementation', (_name, implementation, message) => {
  expect(() => environment(BOOL, implementation)).toThrow(TypeError);
  expect(() => environment(BOOL, implementation)).toThrow(message);
});
