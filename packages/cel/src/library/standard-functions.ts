import type { FunctionDecl, Overload } from '../ast/ast.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  paramType,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../ast/types.ts';
import { stringToBool, stringToDouble, stringToInt, stringToUint } from '../runtime/conversion.ts';
import { stringToDuration, stringToTimestamp, timeZoneOf } from '../values/time.ts';
import { type ConstantCheck, type Example, member, overload } from './library.ts';

function conversion(convert: (text: string) => unknown, expected: string): ConstantCheck {
  return { kind: 'conversion', convert, expected };
}

const TIME_ZONE = conversion(timeZoneOf, 'a time zone such as `Europe/Berlin` or `+02:00`');
const ZONED = 'year month day_of_year day_of_month day_of_month_1_based day_of_week hours minutes milliseconds'.split(
  ' ',
);

/** By overload id. */
export const STANDARD_CONSTANT_CHECKS: Readonly<Record<string, ConstantCheck>> = {
  matches: { kind: 'pattern', arg: 1 },
  matches_string: { kind: 'pattern', arg: 0 },
  string_to_timestamp: conversion(stringToTimestamp, 'a timestamp such as `2026-01-31T12:00:00Z`'),
  string_to_duration: conversion(stringToDuration, 'a duration such as `1h30m` or `0.5s`'),
  string_to_int64: conversion(stringToInt, 'an integer that fits in 64 bits'),
  string_to_uint64: conversion(stringToUint, 'an unsigned integer that fits in 64 bits'),
  string_to_double: conversion(stringToDouble, 'a number'),
  string_to_bool: conversion(stringToBool, '`true` or `false`'),
  ...Object.fromEntries(ZONED.map(part => [`timestamp_to_${part}_with_tz`, TIME_ZONE])),
  timestamp_to_seconds_tz: TIME_ZONE,
};

const A = paramType('A');
const B = paramType('B');

const LOGIC: readonly FunctionDecl[] = [
  {
    name: '_?_:_',
    doc: 'Returns the second operand if the first is true, otherwise the third. Only that operand is evaluated.',
    overloads: [overload('conditional', [BOOL, A, A], A, ["1 < 2 ? 'less' : 'more'", "'less'"])],
  },
  {
    name: '_&&_',
    doc: 'Returns true if both operands are true, and false if either is false, even if the other is an error.',
    overloads: [overload('logical_and', [BOOL, BOOL], BOOL, ['1 / 0 == 1 && false', 'false'])],
  },
  {
    name: '_||_',
    doc: 'Returns true if either operand is true, even if the other is an error.',
    overloads: [overload('logical_or', [BOOL, BOOL], BOOL, ['1 / 0 == 1 || true', 'true'])],
  },
  {
    name: '!_',
    doc: 'Negates a bool.',
    overloads: [overload('logical_not', [BOOL], BOOL, ['!true', 'false'])],
  },
  {
    name: '@not_strictly_false',
    doc: 'Returns false for false and true for everything else, errors included. Macros use it to end their loops.',
    overloads: [overload('not_strictly_false', [BOOL], BOOL)],
  },
];

const EQUALITY: readonly FunctionDecl[] = [
  {
    name: '_==_',
    doc: 'Returns true if two values are equal. Numbers are compared by value across int, uint and double; lists and maps by their elements.',
    overloads: [overload('equals', [A, A], BOOL, ["{'a': [1]} == {'a': [1]}", 'true'], ['dyn(1) == 1.0', 'true'])],
  },
  {
    name: '_!=_',
    doc: 'Returns true if two values differ.',
    overloads: [overload('not_equals', [A, A], BOOL, ["'a' != 'b'", 'true'])],
  },
];

