import type { LintRule } from '../../rule-api/lint-rule.ts';
import { ALIAS } from './alias.ts';
import { CONFIG_NULL_VS_MISSING } from './config-null-vs-missing.ts';
import { CONFUSABLE_TEXT } from './confusable-text.ts';
import { COPIED_POLICY } from './copied-policy.ts';
import { DISABLED_POLICY } from './disabled-policy.ts';
import { EMPTY_EXPRESSIONS } from './empty-expressions.ts';
import { EMPTY_PHASE } from './empty-phase.ts';
import { LEGACY_DIALECT } from './legacy-dialect.ts';

/** Lint rules about the policy document. */
export const DOC_RULES: readonly LintRule[] = [
  ALIAS,
  CONFIG_NULL_VS_MISSING,
  CONFUSABLE_TEXT,
  COPIED_POLICY,
  DISABLED_POLICY,
  EMPTY_EXPRESSIONS,
  EMPTY_PHASE,
  LEGACY_DIALECT,
];
