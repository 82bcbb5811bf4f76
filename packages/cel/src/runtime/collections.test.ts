import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import * as errors from '../values/errors.ts';
import { CelDouble, CelUint, type NonValue, Timestamp, Unknown, type Value } from '../values/value.ts';
import { addList, indexList, indexValue, inList, inValue } from './collections.ts';
import { createRunContext } from './context.ts';
import { addBytes, addText, sizeOfString } from './strings.ts';

const { INDEX_OUT_OF_RANGE, NO_MATCHING_OVERLOAD, NO_SUCH_KEY, HOST_TYPE } = errors;

describe('an index of unknown type', () => {
  test.each<[Value, Value, Value | NonValue]>([
    [[7, 8], 0, 7],
    [[7, 8], new CelUint(1), 8],
    [[7, 8], new CelDouble(1), 8],
    [[7, 8], 0.1, INDEX_OUT_OF_RANGE],
    [[7, 8], 2, INDEX_OUT_OF_RANGE],
    [[7, 8], -1, INDEX_OUT_OF_RANGE],
    [[7, 8], 2n ** 60n, INDEX_OUT_OF_RANGE],
    [[7, 8], '0', NO_MATCHING_OVERLOAD],
    [[7, 8], false, NO_MATCHING_OVERLOAD],
    [{ a: 1 }, 'a', 1],
    [{ a: 1 }, 1, NO_SUCH_KEY],
    ['text', 0, NO_MATCHING_OVERLOAD],
  ])('of %o: %o', (container, key, expected) => {
    expect(indexValue(container, key)).toBe(expected);
  });
});

describe('in', () => {
  test.each<[Value, Value, boolean | NonValue]>([
    [new CelDouble(3), [5, 3], true],
    [3, [new CelUint(3)], true],
    ['a', [], false],
    [[1], [[new CelDouble(1)]], true],
    ['a', { a: null }, true],
    ['a', 'abc', NO_MATCHING_OVERLOAD],
  ])('of %o and %o', (value, container, expected) => {
    expect(inValue(createRunContext(DEFAULT_LIMITS), value, container)).toBe(expected);
  });

  test('an unknown element leaves the result undecided unless another decides', () => {
    const unknown = new Unknown(['x']);
    const elements: readonly unknown[] = [1, unknown, 2];
    const list = elements as readonly Value[];
    expect(inList(createRunContext(DEFAULT_LIMITS), 2, list)).toBe(true);
    expect(inList(createRunContext(DEFAULT_LIMITS), 3, list)).toBe(unknown);
  });
});

test('reads host values in a list by their kind', () => {
  const elements: readonly unknown[] = [new Date(1500), undefined, 5n, 2n ** 64n];
  const list = elements as readonly Value[];
  expect(list.map((_, index) => indexList(list, index))).toEqual([
    new Timestamp(1, 500_000_000),
    HOST_TYPE,
    5,
    HOST_TYPE,
  ]);
});

test('concatenation is limited', () => {
  const context = createRunContext({ ...DEFAULT_LIMITS, maxTextLength: 3, maxCollectionSize: 2 });
  expect(addText(context, 'ab', 'c')).toBe('abc');
  expect(addText(context, 'ab', 'cd')).toBe(errors.STRING_TOO_LONG);
  expect(addBytes(context, new Uint8Array([1]), new Uint8Array([2]))).toEqual(new Uint8Array([1, 2]));
  expect(addBytes(context, new Uint8Array(2), new Uint8Array(2))).toBe(errors.STRING_TOO_LONG);
  expect(addList(context, [1], [2])).toEqual([1, 2]);
  expect(addList(context, [1, 2], [3])).toBe(errors.COLLECTION_TOO_LARGE);
});

test.each([
  ['', 0],
  ['abc', 3],
  ['ü😀', 2],
  ['😀😀', 2],
  ['x'.repeat(50), 50],
  [`${'x'.repeat(50)}😀`, 51],
  ['\uD83D', 1],
  ['\uDE00\uD83D', 2],
])('%o has %d code points', (text, size) => {
  expect(sizeOfString(text)).toBe(size);
});
