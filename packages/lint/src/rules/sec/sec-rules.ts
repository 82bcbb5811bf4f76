import type { LintRule } from '../../rule-api/lint-rule.ts';
import { CHECK_NEVER_RUNS } from './check-never-runs.ts';
import { CHECK_SKIPPED } from './check-skipped.ts';
import { DEBUG_ECHO } from './debug-echo.ts';
import { FAILS_OPEN } from './fails-open.ts';
import { IDENTITY_UNCHECKED } from './identity-unchecked.ts';
import { INSECURE_KEY_SOURCE } from './insecure-key-source.ts';
import { JWT_ALGORITHM_CONFUSION } from './jwt-algorithm-confusion.ts';
import { JWT_AUDIENCE_MISSING } from './jwt-audience-missing.ts';
import { LOG_SENSITIVE } from './log-sensitive.ts';
import { NOT_ENFORCED } from './not-enforced.ts';
import { SECRET_LITERAL } from './secret-literal.ts';
import { SUFFIX_BOUNDARY } from './suffix-boundary.ts';
import { VERSION_DISCLOSURE } from './version-disclosure.ts';
import { WEAK_COMPARISON } from './weak-comparison.ts';

/** Lint rules about access control, secrets and disclosure. */
export const SEC_RULES: readonly LintRule[] = [
  SECRET_LITERAL,
  LOG_SENSITIVE,
  DEBUG_ECHO,
  VERSION_DISCLOSURE,
  WEAK_COMPARISON,
  NOT_ENFORCED,
  JWT_ALGORITHM_CONFUSION,
  INSECURE_KEY_SOURCE,
  JWT_AUDIENCE_MISSING,
  SUFFIX_BOUNDARY,
  IDENTITY_UNCHECKED,
  CHECK_NEVER_RUNS,
  FAILS_OPEN,
  CHECK_SKIPPED,
];
