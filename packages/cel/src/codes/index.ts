import type { CodeDescription } from '@tollgate/diagnostics';
import { EVALUATION_CODES } from './evaluation-codes.ts';
import { LIMIT_CODES, NAME_CODES, REGEX_CODES, SYNTAX_CODES, TYPE_CODES } from './expression-codes.ts';

/** Every code that parsing, checking and evaluating expressions can report. */
export const CEL_CODES: readonly CodeDescription[] = [
  ...SYNTAX_CODES,
  ...NAME_CODES,
  ...TYPE_CODES,
  ...REGEX_CODES,
  ...LIMIT_CODES,
  ...EVALUATION_CODES,
];