const ARITHMETIC: readonly FunctionDecl[] = [
  {
    name: '_+_',
    doc: 'Adds numbers, timestamps and durations; concatenates strings, bytes and lists. A result out of range is an error.',
    overloads: [
      overload('add_int64', [INT, INT], INT, ['1 + 2', '3']),
      overload('add_uint64', [UINT, UINT], UINT, ['1u + 2u', '3u']),
      overload('add_double', [DOUBLE, DOUBLE], DOUBLE, ['0.5 + 1.0', '1.5']),
      overload('add_string', [STRING, STRING], STRING, ["'toll' + 'gate'", "'tollgate'"]),
      overload('add_bytes', [BYTES, BYTES], BYTES, ["b'a' + b'b'", "b'ab'"]),
      overload('add_list', [listOf(A), listOf(A)], listOf(A), ['[1] + [2, 3]', '[1, 2, 3]']),
      overload('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, [
        "timestamp('2026-01-01T00:00:00Z') + duration('90s')",
        "timestamp('2026-01-01T00:01:30Z')",
      ]),
      overload('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP, [
        "duration('1h') + timestamp('2026-01-01T00:00:00Z')",
        "timestamp('2026-01-01T01:00:00Z')",
      ]),
      overload('add_duration_duration', [DURATION, DURATION], DURATION, [
        "duration('1m') + duration('30s')",
        "duration('90s')",
      ]),
    ],
  },
  {
    name: '_-_',
    doc: 'Subtracts numbers, timestamps and durations. A result out of range is an error.',
    overloads: [
      overload('subtract_int64', [INT, INT], INT, ['1 - 2', '-1']),
      overload('subtract_uint64', [UINT, UINT], UINT, ['3u - 2u', '1u']),
      overload('subtract_double', [DOUBLE, DOUBLE], DOUBLE, ['1.5 - 1.0', '0.5']),
      overload('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION, [
        "timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z')",
        "duration('24h')",
      ]),
      overload('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, [
        "timestamp('2026-01-01T00:00:00Z') - duration('1s')",
        "timestamp('2025-12-31T23:59:59Z')",
      ]),
      overload('subtract_duration_duration', [DURATION, DURATION], DURATION, [
        "duration('1m') - duration('30s')",
        "duration('30s')",
      ]),
    ],
  },
  {
    name: '_*_',
    doc: 'Multiplies two numbers of the same type. An integer out of range is an error.',
    overloads: [
      overload('multiply_int64', [INT, INT], INT, ['6 * -7', '-42']),
      overload('multiply_uint64', [UINT, UINT], UINT, ['6u * 7u', '42u']),
      overload('multiply_double', [DOUBLE, DOUBLE], DOUBLE, ['1.5 * 3.0', '4.5']),
    ],
  },
  {
    name: '_/_',
    doc: 'Divides two numbers of the same type. Integer division truncates, and dividing an integer by zero is an error.',
    overloads: [
      overload('divide_int64', [INT, INT], INT, ['-7 / 2', '-3']),
      overload('divide_uint64', [UINT, UINT], UINT, ['7u / 2u', '3u']),
      overload('divide_double', [DOUBLE, DOUBLE], DOUBLE, ['7.0 / 2.0', '3.5']),
    ],
  },
  {
    name: '_%_',
    doc: 'Returns the remainder of integer division, with the sign of the dividend.',
    overloads: [
      overload('modulo_int64', [INT, INT], INT, ['-7 % 2', '-1']),
      overload('modulo_uint64', [UINT, UINT], UINT, ['7u % 2u', '1u']),
    ],
  },
  {
    name: '-_',
    doc: 'Negates a number. The least int has no opposite, which is an error.',
    overloads: [
      overload('negate_int64', [INT], INT, ['-(1 + 1)', '-2']),
      overload('negate_double', [DOUBLE], DOUBLE, ['-(0.5)', '-0.5']),
    ],
  },
];

const ACCESS: readonly FunctionDecl[] = [
  {
    name: '_[_]',
    doc: 'Returns the element of a list at an index from 0, or the value of a map at a key. A missing element is an error.',
    overloads: [
      overload('index_list', [listOf(A), INT], A, ["['a', 'b'][1]", "'b'"]),
      overload('index_map', [mapOf(A, B), A], B, ["{'a': 1}['a']", '1']),
    ],
  },
  {
    name: '@in',
    doc: 'Returns true if a value is an element of a list, or a key of a map.',
    overloads: [
      overload('in_list', [A, listOf(A)], BOOL, ['2 in [1, 2, 3]', 'true']),
      overload('in_map', [A, mapOf(A, B)], BOOL, ["'a' in {'a': 1}", 'true']),
    ],
  },
];

export const OPERATORS: readonly FunctionDecl[] = [...LOGIC, ...EQUALITY, ...ARITHMETIC, ...ACCESS];

