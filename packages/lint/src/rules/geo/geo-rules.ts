import type { LintRule } from '../../rule-api/lint-rule.ts';
import { COUNTRY_CASE } from './country-case.ts';
import { COUNTRY_CODE } from './country-code.ts';
import { SPECIAL_CODE } from './special-code.ts';

/** Lint rules about the location of addresses. */
export const GEO_RULES: readonly LintRule[] = [COUNTRY_CODE, COUNTRY_CASE, SPECIAL_CODE];
