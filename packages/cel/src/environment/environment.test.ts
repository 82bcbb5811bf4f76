import { describe, expect, test } from 'vitest';
import type { FunctionDecl } from '../ast/declaration.ts';
import { EXTENSION_LIBRARIES } from '../libraries/extension-libraries.ts';
import { MATH_LIBRARY } from '../library/extensions/math.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { BOOL, INT, listOf, STRING, type Type } from '../types/type.ts';
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
