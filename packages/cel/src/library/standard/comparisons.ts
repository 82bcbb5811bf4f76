import type { FunctionDecl } from '../../ast/declaration.ts';
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, type Type, UINT } from '../../types/type.ts';
import { type Example, overload } from '../declarations/declare.ts';

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