/** The ordered types: the suffix of the overload id, and the operand types. */
const ORDERED: readonly (readonly [suffix: string, left: Type, right: Type])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT],
  ['int64_double', INT, DOUBLE],
  ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT],
  ['uint64_double', UINT, DOUBLE],
  ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE],
  ['double_int64', DOUBLE, INT],
  ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING],
  ['bytes', BYTES, BYTES],
  ['timestamp', TIMESTAMP, TIMESTAMP],
  ['duration', DURATION, DURATION],
];

export const COMPARISONS: readonly FunctionDecl[] = [
  comparison('_<_', 'less', 'Returns true if the first operand is less than the second.', [
    ['1 < 2u', 'true'],
    ["'\\uFFFF' < '\\U0001F600'", 'true'],
    ["duration('59s') < duration('1m')", 'true'],
  ]),
  comparison('_<=_', 'less_equals', 'Returns true if the first operand is less than or equal to the second.', [
    ['2 <= 2.0', 'true'],
    ['false <= true', 'true'],
  ]),
  comparison('_>_', 'greater', 'Returns true if the first operand is greater than the second.', [
    ['2.5 > 2', 'true'],
    ["b'b' > b'ab'", 'true'],
  ]),
  comparison('_>=_', 'greater_equals', 'Returns true if the first operand is greater than or equal to the second.', [
    ['2u >= 3u', 'false'],
    ["timestamp('2026-01-02T00:00:00Z') >= timestamp('2026-01-01T00:00:00Z')", 'true'],
  ]),
];

function comparison(name: string, idPrefix: string, summary: string, examples: readonly Example[]): FunctionDecl {
  return {
    name,
    doc: `${summary} Numbers are compared by value across types, strings by code points.`,
    overloads: ORDERED.map(([suffix, left, right], index) =>
      overload(`${idPrefix}_${suffix}`, [left, right], BOOL, ...(index === 0 ? examples : [])),
    ),
  };
}

const ANY = paramType('A');

const TO_NUMBERS: readonly FunctionDecl[] = [
  {
    name: 'int',
    doc: 'Converts a value to an int: doubles are truncated, timestamps are seconds since 1970, durations are nanoseconds. A value out of range is an error.',
    overloads: [
      overload('int64_to_int64', [INT], INT, ['int(1)', '1']),
      overload('uint64_to_int64', [UINT], INT, ['int(1u)', '1']),
      overload('double_to_int64', [DOUBLE], INT, ['int(-1.9)', '-1']),
      overload('string_to_int64', [STRING], INT, ["int('-42')", '-42']),
      overload('timestamp_to_int64', [TIMESTAMP], INT, ["int(timestamp('1970-01-01T00:01:00Z'))", '60']),
      overload('duration_to_int64', [DURATION], INT, ["int(duration('1us'))", '1000']),
    ],
  },
  {
    name: 'uint',
    doc: 'Converts a value to a uint: doubles are truncated. A negative or too large value is an error.',
    overloads: [
      overload('uint64_to_uint64', [UINT], UINT, ['uint(1u)', '1u']),
      overload('int64_to_uint64', [INT], UINT, ['uint(1)', '1u']),
      overload('double_to_uint64', [DOUBLE], UINT, ['uint(1.9)', '1u']),
      overload('string_to_uint64', [STRING], UINT, ["uint('42')", '42u']),
    ],
  },
  {
    name: 'double',
    doc: 'Converts a value to a double. Integers beyond 2^53 are rounded.',
    overloads: [
      overload('double_to_double', [DOUBLE], DOUBLE, ['double(1.5)', '1.5']),
      overload('int64_to_double', [INT], DOUBLE, ['double(2)', '2.0']),
      overload('uint64_to_double', [UINT], DOUBLE, ['double(2u)', '2.0']),
      overload('string_to_double', [STRING], DOUBLE, ["double('1e3')", '1000.0']),
    ],
  },
];

