import {
  CelDouble,
  CelMap,
  CelUint,
  Duration,
  EvaluationError,
  Optional,
  partialMap,
  Timestamp,
  TypeValue,
  Unknown,
} from '@tollgate/cel';
import { parseCidr, parseIp } from '@tollgate/cel/tooling';
import { expect, it } from 'vitest';
import { valueText } from './value-text.ts';

const UINT_KEYS = new CelMap([[1, 'a']]);
UINT_KEYS.uintKeys = new Set([1]);

it.each<[unknown, string]>([
  [null, 'null'],
  [true, 'true'],
  [1, '1'],
  [9_007_199_254_740_993n, '9007199254740993'],
  [1.5, '1.5'],
  [new CelDouble(1), '1.0'],
  [new CelUint(1), '1u'],
  ['a"b\n\u202e', "'a\"b\\n\\u202e'"],
  [new Uint8Array([97, 0]), 'b"a\\x00"'],
  [new Timestamp(0, 0), 'timestamp("1970-01-01T00:00:00Z")'],
  [new Duration(90, 0), 'duration("90s")'],
  [new TypeValue('int'), 'int'],
  [new Optional(undefined), 'optional.none()'],
  [new Optional('a'), 'optional.of("a")'],
  [parseIp('::1'), 'ip("::1")'],
  [parseCidr('10.0.0.0/8'), 'cidr("10.0.0.0/8")'],
  [['a', [1]], '["a", [1]]'],
  [{ a: ['b'], c: undefined }, '{"a": ["b"]}'],
  [UINT_KEYS, '{1u: "a"}'],
  [partialMap({ a: ['b'] }, 'req.Headers'), '{"a": ["b"], …}'],
  [partialMap({}, 'req.Headers'), '{…}'],
  [[new Unknown(['x'])], '[unknown]'],
  [new EvaluationError('eval/x', 'no'), 'error: no'],
])('writes %o as %s', (value, text) => {
  expect(valueText(value)).toBe(text);
});

it.each<[unknown, string]>([
  ['abcdefghijkl', '"abcdefgh…'],
  [['abc', 'def'], '["abc", "…'],
  [['😀😀😀😀😀'], '["😀😀😀…'],
  [Array.from({ length: 1e6 }, (_, index) => index), '[0, 1, 2,…'],
])('truncates what is too long: %#', (value, text) => {
  expect(valueText(value, 10)).toBe(text);
});
