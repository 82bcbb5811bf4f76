import type { LintRule } from '../../rule-api/lint-rule.ts';
import { BODY_TYPE_MISMATCH } from './body-type-mismatch.ts';
import { CACHE_CONTROL_MISSING } from './cache-control-missing.ts';
import { CONTENT_TYPE_MISSING } from './content-type-missing.ts';
import { DENY_SUCCESS_STATUS } from './deny-success-status.ts';
import { METHOD_CASE } from './method-case.ts';
import { METHOD_UNKNOWN } from './method-unknown.ts';
import { REDIRECT_WITHOUT_LOCATION } from './redirect-without-location.ts';
import { RETRY_AFTER_MISSING } from './retry-after-missing.ts';
import { STATUS_FORBIDS_BODY } from './status-forbids-body.ts';
import { STATUS_RANGE } from './status-range.ts';

/** Lint rules about methods, statuses and bodies. */
export const HTTP_RULES: readonly LintRule[] = [
  METHOD_UNKNOWN,
  METHOD_CASE,
  STATUS_RANGE,
  DENY_SUCCESS_STATUS,
  STATUS_FORBIDS_BODY,
  REDIRECT_WITHOUT_LOCATION,
  CONTENT_TYPE_MISSING,
  BODY_TYPE_MISMATCH,
  RETRY_AFTER_MISSING,
  CACHE_CONTROL_MISSING,
];
