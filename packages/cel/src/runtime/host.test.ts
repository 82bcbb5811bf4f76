import { describe, expect, test } from 'vitest';
import * as types from '../ast/types.ts';
import { DUPLICATE_KEY, HOST_TYPE, NO_MATCHING_OVERLOAD, NO_SUCH_KEY, UNSUPPORTED_KEY } from '../values/errors.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  IpAddress,
  type NonValue,
  Optional,
  partialMap,
  Timestamp,
  TypeValue,
  Unknown,
  UnknownPresence,
  type Value,
} from '../values/value.ts';
import {
  hostReader,
  indexMap,
  inMap,
  keysOf,
  type MapValue,
  matchesType,
  putEntry,
  sizeOfMap,
  toTagged,
  toTyped,
} from './host.ts';

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

const { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, UINT } = types;
const { listOf, mapOf, optionalOf, objectType, opaqueType, paramType, typeOf, wrapperOf } = types;
const ip = new IpAddress(new Uint8Array(4));

describe('tagging', () => {
  test.each<[types.Type, Value, Value]>([
    [DOUBLE, 1, new CelDouble(1)],
    [DOUBLE, -0, new CelDouble(-0)],
    [DOUBLE, 1e300, new CelDouble(1e300)],
    [DOUBLE, 1.5, 1.5],
    [UINT, 1, new CelUint(1)],
    [UINT, 2n ** 63n, new CelUint(2n ** 63n)],
    [listOf(DOUBLE), [1, new CelDouble(2), 0.5], [new CelDouble(1), new CelDouble(2), 0.5]],
    [listOf(listOf(UINT)), [[1]], [[new CelUint(1)]]],
    [mapOf(STRING, DOUBLE), { a: 1 }, new CelMap([['a', new CelDouble(1)]])],
  ])('of %j: %o becomes %o', (type, typed, tagged) => {
    expect(toTagged(type)!(typed)).toEqual(tagged);
  });

  test('records which keys are uints', () => {
    const tagged = toTagged(mapOf(UINT, STRING))!(new Map([[1, 'a']])) as CelMap;
    expect([...tagged.uintKeys!]).toEqual([1]);
  });

  test.each([INT, STRING, DYN, listOf(INT), mapOf(STRING, listOf(STRING)), optionalOf(DOUBLE), wrapperOf(UINT)])(
    'of %j changes nothing',
    type => {
      expect(toTagged(type)).toBeUndefined();
    },
  );
});

describe('untagging', () => {
  test.each<[types.Type, Value, Value | NonValue]>([
    [INT, 1, 1],
    [INT, new CelUint(1), NO_MATCHING_OVERLOAD],
    [INT, 1.5, NO_MATCHING_OVERLOAD],
    [UINT, new CelUint(1), 1],
    [UINT, 1, NO_MATCHING_OVERLOAD],
    [DOUBLE, new CelDouble(1), 1],
    [DOUBLE, 2 ** 60, 2 ** 60],
    [DOUBLE, 1, NO_MATCHING_OVERLOAD],
    [STRING, 'a', 'a'],
    [STRING, null, NO_MATCHING_OVERLOAD],
  ])('to %j: %o becomes %o', (type, tagged, typed) => {
    expect(toTyped(type)!(tagged)).toBe(typed);
  });

  test('to a dynamic type needs no test', () => {
    expect([DYN, paramType('A')].map(toTyped)).toEqual([undefined, undefined]);
  });
});

describe('a tagged value is of a type', () => {
  test.each<[Value, types.Type, boolean]>([
    [null, NULL, true],
    [null, wrapperOf(INT), true],
    [new CelUint(1), wrapperOf(INT), false],
    [[1, 2], listOf(INT), true],
    [[1, 'a'], listOf(INT), false],
    [[1, 'a'], listOf(paramType('A')), true],
    [[], listOf(STRING), true],
    [{}, listOf(DYN), false],
    [{ a: ['b'] }, mapOf(STRING, listOf(STRING)), true],
    [{ a: [1] }, mapOf(STRING, listOf(STRING)), false],
    [new Map([[1, 'a']]), mapOf(STRING, STRING), false],
    [{ a: 1 }, objectType('x.Y'), true],
    [new CelMap(), objectType('x.Y'), false],
    [new Optional(1), optionalOf(INT), true],
    [new Optional('a'), optionalOf(INT), false],
    [new Optional(undefined), optionalOf(INT), true],
    [ip, opaqueType('net.IP'), true],
    [new CidrRange(ip, 8), opaqueType('net.IP'), false],
    [new TypeValue('int'), typeOf(undefined), true],
    [new Uint8Array(), BYTES, true],
    [new Timestamp(0, 0), TIMESTAMP, true],
    [new Timestamp(0, 0), DURATION, false],
    [true, BOOL, true],
  ])('%o, %j: %o', (value, type, expected) => {
    expect(matchesType(value, type)).toBe(expected);
  });
});

describe('host data read as', () => {
  const unknown = new Unknown(['x']);
  test.each<[types.Type, unknown, Value | NonValue]>([
    [INT, 1, 1],
    [INT, -0, 0],
    [INT, 5n, 5],
    [INT, 2n ** 60n, 2n ** 60n],
    [INT, 2n ** 63n, HOST_TYPE],
    [INT, 1.5, HOST_TYPE],
    [INT, 2 ** 53, HOST_TYPE],
    [INT, '1', HOST_TYPE],
    [INT, unknown, unknown],
    [UINT, 1, 1],
    [UINT, new CelUint(1), 1],
    [UINT, -1, HOST_TYPE],
    [UINT, -1n, HOST_TYPE],
    [DOUBLE, 1, 1],
    [DOUBLE, new CelDouble(1), 1],
    [DOUBLE, 1n, HOST_TYPE],
    [STRING, 1, HOST_TYPE],
    [BOOL, false, false],
    [NULL, undefined, HOST_TYPE],
    [TIMESTAMP, new Date(-1), new Timestamp(-1, 999_000_000)],
    [TIMESTAMP, new Date(Number.NaN), HOST_TYPE],
    [DURATION, new Timestamp(0, 0), HOST_TYPE],
    [listOf(INT), ['unread'], ['unread']],
    [listOf(INT), {}, HOST_TYPE],
    [mapOf(STRING, INT), { a: 1 }, { a: 1 }],
    [mapOf(STRING, INT), [], HOST_TYPE],
    [mapOf(STRING, INT), new Date(0), HOST_TYPE],
    [mapOf(STRING, INT), null, HOST_TYPE],
    [objectType('x.Y'), unknown, unknown],
    [wrapperOf(DOUBLE), 1, new CelDouble(1)],
    [wrapperOf(UINT), 1, new CelUint(1)],
    [wrapperOf(STRING), null, null],
    [wrapperOf(STRING), 1, HOST_TYPE],
    [DYN, () => 1, HOST_TYPE],
    [DYN, undefined, HOST_TYPE],
    [DYN, new Date(0), new Timestamp(0, 0)],
    [BYTES, 'a', HOST_TYPE],
    [optionalOf(INT), undefined, HOST_TYPE],
    [typeOf(INT), new TypeValue('int'), new TypeValue('int')],
    [opaqueType('net.IP'), ip, ip],
    [opaqueType('net.CIDR'), ip, HOST_TYPE],
  ])('%j: %o', (type, value, expected) => {
    expect(hostReader(type)(value)).toEqual(expected);
  });
});
