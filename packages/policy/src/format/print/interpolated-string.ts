import type { ProfileSwitches } from '@tollgate/catalog';
import { findInterpolations } from '../../expression/interpolation.ts';
import type { Role } from '../roles/role.ts';
import { formatterOf, normalized } from './format-expression.ts';

/**
 * Formats each expression in a string on one line, leaving the rest unchanged. Expressions with a syntax error, a
 * comment or a significant line break are unchanged too.
 */
export function formatInterpolations(text: string, escapedAs: ProfileSwitches['interpolationEscape']): string {
  return replaceExpressions(text, escapedAs, expression => {
    const flat = formatterOf(expression)?.();
    if (!flat || flat.keepsLines || flat.text.includes('\n')) return expression;
    // A space before a map: `${{` is hard to read.
    return flat.text.startsWith('{') ? ` ${flat.text}` : flat.text;
  });
}

/** Formats the expressions of a string on as few lines as possible. */
export function formatOnOneLine(text: string, role: Role, escapedAs: ProfileSwitches['interpolationEscape']): string {
  if (role === 'filled') return formatInterpolations(text, escapedAs);
  return role === 'expression' ? (formatterOf(text)?.().text ?? text) : text;
}

/** Returns a form of the string that does not depend on the layout of its expressions. */
export function normalizedInterpolations(text: string, escapedAs: ProfileSwitches['interpolationEscape']): string {
  return replaceExpressions(text, escapedAs, normalized);
}

function replaceExpressions(
  text: string,
  escapedAs: ProfileSwitches['interpolationEscape'],
  replace: (expression: string) => string,
): string {
  let result = '';
  let at = 0;
  for (const { start, end } of findInterpolations(text, escapedAs).expressions) {
    result += text.slice(at, start) + replace(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}
