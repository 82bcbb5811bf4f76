import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { DOUBLE, INT, listOf, STRING, type Type, UINT } from '../ast/types.ts';
import { overload } from '../library/library.ts';
import { addInt, addUint } from '../values/numbers.ts';
import { addDouble, CelDouble, CelUint, EvaluationError } from '../values/value.ts';
import { createRunContext, type Implementation, type ImplementationFunction, type RunContext } from './context.ts';
import { createDispatcher } from './dispatch.ts';

const context = createRunContext(DEFAULT_LIMITS);

function candidate(
  id: string,
  params: readonly Type[],
  result: Type,
  call: ImplementationFunction,
  needsContext = false,
) {
  const implementation: Implementation = { call, total: false, needsContext };
  return { overload: overload(id, params, result), implementation };
}

const add = createDispatcher(
  '_+_',
  [
    candidate('add_int64', [INT, INT], INT, addInt),
    candidate('add_uint64', [UINT, UINT], UINT, addUint),
    candidate('add_double', [DOUBLE, DOUBLE], DOUBLE, addDouble),
  ],
  context,
);

test('selects the overload by the types of the values and tags its result', () => {
  expect(add(1, 2)).toBe(3);
  expect(add(new CelUint(1), new CelUint(2))).toEqual(new CelUint(3));
  expect(add(new CelDouble(1), 1.5)).toBe(2.5);
  expect(add(1.5, 1.5)).toEqual(new CelDouble(3));
});

test('names the types for which there is no overload', () => {
  expect(add(1, new CelUint(2))).toEqual(
    new EvaluationError('eval/no-matching-overload', 'no overload of `_+_` takes (int, uint)'),
  );
  expect(add(1)).toEqual(new EvaluationError('eval/no-matching-overload', 'no overload of `_+_` takes (int)'));
});

test('distinguishes lists by their elements, and passes the context where needed', () => {
  const ints = (limits: RunContext, list: number[]) => list.length + limits.limits.maxDepth;
  const join = createDispatcher(
    'f',
    [
      candidate('ints', [listOf(INT)], INT, ints, true),
      candidate('strings', [listOf(STRING)], STRING, (list: string[]) => list.join()),
    ],
    context,
  );
  expect(join([1, 2])).toBe(2 + DEFAULT_LIMITS.maxDepth);
  expect(join(['a', 'b'])).toBe('a,b');
  expect(join([1, 'b'])).toMatchObject({ code: 'eval/no-matching-overload' });
});