const TO_STRING: readonly FunctionDecl[] = [
  {
    name: 'string',
    doc: 'Converts a value to a string. Bytes must be valid UTF-8; timestamps use RFC 3339, durations are in seconds.',
    overloads: [
      overload('string_to_string', [STRING], STRING, ["string('a')", "'a'"]),
      overload('bool_to_string', [BOOL], STRING, ['string(true)', "'true'"]),
      overload('int64_to_string', [INT], STRING, ['string(-1)', "'-1'"]),
      overload('uint64_to_string', [UINT], STRING, ['string(1u)', "'1'"]),
      overload('double_to_string', [DOUBLE], STRING, ['string(1.5)', "'1.5'"]),
      overload('bytes_to_string', [BYTES], STRING, ["string(b'\\xc3\\xbc')", "'ü'"]),
      overload('timestamp_to_string', [TIMESTAMP], STRING, [
        "string(timestamp('2026-01-01T00:00:00.5Z'))",
        "'2026-01-01T00:00:00.5Z'",
      ]),
      overload('duration_to_string', [DURATION], STRING, ["string(duration('1m30s'))", "'90s'"]),
    ],
  },
  {
    name: 'bytes',
    doc: 'Converts a value to bytes; strings are encoded as UTF-8.',
    overloads: [
      overload('bytes_to_bytes', [BYTES], BYTES, ["bytes(b'a')", "b'a'"]),
      overload('string_to_bytes', [STRING], BYTES, ["bytes('ü')", "b'\\xc3\\xbc'"]),
    ],
  },
];

const TO_TIMES: readonly FunctionDecl[] = [
  {
    name: 'timestamp',
    doc: 'Converts an RFC 3339 string, or seconds since 1970, to a timestamp. A year outside 1 to 9999 is an error.',
    overloads: [
      overload('timestamp_to_timestamp', [TIMESTAMP], TIMESTAMP, ['timestamp(timestamp(0)) == timestamp(0)', 'true']),
      overload('string_to_timestamp', [STRING], TIMESTAMP, [
        "timestamp('2026-01-01T01:00:00+01:00')",
        "timestamp('2026-01-01T00:00:00Z')",
      ]),
      overload('int64_to_timestamp', [INT], TIMESTAMP, ['timestamp(60)', "timestamp('1970-01-01T00:01:00Z')"]),
    ],
  },
  {
    name: 'duration',
    doc: 'Converts a string of numbers, each with a unit of h, m, s, ms, us or ns, to a duration.',
    overloads: [
      overload('duration_to_duration', [DURATION], DURATION, ["duration(duration('1s'))", "duration('1s')"]),
      overload('string_to_duration', [STRING], DURATION, ["duration('-1h30m')", "duration('-5400s')"]),
    ],
  },
];

export const CONVERSIONS: readonly FunctionDecl[] = [
  ...TO_NUMBERS,
  ...TO_STRING,
  ...TO_TIMES,
  {
    name: 'bool',
    doc: 'Converts a string to a bool: `1`, `t`, `true`, `TRUE`, `True`, and the same forms of false.',
    overloads: [
      overload('bool_to_bool', [BOOL], BOOL, ['bool(true)', 'true']),
      overload('string_to_bool', [STRING], BOOL, ["bool('True')", 'true']),
    ],
  },
  {
    name: 'dyn',
    doc: 'Returns the value with its static type hidden, so that types are checked at run time.',
    overloads: [overload('to_dyn', [ANY], DYN, ["dyn(1) == 'a'", 'false'])],
  },
  {
    name: 'type',
    doc: 'Returns the type of a value.',
    overloads: [overload('type', [ANY], typeOf(ANY), ['type(1.0) == double', 'true'])],
  },
];

const LIST = listOf(paramType('A'));
const MAP = mapOf(paramType('A'), paramType('B'));

