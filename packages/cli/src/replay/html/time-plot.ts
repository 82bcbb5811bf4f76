import type { PolicySummary } from '@tollgate/simulator';
import { formatCount, pluralize } from '../../text/format-count.ts';
import { type Html, html } from '../../text/html.ts';
import { formatDuration, formatTime } from '../result/time-text.ts';
import { type Timeline, timelineOf } from '../result/timeline.ts';
import { type Series, seriesOf } from './series.ts';

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
        : html`<rect class="${colour}" x="${column + 0.06}" y="${top}" width=".88" height="${count}"/>`;
    });
    return html`<g><title>${columnText(series, timeline, column)}</title>${parts}</g>`;
  });
  const { start, width, columns: count } = timeline;
  const middle = html`<span class="wide-only">${formatTime(start + Math.floor(count / 2) * width, width)}</span>`;
  return html`<div class="plot-frame"><svg class="plot" viewBox="0 0 ${count} ${most}" preserveAspectRatio="none" role="img" aria-label="Columns of outcomes over time; the table below has the same figures.">${columns}</svg><span class="most">at most ${formatCount(most)}</span></div>
<p class="axis"><span>${formatTime(start, width)}</span>${middle}<span>${formatTime(start + count * width, width)}</span></p>`;
}

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
