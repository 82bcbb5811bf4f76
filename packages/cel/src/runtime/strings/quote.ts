import { STRING_TOO_LONG } from '../../values/errors.ts';
import type { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Returns the string as a CEL literal in double quotes. Unpaired surrogates become U+FFFD. */
export function quoteString(context: RunContext, text: string): string | EvaluationError {
  const escaped = text.toWellFormed().replace(/[\u0007-\r"\\]/g, character => ESCAPES[character]!);
  return escaped.length + 2 > context.limits.maxTextLength ? STRING_TOO_LONG : `"${escaped}"`;
}
