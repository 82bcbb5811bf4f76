import type { PolicySummary } from '@tollgate/simulator';
import { formatBounds, formatPercentage, pluralize } from '../../text/format-count.ts';
import { type Html, html } from '../../text/html.ts';
import { completeHeadersText, formatNeeds, formatOutcome, rewrittenText } from '../result/outcome-text.ts';
import { seriesOf } from './series.ts';

/** Renders the outcomes: one bar for all exchanges, and a table. */
export function outcomePlot(summary: PolicySummary, exchanges: number): Html {
  const series = seriesOf(summary);
  const bar = series.map(
    ({ name, colour, count }) =>
      html`<i class="${colour}" style="flex:${count}" title="${name}: ${count.toLocaleString('en-US')}"></i>`,
  );
  const rows = summary.outcomes.map(({ outcome, count }) => {
    const name = formatOutcome(outcome);
    const colour = series.find(one => one.name === name)?.colour ?? 'undetermined';
    return html`<tr><th scope="row"><span class="swatch ${colour}"></span>${name}</th><td class="n">${formatBounds(count)}</td><td class="n">${formatPercentage(count, exchanges)}</td></tr>`;
  });
  const rewritten = rewrittenText(summary);
  const complete = completeHeadersText(summary);
  const { exchanges: open, needs } = summary.undetermined;
  return html`<section><h3>Outcomes</h3>
<div class="stack" aria-hidden="true">${bar}</div>
<div class="scroll"><table><thead><tr><th scope="col">outcome</th><th scope="col" class="n">exchanges</th><th scope="col" class="n">share</th></tr></thead><tbody>${rows}</tbody></table></div>
${rewritten && html`<p class="note">${rewritten}</p>`}${open > 0 ? html`<p class="note"><span class="swatch undetermined"></span>undetermined for ${pluralize(open, 'exchange')}: needs ${formatNeeds(needs)}${complete && `; ${complete}`}</p>` : undefined}
</section>`;
}
