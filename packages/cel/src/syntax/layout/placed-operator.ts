import type { Range } from '@tollgate/diagnostics';

/** The operators that {@link placedOperator} places. */
export type PlacedOperator = 'in' | '&&' | '||';

/**
 * Returns the source of an operator for a range of an expression: in parentheses, unless what is around the range shows that it binds less
 * tightly. A needless pair is harmless, a missing one changes the meaning.
 */
export function placedOperator(
  newText: string,
  operator: PlacedOperator,
  { source, range }: { readonly source: string; readonly range: Range },
): string {
  const before = source.slice(0, range.start).trimEnd();
  const after = source.slice(range.end).trimStart();
  const neighbour = operator === '||' ? /\|\|$/ : /(?:\|\||&&)$/;
  const isFreeBefore = before === '' || /[([{,?:]$/.test(before) || neighbour.test(before);
  const next = operator === '||' ? /^\|\|/ : /^(?:\|\||&&)/;
  const isFreeAfter = after === '' || /^[)\]},?:]/.test(after) || next.test(after);
  return isFreeBefore && isFreeAfter ? newText : `(${newText})`;
}
