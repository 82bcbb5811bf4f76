import type { LintRule } from '../../rule/lint-rule.ts';
import { CAPTURE_OUT_OF_RANGE } from './capture-out-of-range.ts';
import { DOUBLE_QUESTION_MARK } from './double-question-mark.ts';
import { IMPOSSIBLE_TEXT } from './impossible-text.ts';
import { NORMALISATION_BYPASS } from './normalisation-bypass.ts';
import { OPEN_REDIRECT } from './open-redirect.ts';
import { PATH_SPELLINGS } from './path-spellings.ts';
import { PATH_VS_FULL_URL } from './path-vs-full-url.ts';
import { PREFIX_BOUNDARY } from './prefix-boundary.ts';
import { QUERY_DROPPED } from './query-dropped.ts';
import { REDIRECT_LOOP } from './redirect-loop.ts';
import { REWRITE_LOOP } from './rewrite-loop.ts';
import { REWRITE_PAST_GUARD } from './rewrite-past-guard.ts';
import { UNANCHORED } from './unanchored.ts';
import { UNESCAPED_DOT } from './unescaped-dot.ts';
import { UNKNOWN_NAMED_VARIABLE } from './unknown-named-variable.ts';
import { UNUSED_CAPTURE } from './unused-capture.ts';

/** URLs that are asked for, rewritten and redirected to. */
export const URL_RULES: readonly LintRule[] = [
  UNANCHORED,
  UNESCAPED_DOT,
  CAPTURE_OUT_OF_RANGE,
  UNUSED_CAPTURE,
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
