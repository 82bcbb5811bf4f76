import type { Style } from '@tollgate/diagnostics';
import type { PolicySummary } from '@tollgate/simulator';
import { BAR_WIDTH, drawBar, formatBounds, formatPercentage, pluralize } from '../../text/format-count.ts';
import { heading, type Layout, proseWidth, tableRoom } from '../../text/layout.ts';
import { type Cell, tableText, tableWidth } from '../../text/table.ts';
import { wrapText } from '../../text/wrap-text.ts';
import { completeHeadersText, formatNeeds, formatOutcome, rewrittenText } from '../result/outcome-text.ts';
import type { ReplayPart } from '../result/replay-result.ts';

/** Minimum useful length of a bar. */
const MIN_BAR_WIDTH = 4;

/** Renders the outcomes. */
export function outcomeSection({ summary, exchanges }: ReplayPart, layout: Layout): string {
  const { outcomes } = summary;
  if (outcomes.length === 0) return '';
  const rows: Cell[][] = [heading('outcome', 'exchanges')];
  for (const { outcome, count } of outcomes)
    rows.push([
      { text: formatOutcome(outcome) },
      { text: formatBounds(count) },
      { text: formatPercentage(count, exchanges) },
    ]);
  const room = Math.min(BAR_WIDTH, tableRoom(layout) - tableWidth(rows) - 2);
  if (room >= MIN_BAR_WIDTH)
    outcomes.forEach(({ outcome, count }, index) => {
      const style = outcome.kind === 'passed' ? 'hint' : 'warning';
      rows[index + 1]!.push({ text: drawBar(count, exchanges, room), style });
    });
  const table = tableText(rows, ['left', 'right', 'right', 'left'], layout.paint);
  return [table, ...notes(summary, layout)].join('\n');
}

function notes(summary: PolicySummary, layout: Layout): readonly string[] {
  const { exchanges, needs } = summary.undetermined;
  const open = `undetermined for ${pluralize(exchanges, 'exchange')}: needs ${formatNeeds(needs)}`;
  const lines = (text: string, style: Style) =>
    wrapText(text, proseWidth(layout) - 2).map(line => `  ${layout.paint(style, line)}`);
  const rewritten = rewrittenText(summary);
  const complete = completeHeadersText(summary);
  return [
    ...(rewritten === undefined ? [] : lines(rewritten, 'frame')),
    ...(exchanges === 0 ? [] : lines(open, 'warning')),
    ...(complete === undefined ? [] : lines(complete, 'info')),
  ];
}
