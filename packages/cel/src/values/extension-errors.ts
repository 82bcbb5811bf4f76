import { EvaluationError } from './value.ts';

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
