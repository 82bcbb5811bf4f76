import type { LintRule } from '../../rule/lint-rule.ts';
import { IN_ON_HEADER_LIST } from './in-on-header-list.ts';
import { LEXICAL_NUMBER_COMPARE } from './lexical-number-compare.ts';
import { UNGUARDED_INDEX } from './unguarded-index.ts';
import { UNGUARDED_OPTIONAL } from './unguarded-optional.ts';

/** What types alone do not forbid, and is a mistake all the same. */
export const TYPE_RULES: readonly LintRule[] = [
  IN_ON_HEADER_LIST,
  LEXICAL_NUMBER_COMPARE,
  UNGUARDED_INDEX,
  UNGUARDED_OPTIONAL,
];
