import type { TrafficSummary } from '@tollgate/simulator';
import { formatCount, pluralize } from '../../text/format-count.ts';
import { type Html, html } from '../../text/html.ts';
import { skippedText } from '../result/skipped-text.ts';

/** Maximum number of files to list. */
const MAX_FILES = 200;

/** Renders what was read. */
export function trafficTable({ files, skipped }: TrafficSummary): Html {
  const rows = files.slice(0, MAX_FILES).map(({ file, exchanges, skipped: left, failure }) => {
    const note = failure ? html` <small>read only in part</small>` : undefined;
    return html`<tr><th scope="row"><code>${file}</code>${note}</th><td class="n">${formatCount(exchanges)}</td><td class="n">${formatCount(left)}</td></tr>`;
  });
  const more = files.length - MAX_FILES;
  const notes = skipped.map(one => html`<p class="note">${skippedText(one)}</p>`);
  return html`<section><h3>Recorded traffic</h3><div class="scroll"><table><thead><tr><th scope="col">file</th><th scope="col" class="n">exchanges</th><th scope="col" class="n">skipped</th></tr></thead><tbody>${rows}</tbody></table></div>
${more > 0 ? html`<p class="note">… and ${pluralize(more, 'more file')}</p>` : undefined}${notes}</section>`;
}
