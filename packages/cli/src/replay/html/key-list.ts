import type { KeySummary } from '@tollgate/simulator';
import { formatBounds, formatCount } from '../../text/format-count.ts';
import { type Html, html } from '../../text/html.ts';

/** Renders the most frequent keys of a dimension; nothing if there are none. */
export function keyList(dimension: string, { top, distinct, unknown }: KeySummary): Html | undefined {
  if (top.length === 0) return undefined;
  const items = top.map(({ text, count }) => html`<li><code>${text}</code><span>${formatBounds(count)}</span></li>`);
  const rest = [
    ...(distinct === undefined ? ['too many to count all'] : []),
    ...(distinct !== undefined && distinct > top.length ? [`${formatCount(distinct)} in total`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} unknown`] : []),
  ];
  const note = rest.length === 0 ? undefined : html`<li><small>${rest.join('; ')}</small></li>`;
  return html`<div><h4>${dimension}</h4><ol>${items}${note}</ol></div>`;
}
