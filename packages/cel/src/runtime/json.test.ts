import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  Duration,
  EvaluationError,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from '../values/value.ts';
import { createRunContext } from './context.ts';

const EXTENSION_IMPLEMENTATIONS = Object.fromEntries(
  EXTENSION_LIBRARIES.flatMap(({ implementations = {} }) => Object.entries(implementations)),
);

function outcome(id: string, args: readonly Value[]): unknown {
  const { call, needsContext } = EXTENSION_IMPLEMENTATIONS[id]!;
  const all = call as (...all: unknown[]) => unknown;
  const result = needsContext ? all(createRunContext(DEFAULT_LIMITS), ...args) : all(...args);
  return result instanceof EvaluationError ? result.code : result;
}

type Case = readonly [id: string, args: readonly Value[], expected: unknown];

const some = (value: Value): Optional => new Optional(value);
const NONE = new Optional(undefined);
const INT_TYPE = new TypeValue('int');

const JSON_CASES: readonly Case[] = [
  ['json_encode_dyn', [[1, 'two', true, null, new CelUint(3), 1.5]], '[1,"two",true,null,3,1.5]'],
  ['json_encode_dyn', [{ a: { b: [] }, c: new CelMap([[1, 'x']]) }], '{"a":{"b":[]},"c":{"1":"x"}}'],
  ['json_encode_dyn', [2n ** 53n], '"9007199254740992"'],
  ['json_encode_dyn', [Number.MAX_SAFE_INTEGER], '9007199254740991'],
  ['json_encode_dyn', [new CelDouble(-0)], '-0'],
  ['json_encode_dyn', [Number.NaN], 'eval/invalid-conversion'],
  ['json_encode_dyn', ['<a href="x">\u2028\ud800'], '"\\u003ca href=\\"x\\"\\u003e\\u2028\ufffd"'],
  ['json_encode_dyn', [new Uint8Array([104, 105])], '"aGk="'],
  ['json_encode_dyn', [new Duration(1, 500_000_000)], '"1.5s"'],
  ['json_encode_dyn', [new Timestamp(0, 0)], '"1970-01-01T00:00:00Z"'],
  ['json_encode_dyn', [some([1])], '[1]'],
  ['json_encode_dyn', [NONE], 'eval/no-value'],
  ['json_encode_dyn', [INT_TYPE], 'eval/invalid-conversion'],
  ['json_parse_string', ['[1e400]'], NONE],
  [
    'json_parse_string',
    ['{"a": [1, 1.0, 1e2, "x", null]}'],
    some({ a: [1, new CelDouble(1), new CelDouble(100), 'x', null] }),
  ],
  ['json_parse_string', ['9223372036854775807'], some(2n ** 63n - 1n)],
  ['json_parse_string', ['9223372036854775808'], some(new CelDouble(2 ** 63))],
  ['json_parse_string', ['{"__proto__": 1}'], some(JSON.parse('{"__proto__": 1}') as Value)],
  ['json_parse_string', ['{"a": 1,}'], NONE],
  ['json_parse_string', [''], NONE],
  ['json_parse_string', ['[1] 2'], NONE],
  ['json_parse_string', [`${'['.repeat(100_000)}${']'.repeat(100_000)}`], 'limit/value-depth'],
  ['json_parse_string_type', ['123', INT_TYPE], some(123)],
  ['json_parse_string_type', ['1.5', INT_TYPE], NONE],
  ['json_parse_string_type', ['"123"', INT_TYPE], NONE],
  ['json_parse_string_type', ['-1', new TypeValue('uint')], NONE],
  ['json_parse_string_type', ['7', new TypeValue('uint')], some(new CelUint(7))],
  ['json_parse_string_type', [' 18446744073709551615\n', new TypeValue('uint')], some(new CelUint(2n ** 64n - 1n))],
  ['json_parse_string_type', ['9223372036854775808', new TypeValue('uint')], some(new CelUint(2n ** 63n))],
  ['json_parse_string_type', ['18446744073709551616', new TypeValue('uint')], NONE],
  ['json_parse_string_type', ['1.0', new TypeValue('uint')], NONE],
  ['json_parse_string_type', ['42', new TypeValue('double')], some(new CelDouble(42))],
  ['json_parse_string_type', ['-0', new TypeValue('double')], some(new CelDouble(-0))],
  ['json_parse_string_type', ['9007199254740993', new TypeValue('double')], some(new CelDouble(2 ** 53))],
  ['json_parse_string_type', ['"aGk="', new TypeValue('bytes')], some(new Uint8Array([104, 105]))],
  ['json_parse_string_type', ['"%%%"', new TypeValue('bytes')], NONE],
  ['json_parse_string_type', ['"5s"', new TypeValue('google.protobuf.Duration')], some(new Duration(5, 0))],
  ['json_parse_string_type', ['null', new TypeValue('null_type')], some(null)],
  ['json_parse_string_type', ['null', INT_TYPE], NONE],
  ['json_parse_string_type', ['1', new TypeValue('toString')], NONE],
];

const RELATIONS: readonly Case[] = [
  ['base64_encode_url_bytes', [new Uint8Array([0xff, 0xef, 0xbe])], '_---'],
  ['base64_decode_url_string', ['____'], new Uint8Array([255, 255, 255])],
  ['base64_decode_url_string', ['YQ=='], new Uint8Array([97])],
  ['base64_decode_url_string', ['//+/'], 'eval/invalid-conversion'],
  [
    'list_hasAll_list',
    [
      [1, 2, 3],
      [new CelUint(2), new CelDouble(3)],
    ],
    true,
  ],
  ['list_hasAll_list', [[1], []], true],
  ['list_hasAny_list', [[[1], [2]], [[new CelDouble(2)]]], true],
  ['list_hasAny_list', [[], []], false],
  ['list_hasExactly_list', [[1], [1, 1]], true],
  [
    'list_hasExactly_list',
    [
      [1, 2],
      [1, 2, 3],
    ],
    false,
  ],
  [
    'list_hasOnly_list',
    [
      [1, 1, 2],
      [1, 2, 3],
    ],
    true,
  ],
  ['list_hasOnly_list', [[1], []], false],
  ['optional_hasValue_value', [some(1), new CelUint(1)], true],
  ['optional_hasValue_value', [some(1), some(1)], false],
  ['optional_hasValue_value', [NONE, null], false],
];

test.each([...JSON_CASES, ...RELATIONS])('%s (row %#)', (id, args, expected) => {
  expect(outcome(id, args)).toEqual(expected);
});