export const STRING_FUNCTIONS: readonly FunctionDecl[] = [
  {
    name: 'size',
    doc: 'Returns the number of code points in a string, of bytes, of elements in a list, or of entries in a map.',
    overloads: [
      overload('size_string', [STRING], INT, ["size('ü😀')", '2']),
      member('string_size', [STRING], INT, ["'abc'.size()", '3']),
      overload('size_bytes', [BYTES], INT, ["size(b'\\xff')", '1']),
      member('bytes_size', [BYTES], INT, ["b'ab'.size()", '2']),
      overload('size_list', [LIST], INT, ['size([1, 2])', '2']),
      member('list_size', [LIST], INT, ['[].size()', '0']),
      overload('size_map', [MAP], INT, ["size({'a': 1})", '1']),
      member('map_size', [MAP], INT, ['{}.size()', '0']),
    ],
  },
  {
    name: 'contains',
    doc: 'Returns true if the string contains the substring.',
    overloads: [onText('contains_string', ["'tollgate'.contains('gate')", 'true'])],
  },
  {
    name: 'startsWith',
    doc: 'Returns true if the string starts with the prefix.',
    overloads: [onText('starts_with_string', ["'/api/users'.startsWith('/api/')", 'true'])],
  },
  {
    name: 'endsWith',
    doc: 'Returns true if the string ends with the suffix.',
    overloads: [onText('ends_with_string', ["'index.php'.endsWith('.php')", 'true'])],
  },
  {
    name: 'matches',
    doc: 'Returns true if a part of the string matches the regular expression, in RE2 syntax and in linear time.',
    overloads: [
      overload('matches', [STRING, STRING], BOOL, ["matches('/users/42', '^/users/[0-9]+$')", 'true']),
      onText('matches_string', ["'/users/42'.matches('^/users/[a-z]+$')", 'false']),
    ],
  },
];

function onText(id: string, example: Example): Overload {
  const params: readonly Type[] = [STRING, STRING];
  return member(id, params, BOOL, example);
}

const NOON = "timestamp('2026-03-01T12:34:56.789Z')";

/** A part of a date: method, overload id, description, its value for {@link NOON}, and in a time zone 13 hours ahead. */
type DatePart = readonly [name: string, id: string, doc: string, utc: number, ahead: number];

const DATE_PARTS: readonly DatePart[] = [
  ['getFullYear', 'year', 'The year.', 2026, 2026],
  ['getMonth', 'month', 'Returns the month, from 0 for January.', 2, 2],
  ['getDayOfYear', 'day_of_year', 'Returns the day of the year, from 0.', 59, 60],
  ['getDayOfMonth', 'day_of_month', 'Returns the day of the month, from 0.', 0, 1],
  ['getDate', 'day_of_month_1_based', 'Returns the day of the month, from 1.', 1, 2],
  ['getDayOfWeek', 'day_of_week', 'Returns the day of the week, from 0 for Sunday.', 0, 1],
];

const CLOCK_PARTS: readonly DatePart[] = [
  ['getHours', 'hours', 'Returns the hour of the day, or the whole hours of a duration.', 12, 1],
  ['getMinutes', 'minutes', 'Returns the minute of the hour, or the whole minutes of a duration.', 34, 34],
  ['getSeconds', 'seconds', 'Returns the second of the minute, or the whole seconds of a duration.', 56, 56],
  ['getMilliseconds', 'milliseconds', 'Returns the millisecond of the second of a timestamp or duration.', 789, 789],
];

const DURATION_EXAMPLES: Readonly<Record<string, Example>> = {
  hours: ["duration('90m').getHours()", '1'],
  minutes: ["duration('90m').getMinutes()", '90'],
  seconds: ["duration('90m').getSeconds()", '5400'],
  milliseconds: ["duration('1.234s').getMilliseconds()", '234'],
};

export const TIME_PARTS: readonly FunctionDecl[] = [
  ...DATE_PARTS.map(part => datePart(part, [])),
  ...CLOCK_PARTS.map(part => datePart(part, [durationPart(part[1])])),
];

function datePart([name, id, doc, utc, ahead]: DatePart, others: readonly Overload[]): FunctionDecl {
  return {
    name,
    doc: `${doc} In UTC, or in the time zone given by its IANA name or as an offset such as \`+05:30\`.`,
    overloads: [
      member(`timestamp_to_${id}`, [TIMESTAMP], INT, [`${NOON}.${name}()`, `${utc}`]),
      member(zonedId(id), [TIMESTAMP, STRING], INT, [`${NOON}.${name}('+13:00')`, `${ahead}`]),
      ...others,
    ],
  };
}

/** The reference implementation names the overload for seconds differently. */
function zonedId(id: string): string {
  return id === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${id}_with_tz`;
}

function durationPart(id: string): Overload {
  return member(`duration_to_${id}`, [DURATION], INT, DURATION_EXAMPLES[id]!);
}
