import type { LintRule } from '../../rule-api/lint-rule.ts';
import { CLASS_OF_QUANTIFIERS } from './class-of-quantifiers.ts';
import { OVERBROAD } from './overbroad.ts';
import { PREFER_STRING_OP } from './prefer-string-op.ts';
import { REDOS } from './redos.ts';
import { UNANCHORED_ALLOW } from './unanchored-allow.ts';

/** Lint rules about regular expressions. */
export const REGEX_RULES: readonly LintRule[] = [
  REDOS,
  PREFER_STRING_OP,
  CLASS_OF_QUANTIFIERS,
  OVERBROAD,
  UNANCHORED_ALLOW,
];
