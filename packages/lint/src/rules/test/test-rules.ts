import type { LintRule } from '../../rule-api/lint-rule.ts';
import { FOCUSED } from './focused.ts';
import { RULE_UNTESTED } from './rule-untested.ts';
import { SKIP_WITHOUT_REASON } from './skip-without-reason.ts';
import { UNKNOWN_RULE } from './unknown-rule.ts';
import { UNUSED_FIXTURE } from './unused-fixture.ts';

/** Lint rules about policy tests. */
export const TEST_RULES: readonly LintRule[] = [
  FOCUSED,
  RULE_UNTESTED,
  SKIP_WITHOUT_REASON,
  UNKNOWN_RULE,
  UNUSED_FIXTURE,
];
