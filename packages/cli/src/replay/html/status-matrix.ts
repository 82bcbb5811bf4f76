import type { StatusChange } from '@tollgate/simulator';
import { formatCount } from '../../text/format-count.ts';
import { type Html, html } from '../../text/html.ts';

/** Renders recorded statuses against those that clients get; nothing if no status is known. */
export function statusMatrix(statuses: readonly StatusChange[]): Html | undefined {
  const hasKnownStatus = statuses.some(({ recorded, after }) => recorded !== 'unknown' || typeof after === 'number');
  if (!hasKnownStatus) return undefined;
  const recorded = [...new Set(statuses.map(status => status.recorded))];
  const after = [...new Set(statuses.map(status => status.after))].sort((a, b) => rank(a) - rank(b));
  const most = Math.max(...statuses.map(({ count }) => count));
  const rows = recorded.map(from => {
    const cells = after.map(to =>
      cell(
        statuses.find(status => status.recorded === from && status.after === to),
        most,
      ),
    );
    return html`<tr><th scope="row">${from}</th>${cells}</tr>`;
  });
  const heads = after.map(to => html`<th scope="col" class="n">${to}</th>`);
  return html`<section><h3>Recorded status → what the client gets</h3>
<div class="scroll matrix" tabindex="0" role="region" aria-label="Recorded statuses compared with those that clients get"><table><thead><tr><th scope="col">recorded</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>
<p class="note"><span class="swatch passed"></span>as recorded <span class="swatch refused" style="margin-left:12px"></span>another</p></section>`;
}

const WORDS: readonly StatusChange['after'][] = ['closed', 'undetermined', 'unknown'];

function rank(after: StatusChange['after']): number {
  return typeof after === 'number' ? after : 1000 + WORDS.indexOf(after);
}

/** Returns the colour of a count, on a logarithmic scale so that rare ones are visible. */
function cell(change: StatusChange | undefined, most: number): Html {
  if (change === undefined) return html`<td class="none">·</td>`;
  const strength = Math.round(14 + (56 * Math.log(1 + change.count)) / Math.log(1 + most));
  const kind = change.recorded === change.after ? 'same' : 'other';
  return html`<td class="${kind}" style="--s:${strength}%">${formatCount(change.count)}</td>`;
}
