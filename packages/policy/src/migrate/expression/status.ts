import type { Expr, Type } from '@tollgate/cel';
import { type RewriteOperand, type Rewriting, replace, textOf } from './expression-rewriter.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in']);
const CONVERSIONS: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'string']);
const ARITHMETIC: ReadonlySet<string> = new Set(['_+_', '_-_', '_*_', '_/_', '_%_']);
const NEW_NAME = 'res.status_code';

/**
 * The status was a string of three digits and is now a number: literals compared with it lose their quotes, numbers stay.
 * Anywhere else it is converted back to a string.
 */
export const rewriteStatus: RewriteOperand = (rewriting, call, operand) => {
  const other = call.args.find(arg => arg !== operand);
  if (call.function === 'int' && call.args.length === 1) {
    replace(rewriting, call.range, NEW_NAME);
    return 'rewritten';
  }
  const isConverted = call.args.length === 1 && CONVERSIONS.has(call.function) && call.target === undefined;
  const isNumeric = other !== undefined && isNumber(rewriting.typed.types[other.id]);
  if (isConverted || (isNumeric && (COMPARISONS.has(call.function) || ARITHMETIC.has(call.function)))) {
    replace(rewriting, operand.range, NEW_NAME);
    return 'rewritten';
  }
  if (!COMPARISONS.has(call.function) || !other || !unquote(rewriting, other)) return 'untouched';
  replace(rewriting, operand.range, NEW_NAME);
  return 'rewritten';
};

/** Removes the quotes of a status, or of all statuses in a list; does nothing if one is not a status. */
function unquote(rewriting: Rewriting, other: Expr): boolean {
  const literals = other.kind === 'list' && other.optionalIndices.length === 0 ? other.elements : [other];
  const isStatus = literals.length > 0 && literals.every(one => /^[1-9]\d\d$/.test(textOf(one) ?? ''));
  if (isStatus) for (const one of literals) replace(rewriting, one.range, textOf(one)!);
  return isStatus;
}

function isNumber(type: Type | undefined): boolean {
  if (type?.kind === 'list') return isNumber(type.element);
  return type?.kind === 'int' || type?.kind === 'uint' || type?.kind === 'double';
}
