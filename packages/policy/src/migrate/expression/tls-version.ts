import { pathOf, type RewriteOperand, replace, replaceString, textOf } from './expression-rewriter.ts';

/** Both formats have the same order. */
const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** `TLS 1.3` is now `1.3`: shortens literals in the old format; matching only the number stays unchanged. */
export const rewriteTlsVersion: RewriteOperand = (rewriting, call, operand) => {
  const counterpart = rewriting.counterparts.variables[pathOf(rewriting, operand)!];
  const other = call.args.find(arg => arg !== operand);
  const text = textOf(other);
  if (!counterpart || counterpart.loss || !other || text === undefined) return 'untouched';
  const number = /^TLS (1\.\d)$/.exec(text)?.[1];
  const isCompared = COMPARISONS.has(call.function) && number !== undefined;
  const isSearched =
    call.target === operand && ['contains', 'endsWith'].includes(call.function) && /^[\d.]+$/.test(text);
  if (!isCompared && !isSearched) return 'untouched';
  if (isCompared) replaceString(rewriting, other, number);
  replace(rewriting, operand.range, counterpart.to);
  return 'rewritten';
};
