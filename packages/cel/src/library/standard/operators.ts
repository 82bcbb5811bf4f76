import type { FunctionDecl } from '../../ast/declaration.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  paramType,
  STRING,
  TIMESTAMP,
  UINT,
} from '../../types/type.ts';
import { overload } from '../declarations/declare.ts';

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
