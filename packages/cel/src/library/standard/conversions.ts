import type { FunctionDecl } from '../../ast/declaration.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  paramType,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
} from '../../types/type.ts';
import { overload } from '../declarations/declare.ts';

const A = paramType('A');

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
    overloads: [overload('to_dyn', [A], DYN, ["dyn(1) == 'a'", 'false'])],
  },
  {
    name: 'type',
    doc: 'Returns the type of a value.',
    overloads: [overload('type', [A], typeOf(A), ['type(1.0) == double', 'true'])],
  },
];
