import type { LintRule } from '../../rule/lint-rule.ts';
import { DEBUG_ECHO } from './debug-echo.ts';
import { LOG_SENSITIVE } from './log-sensitive.ts';
import { SECRET_LITERAL } from './secret-literal.ts';
import { VERSION_DISCLOSURE } from './version-disclosure.ts';
import { WEAK_COMPARISON } from './weak-comparison.ts';

/** Secrets, and what nobody is to know. */
export const SEC_RULES: readonly LintRule[] = [
  SECRET_LITERAL,
  LOG_SENSITIVE,
  DEBUG_ECHO,
  VERSION_DISCLOSURE,
  WEAK_COMPARISON,
];
