import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../ast/limits.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import {
  CelDouble,
  CelMap,
  CelUint,
  Duration,
  EvaluationError,
  type NonValue,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from '../values/value.ts';
import { createRunContext } from './context.ts';

const EXTENSION_IMPLEMENTATIONS = Object.assign({}, ...EXTENSION_LIBRARIES.map(l => l.implementations));

function run(id: string, args: readonly Value[], limits: Partial<Limits> = {}): Value | NonValue {
  const { call, needsContext } = EXTENSION_IMPLEMENTATIONS[id]!;
  const all = call as (...all: unknown[]) => Value | NonValue;
  return needsContext ? all(createRunContext({ ...DEFAULT_LIMITS, ...limits }), ...args) : all(...args);
}

function outcome(id: string, args: readonly Value[]): unknown {
  const result = run(id, args);
  return result instanceof EvaluationError ? result.code : result;
}

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

type Case = readonly [id: string, args: readonly Value[], expected: unknown];

const STRINGS: readonly Case[] = [
  ['string_char_at_int', ['©αT', 1], 'α'],
  ['string_char_at_int', ['a😀b', 1], '😀'],
  ['string_char_at_int', ['abc', 3], ''],
  ['string_char_at_int', ['abc', 4], 'eval/index-out-of-range'],
  ['string_char_at_int', ['a😀', 3], 'eval/index-out-of-range'],
  ['string_char_at_int', ['abc', -1], 'eval/index-out-of-range'],
  ['string_char_at_int', ['abc', MAX], 'eval/index-out-of-range'],
  ['string_index_of_string', ['😀hello', 'l'], 3],
  ['string_index_of_string', ['😀', '\ude00'], -1],
  ['string_index_of_string', ['abc', ''], 0],
  ['string_index_of_string_int', ['hello mellow', 'ello', 2], 7],
  ['string_index_of_string_int', ['😀a😀a', 'a', 2], 3],
  ['string_index_of_string_int', ['abc', '', 3], 3],
  ['string_index_of_string_int', ['abc', 'a', 4], 'eval/index-out-of-range'],
  ['string_last_index_of_string', ['', '@@'], -1],
  ['string_last_index_of_string', ['tacocat', ''], 7],
  ['string_last_index_of_string', ['ta©o😀©αT', '©'], 5],
  ['string_last_index_of_string', ['😀', '\ude00'], -1],
  ['string_last_index_of_string_int', ['bananananana', 'nana', 7], 6],
  ['string_last_index_of_string_int', ['tacocat', '', 3], 3],
  ['string_last_index_of_string_int', ['ab', 'ab', 2], -1],
  ['string_last_index_of_string_int', ['ab', '', 2], 2],
  ['string_last_index_of_string_int', ['', 'a', 0], -1],
  ['string_last_index_of_string_int', ['tacocat', 'a', -1], 'eval/index-out-of-range'],
  ['string_last_index_of_string_int', ['tacocat', 'a', 30], 'eval/index-out-of-range'],
  ['string_substring_int', ['a😀bc', 2], 'bc'],
  ['string_substring_int', ['abc', 3], ''],
  ['string_substring_int', ['abc', 4], 'eval/index-out-of-range'],
  ['string_substring_int_int', ['ta©o©αT', 2, 6], '©o©α'],
  ['string_substring_int_int', ['abc', 2, 1], 'eval/index-out-of-range'],
  ['string_substring_int_int', ['abc', 0, 4], 'eval/index-out-of-range'],
  ['string_lower_ascii', ['TacoCÆT'], 'tacocÆt'],
  ['string_upper_ascii', ['tacocæt'], 'TACOCæT'],
  ['string_reverse', ['a😀b'], 'b😀a'],
  ['string_trim', ['\u0085\u3000 text\u200b\ufeff \t'], 'text\u200b\ufeff'],
  ['string_trim', [' \n '], ''],
  ['list_join', [['x', 'y']], 'xy'],
  ['list_join', [[]], ''],
  ['list_join', [['x', 1]], 'eval/host-type'],
  ['list_join_string', [['x', 'y', 'z'], ', '], 'x, y, z'],
  ['string_split_string', ['a,b,,c', ','], ['a', 'b', '', 'c']],
  ['string_split_string', ['a😀', ''], ['a', '😀']],
  ['string_split_string_int', ['a,b,c', ',', 0], []],
  ['string_split_string_int', ['a,b,c', ',', 1], ['a,b,c']],
  ['string_split_string_int', ['a,b,c', ',', 2], ['a', 'b,c']],
  ['string_split_string_int', ['a,b,c', ',', -1], ['a', 'b', 'c']],
  ['string_split_string_int', ['a,b,c', ',', MAX], ['a', 'b', 'c']],
  ['string_replace_string_string', ['hello hello', 'he', 'we'], 'wello wello'],
  ['string_replace_string_string', ['a$b', '$', '$&'], 'a$&b'],
  ['string_replace_string_string', ['a😀', '', '-'], '-a-😀-'],
  ['string_replace_string_string_int', ['hello hello', 'he', 'we', 1], 'wello hello'],
  ['string_replace_string_string_int', ['hello hello', 'he', 'we', 0], 'hello hello'],
  ['string_replace_string_string_int', ['hello hello', 'he', 'we', -1], 'wello wello'],
  ['string_replace_string_string_int', ['abc', '', '-', 2], '-a-bc'],
  ['strings_quote', ['a"b\\\n\u0007\u0001😀'], '"a\\"b\\\\\\n\\a\u0001😀"'],
  ['strings_quote', ['\ud83d'], '"\ufffd"'],
];

const format = (text: string, values: readonly Value[], expected: unknown): Case => [
  'string_format',
  [text, values],
  expected,
];

const FORMAT: readonly Case[] = [
  format('%% and %s%%', ['text'], '% and text%'),
  format('%s %s %s', [null, true, new CelUint(MAX_UINT)], 'null true 18446744073709551615'),
  format('%s', [[1, 'b', new CelDouble(2), [1.5]]], '[1, b, 2, [1.5]]'),
  format(
    '%s',
    [
      new CelMap([
        ['b', 1],
        ['a', [new Uint8Array([120])]],
      ] as [string, Value][]),
    ],
    '{a: [x], b: 1}',
  ),
  format(
    '%s',
    [{ b: new Date(1500) as never, a: new Duration(-1, -500_000_000) }],
    '{a: -1.5s, b: 1970-01-01T00:00:01.5Z}',
  ),
  format('%s %s', [new TypeValue('int'), new Timestamp(0, 0)], 'int 1970-01-01T00:00:00Z'),
  format('%s', [new Optional(1)], 'eval/invalid-format'),
  format('%s', [new Uint8Array([0xff])], '\ufffd'),
  format('%s', [new Uint8Array([0x61, 0xff, 0xfe, 0x62, 0xc3])], 'a\ufffdb\ufffd'),
  format('%s', [new Uint8Array([0xef, 0xbf, 0xbd, 0xff, 0xef, 0xbf, 0xbd])], '\ufffd\ufffd\ufffd'),
  format('%s', [new Uint8Array([0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0x80])], '\ufffd😀'),
  format('%s', [new Duration(315_000_000, 1)], '315000000s'),
  format('%s %s %s', [1e300, 1e-7, -0.000012], `1${'0'.repeat(300)} 0.0000001 -0.000012`),
  format('%s %s', [Number.NaN, Number.NEGATIVE_INFINITY], 'NaN -Infinity'),
  format('%d %d %d', [1, new CelUint(2), 1.5], '1 2 1.5'),
  format('%d', ['1'], 'eval/invalid-format'),
  format('%d', [null], 'eval/invalid-format'),
  format('%.3f %.0f %.0f %.0f', [1.2345, 1.5, 2.5, 0.5], '1.234 2 2 0'),
  format('%f %.2f %f', [3, new CelUint(7), -0.5], '3.000000 7.00 -0.500000'),
  format('%.1f %.2f', [1e21, 0.005], '1000000000000000000000.0 0.01'),
  format(
    '%.6e %e %.0e %e',
    [1052.032911275, 2.25, 2.5, new CelDouble(0)],
    '1.052033e+03 2.250000e+00 2e+00 0.000000e+00',
  ),
  format('%.2e %.1e %e', [9.999, 5e-324, Number.NaN], '1.00e+01 4.9e-324 NaN'),
  format('%b %b %b', [5, -5, true], '101 -101 1'),
  format('%o %x %X', [65535, -26, new CelUint(6000)], '177777 -1a 1770'),
  format('%x %X', ['né', new Uint8Array([1, 171])], '6ec3a9 01AB'),
  format('%o', ['a'], 'eval/invalid-format'),
  format('%x', [1.5], 'eval/invalid-format'),
  format('%b', ['1'], 'eval/invalid-format'),
  format('%a', [1], 'eval/invalid-format'),
  format('%E', [1.5], 'eval/invalid-format'),
  format('100%', [], 'eval/invalid-format'),
  format('%.f', [1.5], 'eval/invalid-format'),
  format('%.99999f', [1.5], 'eval/invalid-format'),
  format('%d %d', [1], 'eval/invalid-format'),
  format('%d', [1, 2], '1'),
];

const NUMBERS: readonly Case[] = [
  ['math_ceil_double', [1.2], 2],
  ['math_floor_double', [-1.2], -2],
  ['math_round_double', [-1.5], -2],
  ['math_round_double', [2.5], 3],
  ['math_round_double', [0.49999999999999994], 0],
  ['math_round_double', [2251799813685249.5], 2251799813685250],
  ['math_trunc_double', [-1.3], -1],
  ['math_abs_int', [-3], 3],
  ['math_abs_int', [MIN], 'eval/overflow'],
  ['math_abs_double', [-0.5], 0.5],
  ['math_sign_int', [MIN], -1],
  ['math_sign_uint', [MAX_UINT], 1],
  ['math_sign_double', [-0], 0],
  ['math_sign_double', [Number.NaN], Number.NaN],
  ['math_sqrt_int', [-1], Number.NaN],
  ['math_sqrt_uint', [MAX_UINT], 4294967296],
  ['math_isInf_double', [Number.NEGATIVE_INFINITY], true],
  ['math_isFinite_double', [Number.NaN], false],
  ['math_bitAnd_int_int', [-3, -5], -7],
  ['math_bitOr_uint_uint', [1, MAX_UINT], MAX_UINT],
  ['math_bitXor_int_int', [MIN, MAX], -1],
  ['math_bitNot_int_int', [MAX], MIN],
  ['math_bitNot_uint_uint', [0], MAX_UINT],
  ['math_bitShiftLeft_int_int', [1, 63], MIN],
  ['math_bitShiftLeft_int_int', [1, 64], 0],
  ['math_bitShiftLeft_int_int', [-1, 1], -2],
  ['math_bitShiftLeft_uint_int', [1, 63], 2n ** 63n],
  ['math_bitShiftLeft_uint_int', [1, MAX], 0],
  ['math_bitShiftLeft_uint_int', [1, -1], 'eval/invalid-argument'],
  ['math_bitShiftRight_int_int', [-1, 0], -1],
  ['math_bitShiftRight_int_int', [-1024, 2], 4611686018427387648n],
  ['math_bitShiftRight_uint_int', [MAX_UINT, 63], 1],
  ['math_bitShiftRight_uint_int', [1, -1], 'eval/invalid-argument'],
  ['math_@min_int_int', [MAX, 1], 1],
  ['math_@max_double_double', [1.5, 2], 2],
  ['math_@max_int_double', [MAX, 2 ** 63], MAX],
  ['math_@min_double_int', [2 ** 63, MAX], new CelDouble(2 ** 63)],
  ['math_@max_double_double', [Number.NaN, 2], 'eval/invalid-argument'],
  ['math_@min_double_double', [2, Number.NaN], 'eval/invalid-argument'],
  ['math_@min_int_double', [2, Number.NaN], 'eval/invalid-argument'],
  ['math_@max_double_uint', [Number.NaN, 2], 'eval/invalid-argument'],
  ['math_@min_list_double', [[Number.NaN]], Number.NaN],
  ['math_@max_list_double', [[1, Number.NaN, 2]], 'eval/invalid-argument'],
  ['math_@min_int_uint', [2, 1], new CelUint(1)],
  ['math_@min_int_double', [2, 2], 2],
  ['math_@max_double_int', [9.5, 10], 10],
  ['math_@max_uint_double', [1, 2], new CelDouble(2)],
  ['math_@min_list_int', [[3, MIN, 2]], MIN],
  ['math_@max_list_double', [[1, new CelDouble(3), 2.5]], 3],
  ['math_@max_list_uint', [[1, new CelUint(3)]], 3],
  ['math_@max_list_int', [[]], 'eval/invalid-argument'],
  ['math_@max_list_int', [[1.5]], 'eval/host-type'],
];

const LISTS: readonly Case[] = [
  ['list_slice', [[1, 2, 3, 4], 1, 3], [2, 3]],
  ['list_slice', [[1, 2], 2, 2], []],
  ['list_slice', [[1, 2], 0, 3], 'eval/index-out-of-range'],
  ['list_slice', [[1, 2], -1, 1], 'eval/index-out-of-range'],
  ['list_slice', [[1, 2], 2, 1], 'eval/index-out-of-range'],
  ['list_flatten', [[1, [2, [3]], []]], [1, 2, [3]]],
  ['list_flatten_int', [[1, [2, [3, [4]]]], 2], [1, 2, 3, [4]]],
  ['list_flatten_int', [[[1]], 0], [[1]]],
  ['list_flatten_int', [[[1]], -1], 'eval/invalid-argument'],
  ['list_reverse', [[1, 2, 3]], [3, 2, 1]],
  ['list_distinct', [[1, 'b', new CelDouble(1), new CelUint(1), 'b', [1], [1], null, null]], [1, 'b', [1], null]],
  ['list_distinct', [[Number.NaN, Number.NaN]], [Number.NaN, Number.NaN]],
  ['list_distinct', [[true, 1, '1', 0, -0]], [true, 1, '1', 0]],
  ['list_distinct', [[2n ** 60n, new CelDouble(2 ** 60), 1.5, 1.5]], [2n ** 60n, 1.5]],
  ['lists_range', [3], [0, 1, 2]],
  ['lists_range', [-1], 'eval/invalid-argument'],
  ['lists_range', [1_000_001], 'limit/collection-size'],
  ['list_first', [[1, 2]], new Optional(1)],
  ['list_first', [[]], new Optional(undefined)],
  ['list_last', [[1, null]], new Optional(null)],
  ['list_int_sort', [[3, MIN, 2]], [MIN, 2, 3]],
  ['list_uint_sort', [[2n ** 64n - 1n, 2, new CelUint(2n ** 63n)]], [2, new CelUint(2n ** 63n), 2n ** 64n - 1n]],
  [
    'list_uint_sortByAssociatedKeys',
    [
      ['a', 'b'],
      [2n ** 63n, 1],
    ],
    ['b', 'a'],
  ],
  ['list_double_sort', [[3, 1.5, new CelDouble(2), Number.NaN]], [1.5, new CelDouble(2), 3, Number.NaN]],
  ['list_string_sort', [['😀', '\uffff', 'a']], ['a', '\uffff', '😀']],
  ['list_bool_sort', [[true, false]], [false, true]],
  ['list_bytes_sort', [[new Uint8Array([2]), new Uint8Array([1, 9])]], [new Uint8Array([1, 9]), new Uint8Array([2])]],
  ['list_int_sort', [[1, 'a']], 'eval/no-matching-overload'],
  ['list_int_sort', [[[1], [2]]], 'eval/no-matching-overload'],
  [
    'list_int_sortByAssociatedKeys',
    [
      ['foo', 'bar', 'baz'],
      [3, 1, 2],
    ],
    ['bar', 'baz', 'foo'],
  ],
  ['list_int_sortByAssociatedKeys', [['a'], []], 'eval/invalid-argument'],
  [
    'list_sets_contains_list',
    [
      [1, 2],
      [2, new CelDouble(2)],
    ],
    true,
  ],
  ['list_sets_contains_list', [[1], [1, 2]], false],
  ['list_sets_contains_list', [[], []], true],
  [
    'list_sets_equivalent_list',
    [
      [1, 2],
      [new CelUint(2), 1, 1],
    ],
    true,
  ],
  ['list_sets_equivalent_list', [[1, 2], [1]], false],
  ['list_sets_intersects_list', [[[1], [2]], [[2]]], true],
  ['list_sets_intersects_list', [[], []], false],
  [
    '@mapInsert_map_key_value',
    [new CelMap([['a', 1]]), 'b', 2],
    new CelMap([
      ['a', 1],
      ['b', 2],
    ]),
  ],
  ['@mapInsert_map_key_value', [{ a: 1 }, 'a', 2], 'eval/duplicate-key'],
  ['@mapInsert_map_key_value', [{}, 1.5, 2], 'eval/unsupported-key'],
  [
    '@mapInsert_map_map',
    [new CelMap([['a', 1]]), { b: 2 }],
    new CelMap([
      ['a', 1],
      ['b', 2],
    ]),
  ],
];

const OTHERS: readonly Case[] = [
  ['base64_encode_bytes', [new Uint8Array([0, 255, 16])], 'AP8Q'],
  ['base64_decode_string', ['aGVsbG8'], new TextEncoder().encode('hello')],
  ['base64_decode_string', ['aGVsbG8='], new TextEncoder().encode('hello')],
  ['base64_decode_string', ['aGVs bG8='], 'eval/invalid-conversion'],
  ['base64_decode_string', ['aGVsbG8=='], 'eval/invalid-conversion'],
  ['base64_decode_string', ['a'], 'eval/invalid-conversion'],
  ['base64_decode_string', ['aa='], 'eval/invalid-conversion'],
  ['base64_decode_string', ['a==='], 'eval/invalid-conversion'],
  ['base64_decode_string', ['=='], 'eval/invalid-conversion'],
  ['base64_decode_string', ['aa=a'], 'eval/invalid-conversion'],
  ['base64_decode_string', ['aGVsbG8gdw=='], new TextEncoder().encode('hello w')],
  ['optional_ofNonZeroValue', [new CelDouble(0)], new Optional(undefined)],
  ['optional_ofNonZeroValue', [new Duration(0, 0)], new Optional(undefined)],
  ['optional_ofNonZeroValue', [{}], new Optional(undefined)],
  ['optional_ofNonZeroValue', [new Timestamp(0, 0)], new Optional(new Timestamp(0, 0))],
  ['optional_value', [new Optional(null)], null],
  ['optional_value', [new Optional(undefined)], 'eval/no-value'],
  ['optional_hasValue', [new Optional(null)], true],
  ['optional_unwrap', [[new Optional(1), new Optional(undefined), new Optional(null)]], [1, null]],
  ['optional_unwrapOpt', [[1]], 'eval/host-type'],
  ['map_optindex_optional_value', [{ a: 1 }, 'a'], new Optional(1)],
  ['map_optindex_optional_value', [{ a: 1 }, 'constructor'], new Optional(undefined)],
  ['list_optindex_optional_int', [[1], 1], new Optional(undefined)],
  ['optional_list_index_int', [new Optional(['x']), 0], new Optional('x')],
  ['optional_map_index_value', [new Optional(undefined), 'a'], new Optional(undefined)],
  ['select_optional_field', [{ a: null }, 'a'], new Optional(null)],
  ['regex_extract_string_string', ['hello world', 'hello(.*)'], new Optional(' world')],
  ['regex_extract_string_string', ['phone: 555-5555', '(?:\\+)?(\\d+)x?'], new Optional('555')],
  ['regex_extract_string_string', ['HELLO', 'hello'], new Optional(undefined)],
  ['regex_extract_string_string', ['ab', '(c)?ab'], new Optional(undefined)],
  ['regex_extract_string_string', ['x', 'y*'], new Optional('')],
  ['regex_extract_string_string', ['x', '(x)(y)?'], 'regex/too-many-groups'],
  ['regex_extract_string_string', ['x', '('], 'regex/invalid-pattern'],
  ['regex_extractAll_string_string', ['id:123, id:456', 'id:\\d+'], ['id:123', 'id:456']],
  ['regex_extractAll_string_string', ['item-A, item-B', 'item-(\\w+)'], ['A', 'B']],
  ['regex_extractAll_string_string', ['abc', 'x'], []],
  ['regex_extractAll_string_string', ['baaac', 'a*'], ['', 'aaa', '']],
  ['regex_extractAll_string_string', ['😀a', '.'], ['😀', 'a']],
  ['regex_replace_string_string_string', ['baaac', 'a*', 'X'], 'XbXcX'],
  ['regex_replace_string_string_string', ['foo bar', '(fo)o (ba)r', '\\2 \\1'], 'ba fo'],
  ['regex_replace_string_string_string', ['foo bar', '(fo)o (ba)r', '[\\0]'], '[foo bar]'],
  ['regex_replace_string_string_string', ['a', '(a)', '\\10'], 'a0'],
  ['regex_replace_string_string_string', ['b', '(a)?b', '[\\1]'], '[]'],
  ['regex_replace_string_string_string', ['id=1', '(?P<n>\\d)', '$1 ${n} $$ \\\\1'], 'id=$1 ${n} $$ \\1'],
  ['regex_replace_string_string_string', ['test', '(.)', '\\2'], 'regex/unknown-group'],
  ['regex_replace_string_string_string', ['test', 'x', '\\2'], 'test'],
  ['regex_replace_string_string_string', ['test', 't', '\\x'], 'regex/invalid-replacement'],
  ['regex_replace_string_string_string', ['test', 't', 'x\\'], 'regex/invalid-replacement'],
  ['regex_replace_string_string_string', ['test', '(', 'x'], 'regex/invalid-pattern'],
  ['regex_replace_string_string_string_int', ['banana', 'a', 'x', 2], 'bxnxna'],
  ['regex_replace_string_string_string_int', ['banana', 'a', '\\1', 0], 'banana'],
  ['regex_replace_string_string_string_int', ['banana', 'a', 'x', -1], 'bxnxnx'],
  ['regex_replace_string_string_string_int', ['banana', 'a', 'x', -12], 'bxnxnx'],
  ['regex_replace_string_string_string_int', ['banana', 'a', 'x', -(2n ** 63n)], 'bxnxnx'],
  ['regex_replace_string_string_string_int', ['banana', 'a', 'x', 2n ** 63n - 1n], 'bxnxnx'],
];

describe.each([
  ['strings', STRINGS],
  ['format', FORMAT],
  ['numbers', NUMBERS],
  ['lists, sets and maps', LISTS],
  ['others', OTHERS],
])('%s', (_, cases) => {
  test.each(cases)('%s (row %#)', (id, args, expected) => {
    expect(outcome(id, args)).toEqual(expected);
  });
});

test.each<readonly [id: string, args: readonly Value[], limits: Partial<Limits>, code: string]>([
  ['string_replace_string_string', ['aaaa', 'a', 'bbb'], { maxTextLength: 10 }, 'limit/text-length'],
  ['list_join_string', [['a', 'b'], '-----'], { maxTextLength: 6 }, 'limit/text-length'],
  ['string_format', ['%s%s', [['aaaa'], 'bbbb']], { maxTextLength: 8 }, 'limit/text-length'],
  ['string_format', ['%.900f', [0.5]], { maxTextLength: 800 }, 'limit/text-length'],
  ['string_split_string', ['a,b,c', ','], { maxCollectionSize: 2 }, 'limit/collection-size'],
  ['list_flatten', [[[1, 2], [3]]], { maxCollectionSize: 2 }, 'limit/collection-size'],
  ['list_distinct', [[[1], [2], [3], [4]]], { maxSteps: 3 }, 'limit/steps'],
  ['list_sets_contains_list', [[[1], [2]], [[3]]], { maxSteps: 2 }, 'limit/steps'],
  ['regex_replace_string_string_string', ['aaaa', 'a', 'bbb'], { maxTextLength: 10 }, 'limit/text-length'],
  ['base64_encode_bytes', [new Uint8Array(4)], { maxTextLength: 7 }, 'limit/text-length'],
  ['json_encode_dyn', [['aaaa', 'bbbb']], { maxTextLength: 12 }, 'limit/text-length'],
  ['json_parse_string', ['[1, 2, 3]'], { maxCollectionSize: 3 }, 'limit/collection-size'],
  ['list_hasAny_list', [[[1], [2]], [[3]]], { maxSteps: 2 }, 'limit/steps'],
])('%s stays within the limits', (id, args, limits, code) => {
  expect((run(id, args, limits) as EvaluationError).code).toBe(code);
});

test('decodes or rejects ten million characters of base64 without exhausting the stack', () => {
  const text = 'A'.repeat(10_000_000);
  expect((run('base64_decode_string', [text]) as Uint8Array).length).toBe(7_500_000);
  expect((run('base64_decode_string', [`${text}!`]) as EvaluationError).code).toBe('eval/invalid-conversion');
});

test('formatting a list that contains another one many times stops at the limit', () => {
  let list: Value = ['x'];
  for (let depth = 0; depth < 60; depth++) list = [list, list];
  expect((run('string_format', ['%s', [list]], { maxTextLength: 1000 }) as EvaluationError).code).toBe(
    'limit/text-length',
  );
});
