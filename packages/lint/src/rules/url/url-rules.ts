import type { LintRule } from '../../rule-api/lint-rule.ts';
import { IMPOSSIBLE_TEXT } from './match/impossible-text.ts';
import { NORMALISATION_BYPASS } from './match/normalisation-bypass.ts';
import { PATH_SPELLINGS } from './match/path-spellings.ts';
import { PATH_VS_FULL_URL } from './match/path-vs-full-url.ts';
import { PREFIX_BOUNDARY } from './match/prefix-boundary.ts';
import { UNANCHORED } from './match/unanchored.ts';
import { UNESCAPED_DOT } from './match/unescaped-dot.ts';
import { CAPTURE_OUT_OF_RANGE } from './replace/capture-out-of-range.ts';
import { DOUBLE_QUESTION_MARK } from './replace/double-question-mark.ts';
import { OPEN_REDIRECT } from './replace/open-redirect.ts';
import { QUERY_DROPPED } from './replace/query-dropped.ts';
import { REDIRECT_LOOP } from './replace/redirect-loop.ts';
import { REPLACED_EARLIER } from './replace/replaced-earlier.ts';
import { REWRITE_LOOP } from './replace/rewrite-loop.ts';
import { REWRITE_PAST_GUARD } from './replace/rewrite-past-guard.ts';
import { UNKNOWN_NAMED_VARIABLE } from './replace/unknown-named-variable.ts';
import { UNUSED_CAPTURE } from './replace/unused-capture.ts';

/** Lint rules about requested URLs, rewrites and redirects. */
export const URL_RULES: readonly LintRule[] = [
  UNANCHORED,
  UNESCAPED_DOT,
  CAPTURE_OUT_OF_RANGE,
  UNUSED_CAPTURE,
  REPLACED_EARLIER,
  REWRITE_LOOP,
  REDIRECT_LOOP,
  OPEN_REDIRECT,
  DOUBLE_QUESTION_MARK,
  QUERY_DROPPED,
  UNKNOWN_NAMED_VARIABLE,
  PATH_VS_FULL_URL,
  PREFIX_BOUNDARY,
  NORMALISATION_BYPASS,
  IMPOSSIBLE_TEXT,
  PATH_SPELLINGS,
  REWRITE_PAST_GUARD,
];
