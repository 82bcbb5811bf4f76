import type { LintRule } from '../../rule-api/lint-rule.ts';
import { OBSOLETE_ALLOWED } from './obsolete-allowed.ts';
import { VERSION_LEXICAL } from './version-lexical.ts';
import { VERSION_UNKNOWN } from './version-unknown.ts';

/** Lint rules about TLS. */
export const TLS_RULES: readonly LintRule[] = [VERSION_UNKNOWN, VERSION_LEXICAL, OBSOLETE_ALLOWED];
