import type { LintRule } from '../../rule-api/lint-rule.ts';
import { IGNORE_EXPIRED } from './ignore-expired.ts';
import { IGNORE_WITHOUT_REASON } from './ignore-without-reason.ts';
import { MALFORMED_IGNORE } from './malformed-ignore.ts';
import { UNKNOWN_RULE } from './unknown-rule.ts';
import { UNUSED_IGNORE } from './unused-ignore.ts';

/** Lint rules about suppressions. */
export const META_RULES: readonly LintRule[] = [
  UNUSED_IGNORE,
  IGNORE_WITHOUT_REASON,
  IGNORE_EXPIRED,
  UNKNOWN_RULE,
  MALFORMED_IGNORE,
];
