import { EvaluationError } from './value.ts';

// Created once and marked pure, as in `errors.ts`.

export const TEXT_INDEX_OUT_OF_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the position is outside the text',
);

export const INVALID_TEXT_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the text has no range from and to these positions',
);

export const INVALID_LIST_RANGE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/index-out-of-range',
  'the list has no range from and to these positions',
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
  'NaN has no order among numbers',
);

export const DIFFERENT_LENGTHS: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-argument',
  'there must be as many keys as elements',
);

export const INVALID_BASE64: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'the text is not base64',
);

export const NO_JSON: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'JSON has no form for the value',
);

export const INVALID_IP: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'the text is not an IP address, or is one with a zone or an IPv4 address inside IPv6',
);

export const INVALID_CIDR: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-conversion',
  'the text is not a range of IP addresses such as `10.0.0.0/8`',
);

export const NO_VALUE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/no-value',
  'the optional holds no value',
);

export const TOO_MANY_GROUPS: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'regex/too-many-groups',
  'the pattern has more than one capturing group',
);
