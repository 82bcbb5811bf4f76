// Plots of outcomes: one bar for all exchanges, and columns over time.

import type { Outcome, PolicySummary } from '@tollgate/simulator';
import { formatBounds, formatCount, formatDuration, formatPercentage, formatTime, pluralize } from '../text/figures.ts';
import { type Html, html } from '../text/html.ts';
import { completeHeadersText, formatNeeds, formatOutcome, isSameOutcome, rewrittenText } from './outcome-text.ts';
import { type Timeline, timelineOf } from './timeline.ts';

/** Renders the outcomes: one bar for all exchanges, and a table. */
export function outcomePlot(summary: PolicySummary, exchanges: number): Html {
  const series = seriesOf(summary);
  const bar = series.map(
    ({ name, colour, count }) =>
      html`<i class="${colour}" style="flex:${count}" title="${name}: ${formatCount(count)}"></i>`,
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

const MAX_COLUMNS = 120;

/** Renders outcomes over time as columns, with their table; nothing if no two times are known. */
export function timePlot(summary: PolicySummary): Html | undefined {
  const time = summary.breakdown?.time;
  const timeline = time && timelineOf(time, MAX_COLUMNS);
  if (timeline === undefined) return undefined;
  const series = seriesOf(summary).flatMap((one): ColumnSeries[] =>
    one.overTime === undefined ? [] : [{ ...one, counts: timeline.spread(one.overTime) }],
  );
  const notes = [`each column is ${formatDuration(timeline.width)}, in UTC`];
  if (timeline.outside > 0) notes.push(`${pluralize(timeline.outside, 'exchange')} far from all others in time`);
  if (time!.untimed > 0) notes.push(`${pluralize(time!.untimed, 'exchange')} without a known time`);
  return html`<section><h3>Outcomes over time</h3>${columnPlot(series, timeline)}
<ul class="legend">${series.map(({ name, colour }) => html`<li><span class="swatch ${colour}"></span>${name}</li>`)}</ul>
<p class="note">${notes.join('; ')}</p>${countTable(series, timeline)}</section>`;
}

interface ColumnSeries extends Series {
  /** Counts by column. */
  readonly counts: readonly number[];
}

function columnPlot(series: readonly ColumnSeries[], timeline: Timeline): Html {
  const sums = Array.from({ length: timeline.columns }, (_, column) =>
    series.reduce((sum, { counts }) => sum + counts[column]!, 0),
  );
  const most = Math.max(1, ...sums);
  const columns = sums.map((sum, column) => {
    if (sum === 0) return undefined;
    let top = most;
    const parts = series.flatMap(({ counts, colour }) => {
      const count = counts[column]!;
      top -= count;
      return count === 0
        ? []
        : [colour, ...(STRIPED.test(colour) ? ['stripes'] : [])].map(
            name => html`<rect class="${name}" x="${column + 0.06}" y="${top}" width=".88" height="${count}"/>`,
          );
    });
    return html`<g><title>${columnText(series, timeline, column)}</title>${parts}</g>`;
  });
  const { start, width, columns: count } = timeline;
  const stripes = html`<defs><pattern id="stripes" width="1" height="${most / 40}" patternUnits="userSpaceOnUse"><rect class="stripe" width="1" height="${most / 160}"/></pattern></defs>`;
  const middle = html`<span class="wide-only">${formatTime(start + Math.floor(count / 2) * width, width)}</span>`;
  return html`<div class="plot-frame"><svg class="plot" viewBox="0 0 ${count} ${most}" preserveAspectRatio="none" role="img" aria-label="Columns of outcomes over time; the table below has the same figures.">${stripes}${columns}</svg><span class="most">at most ${formatCount(most)}</span></div>
<p class="axis"><span>${formatTime(start, width)}</span>${middle}<span>${formatTime(start + count * width, width)}</span></p>`;
}

/** Shades that are striped, as in the style sheet. */
const STRIPED = /shade-[13]/;

function columnText(series: readonly ColumnSeries[], { start, width }: Timeline, column: number): string {
  const cells = series.flatMap(({ name, counts }) =>
    counts[column] === 0 ? [] : `${name} ${formatCount(counts[column]!)}`,
  );
  return `${formatTime(start + column * width, width)}: ${cells.join(', ')}`;
}

/** Leaves out empty columns. */
function countTable(series: readonly ColumnSeries[], { start, width, columns }: Timeline): Html {
  const rows = Array.from({ length: columns }, (_, column) => {
    if (series.every(({ counts }) => counts[column] === 0)) return undefined;
    const cells = series.map(({ counts }) => html`<td class="n">${formatCount(counts[column]!)}</td>`);
    return html`<tr><th scope="row">${formatTime(start + column * width, width)}</th>${cells}</tr>`;
  });
  const heads = series.map(({ name }) => html`<th scope="col" class="n">${name}</th>`);
  return html`<details><summary>Show as table</summary><div class="scroll" tabindex="0" role="region" aria-label="Outcomes over time"><table><thead><tr><th scope="col">from</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** An outcome in plots: how often it is certain, and its colour. */
interface Series {
  readonly name: string;
  /** Class names in the style sheet of the page. */
  readonly colour: string;
  readonly count: number;
  /** Counts by interval of the breakdown; undefined without a breakdown. */
  readonly overTime: readonly number[] | undefined;
}

/** Shades of one colour, for outcomes of one kind. */
const SHADES = 4;

/** Returns the outcomes of a policy, followed by the undetermined exchanges. Together they are all exchanges. */
function seriesOf({ outcomes, undetermined, breakdown }: PolicySummary): readonly Series[] {
  const seen = new Map<string, number>();
  const certain = outcomes.map(({ outcome, count }) => {
    const nth = seen.get(outcome.kind) ?? 0;
    if (count.least > 0) seen.set(outcome.kind, nth + 1);
    const counts = breakdown?.time.outcomes.find(one => isSameOutcome(one.outcome, outcome))?.counts;
    const overTime = counts ?? breakdown?.time.starts.map(() => 0);
    return { name: formatOutcome(outcome), colour: colourOf(outcome, nth), count: count.least, overTime };
  });
  const open = {
    name: 'undetermined',
    colour: 'undetermined',
    count: undetermined.exchanges,
    overTime: breakdown?.time.undetermined,
  };
  return [...certain, open].filter(({ count }) => count > 0);
}

function colourOf({ kind }: Outcome, nth: number): string {
  const shade = nth % SHADES;
  return shade === 0 ? kind : `${kind} shade-${shade}`;
}
