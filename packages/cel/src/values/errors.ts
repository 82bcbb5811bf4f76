// The errors that evaluations share.

import { EvaluationError } from './value.ts';

// Errors without run-time arguments are created once; evaluators add the location. Each is marked pure, so that bundlers drop those that a
// compiled program does not use.

export const INT_OVERFLOW: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/overflow',
  'the result is out of the range of `int`',
);

export const UINT_OVERFLOW: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/overflow',
  'the result is out of the range of `uint`',
);

export const TIMESTAMP_OVERFLOW: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/overflow',
  'the timestamp is out of the range from year 1 to 9999',
);

export const DURATION_OVERFLOW: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/overflow',
  'the duration is longer than 292 years',
);

export const DIVISION_BY_ZERO: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/division-by-zero',
  'division by zero',
);

export const MODULUS_BY_ZERO: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/division-by-zero',
  'modulus by zero',
);

export const INDEX_OUT_OF_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the list has no element at this index',
);

export const NO_SUCH_KEY: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/no-such-key',
  'the map has no such key',
);

export const DUPLICATE_KEY: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/duplicate-key',
  'the map has two entries with the same key',
);

export const UNSUPPORTED_KEY: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/unsupported-key',
  'a map key must be a bool, int, uint or string',
);

export const NO_MATCHING_OVERLOAD: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/no-matching-overload',
  'no overload takes values of these types',
);

export const HOST_TYPE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/host-type',
  'the value from the host is not of its declared type',
);

export const INVALID_TIME_ZONE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-time-zone',
  'expected an IANA time zone name, or an offset such as `+05:30`',
);

export const INVALID_TIMESTAMP: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected a timestamp such as `2026-01-01T00:00:00Z`',
);

export const INVALID_DURATION: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected a duration such as `1h30m` or `1.5s`',
);

export const INVALID_INT: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected an `int` in decimal digits',
);

export const INVALID_UINT: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected a `uint` in decimal digits',
);

export const INVALID_DOUBLE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected a number such as `1.5` or `1e3`',
);

export const DOUBLE_OVERFLOW: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/overflow',
  'the number is out of the range of `double`',
);

export const INVALID_BOOL: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected `true` or `false`',
);

export const INVALID_UTF8: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'the bytes are not valid UTF-8',
);

export const STRING_TOO_LONG: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'limit/text-length',
  'the string is longer than the limit `maxTextLength`',
);

export const COLLECTION_TOO_LARGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'limit/collection-size',
  'the list or map is larger than the limit `maxCollectionSize`',
);

export const OUT_OF_STEPS: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'limit/steps',
  'the evaluation takes more steps than the limit `maxSteps`',
);

export const PATTERN_TOO_LARGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'limit/pattern-size',
  'the regular expression is larger than the limit `maxPatternSize`',
);

export const NO_PATTERN_ENGINE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/no-pattern-engine',
  "the pattern needs the RE2 engine; add `RE2_LIBRARY` to the environment's libraries",
);

export const NESTED_TOO_DEEPLY: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'limit/value-depth',
  'the value is nested too deeply',
);

/** For a name known at compile time, so that the error is created once. */
export function noSuchField(name: string): EvaluationError {
  return new EvaluationError('eval/no-such-field', `the value has no field \`${name}\``);
}

/** For a key known at compile time, so that the error is created once. */
export function noSuchKey(key: string): EvaluationError {
  return new EvaluationError('eval/no-such-key', `the map has no key ${key}`);
}

// Created once and marked pure, as in `errors.ts`.

export const STRING_INDEX_OUT_OF_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the position is outside the string',
);

export const INVALID_STRING_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the range is outside the string',
);

export const INVALID_LIST_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the range is outside the list',
);

export const NEGATIVE_COUNT: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-argument',
  'the number must not be negative',
);

export const EMPTY_LIST: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-argument',
  'the list must not be empty',
);

export const UNORDERED: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-argument',
  'NaN cannot be ordered',
);

export const DIFFERENT_LENGTHS: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-argument',
  'the number of keys differs from the number of elements',
);

export const INVALID_BASE64: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'the string is not valid base64',
);

export const NO_JSON: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'the value has no JSON representation',
);

export const INVALID_IP: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected an IP address without a zone or an embedded IPv4 address',
);

export const INVALID_CIDR: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'expected an IP address range such as `10.0.0.0/8`',
);

export const NO_VALUE: EvaluationError = /* @__PURE__ */ new EvaluationError('eval/no-value', 'the optional is empty');

export const TOO_MANY_GROUPS: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'regex/too-many-groups',
  'the pattern has more than one capturing group',
);
