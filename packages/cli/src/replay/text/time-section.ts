import { displayWidth, printable, type Style } from '@tollgate/diagnostics';
import type { BreakdownSummary, TimeSummary } from '@tollgate/simulator';
import { formatCount, pluralize } from '../../text/format-count.ts';
import { type Layout, plotWidth, proseWidth } from '../../text/layout.ts';
import { sparkline } from '../../text/sparkline.ts';
import { type Cell, tableText } from '../../text/table.ts';
import { truncate } from '../../text/truncate.ts';
import { wrapText } from '../../text/wrap-text.ts';
import { formatOutcome } from '../result/outcome-text.ts';
import { type ReplayPart, ruleLabel } from '../result/replay-result.ts';
import { formatDuration, formatTime } from '../result/time-text.ts';
import { type Timeline, timelineOf } from '../result/timeline.ts';

const MAX_COLUMNS = 60;
const MAX_NAME_WIDTH = 36;
/** Maximum share of the width for names. */
const NAME_SHARE = 0.35;
/** Maximum number of rules to show: those with the most matches. */
const RULES_SHOWN = 12;

interface Series {
  readonly name: string;
  readonly counts: readonly number[];
  readonly style: Style;
}

/** Renders outcomes and matches over time as sparklines; empty if no two times are known. */
export function timeSection(part: ReplayPart, layout: Layout): string {
  const { breakdown } = part.summary;
  if (breakdown === undefined) return '';
  const shown = seriesOf(part, breakdown).filter(({ counts }) => counts.some(count => count > 0));
  const longest = Math.min(MAX_NAME_WIDTH, Math.floor(plotWidth(layout) * NAME_SHARE));
  const nameWidth = Math.min(longest, Math.max(0, ...shown.map(({ name }) => displayWidth(name))));
  // Two spaces before each column of the table; the highest count comes last.
  const room = plotWidth(layout) - nameWidth - 'most 1,234,567'.length - 6;
  const timeline = timelineOf(breakdown.time, Math.max(10, Math.min(MAX_COLUMNS, room)));
  if (timeline === undefined) return '';
  const rows = shown.map(({ name, counts, style }): Cell[] => {
    const columns = timeline.spread(counts);
    const line = sparkline(columns).padEnd(timeline.columns);
    return [
      { text: truncate(name, nameWidth) },
      { text: line, style },
      { text: `most ${formatCount(Math.max(...columns))}`, style: 'frame' },
    ];
  });
  const title = `  ${layout.paint('strong', 'over time')}  ${axisText(timeline)}`;
  const notes = wrapText(noteText(breakdown.time, timeline), proseWidth(layout) - 2);
  const table = tableText(rows, ['left', 'left', 'left'], layout.paint);
  return [title, table, ...notes.map(line => `  ${layout.paint('frame', line)}`)].join('\n');
}

function seriesOf({ summary: { rules } }: ReplayPart, { time, rules: broken }: BreakdownSummary): readonly Series[] {
  const outcomes = time.outcomes.map(
    ({ outcome, counts }): Series => ({
      name: formatOutcome(outcome),
      counts,
      style: outcome.kind === 'passed' ? 'hint' : 'warning',
    }),
  );
  const matched = rules.map((rule, index) => ({ rule, counts: broken[index]!.matched }));
  const most = [...matched].sort((a, b) => b.rule.matched - a.rule.matched).slice(0, RULES_SHOWN);
  const shown = matched
    .filter(one => most.includes(one))
    .map(
      ({ rule, counts }): Series => ({
        name: `${ruleLabel(rule)}  ${printable(rule.name ?? '')}`.trimEnd(),
        counts,
        style: 'info',
      }),
    );
  return [...outcomes, { name: 'undetermined', counts: time.undetermined, style: 'frame' }, ...shown];
}

/** The note states the width of a column. */
function axisText({ start, width, columns }: Timeline): string {
  const [from, to] = [formatTime(start, width), formatTime(start + columns * width, width)];
  const [day] = from.split(' ');
  return `${from} – ${to.startsWith(`${day} `) ? to.slice(day!.length + 1) : to} UTC`;
}

function noteText({ untimed }: TimeSummary, { width, outside }: Timeline): string {
  const notes = [`each column is ${formatDuration(width)}`];
  if (outside > 0) notes.push(`${pluralize(outside, 'exchange')} far from all others in time`);
  if (untimed > 0) notes.push(`${pluralize(untimed, 'exchange')} without a known time`);
  return notes.join('; ');
}
