import type { ProfileSwitches } from '@tollgate/catalog';
import { findInterpolations } from '../../expression/interpolation.ts';
import type { Role } from '../roles/role.ts';
import { layOut, normalized } from './format-expression.ts';

/**
 * A text with each of its expressions on one line, as short as it gets; what stands around them stays. Those with a syntax error, a
 * comment or a line break that means something stay as well.
 */
export function layOutFilled(text: string, escapedAs: ProfileSwitches['interpolationEscape']): string {
  return replaceExpressions(text, escapedAs, expression => {
    const flat = layOut(expression);
    if (!flat || flat.keepsLines || flat.text.includes('\n')) return expression;
    // A map at the beginning keeps its distance: `${{` is hard to read.
    return flat.text.startsWith('{') ? ` ${flat.text}` : flat.text;
  });
}

/** A text of a policy with its expressions on as few lines as they can stand on. */
export function laidOutFlat(text: string, role: Role, escapedAs: ProfileSwitches['interpolationEscape']): string {
  if (role === 'filled') return layOutFilled(text, escapedAs);
  return role === 'expression' ? (layOut(text)?.text ?? text) : text;
}

/** The text in a form that does not depend on the layout of its expressions. */
export function normalizedFilled(text: string, escapedAs: ProfileSwitches['interpolationEscape']): string {
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
