import { describe, expect, test } from 'vitest';
import { DUPLICATE_KEY, HOST_TYPE, NO_SUCH_KEY, UNSUPPORTED_KEY } from '../../values/errors.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  type NonValue,
  Optional,
  partialMap,
  Unknown,
  UnknownPresence,
  type Value,
} from '../../values/value.ts';
import { indexMap, inMap, keysOf, type MapValue, putEntry, sizeOfMap } from './map.ts';

function made(...entries: readonly [Value, Value][]): CelMap {
  const map = new CelMap();
  for (const [key, value] of entries) expect(putEntry(map, key, value)).toBeUndefined();
  return map;
}

describe('a key', () => {
  const byInt = made([1, 'a'], [2n ** 60n, 'big'], [0, 'zero']);
  const byUint = made([new CelUint(1), 'u']);
  const object: MapValue = { a: 1, gone: undefined };

  test.each<[MapValue, Value, Value | NonValue]>([
    [byInt, 1, 'a'],
    [byInt, new CelUint(1), 'a'],
    [byInt, new CelDouble(1), 'a'],
    [byInt, new CelDouble(-0), 'zero'],
    [byInt, new CelDouble(2 ** 60), 'big'],
    [byInt, 1.5, NO_SUCH_KEY],
    [byInt, Number.NaN, NO_SUCH_KEY],
    [byInt, '1', NO_SUCH_KEY],
    [byInt, true, NO_SUCH_KEY],
    [byInt, null, NO_SUCH_KEY],
    [byInt, new Uint8Array(), NO_SUCH_KEY],
    [byUint, 1, 'u'],
    [made([true, 'yes']), true, 'yes'],
    [object, 'a', 1],
    [object, 'gone', NO_SUCH_KEY],
    [object, 'constructor', NO_SUCH_KEY],
    [object, '__proto__', NO_SUCH_KEY],
    [new Map([['__proto__', 1]]), '__proto__', 1],
    [new Map([[1, () => 1]]) as never, 1, HOST_TYPE],
  ])('of %o: %o has %o', (map, key, expected) => {
    expect(indexMap(map, key)).toBe(expected);
    expect(inMap(key, map)).toBe(expected !== NO_SUCH_KEY);
  });

  test('that a partial map lacks is an unknown with its name', () => {
    const partial = partialMap({ Host: 'a', Lost: new Unknown(['h.Lost']) }, 'req.Headers') as never;
    const unknown = new Unknown(['req.Headers["X-\\"Key"]']);
    expect(indexMap(partial, 'X-"Key')).toEqual(unknown);
    expect(inMap('X-"Key', partial)).toEqual(unknown);
    expect(inMap('Host', partial)).toBe(true);
    expect(inMap('Lost', partial)).toBe(true);
    expect(indexMap(partial, 'Lost')).toEqual(new Unknown(['h.Lost']));
  });

  test('whose presence is unknown is unknown for `in`, too', () => {
    const unknown = new UnknownPresence(['why']);
    const map = { Lost: unknown } as never;
    expect(indexMap(map, 'Lost')).toBe(unknown);
    expect(inMap('Lost', map)).toBe(unknown);
  });
});

test('keys keep their order and their types', () => {
  expect(keysOf(made([new CelUint(2), 0], [1, 0], ['a', 0], [false, 0]))).toEqual([new CelUint(2), 1, 'a', false]);
  expect(keysOf({ b: 1, a: undefined, c: null })).toEqual(['b', 'c']);
  expect(sizeOfMap({ b: 1, a: undefined, c: null })).toBe(2);
});

test.each<[Value, Value, unknown]>([
  [1, new CelUint(1), DUPLICATE_KEY],
  ['a', 'a', DUPLICATE_KEY],
  ['1', 1, undefined],
  [1, true, undefined],
  ['a', new CelDouble(1), UNSUPPORTED_KEY],
  ['a', 1.5, UNSUPPORTED_KEY],
  ['a', 2 ** 60, UNSUPPORTED_KEY],
  ['a', null, UNSUPPORTED_KEY],
  ['a', [], UNSUPPORTED_KEY],
  ['a', new Optional(1), UNSUPPORTED_KEY],
])('after the key %o, the key %o', (first, second, expected) => {
  expect(putEntry(made([first, 0]), second, 0)).toBe(expected);
});
