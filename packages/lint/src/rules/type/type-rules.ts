import type { LintRule } from '../../rule/lint-rule.ts';
import { IN_ON_HEADER_LIST } from './in-on-header-list.ts';

/** What types alone do not forbid, and is a mistake all the same. */
export const TYPE_RULES: readonly LintRule[] = [IN_ON_HEADER_LIST];
