import { wrapText } from '../output/wrap-text.ts';
import { BAR_WIDTH, barText, intervalText, plural, shareText } from './figures.ts';
import { heading, type Layout, proseWidth, tableRoom } from './layout.ts';
import { needsText, outcomeText } from './outcome-text.ts';
import type { ReplayPart } from './replay-answer.ts';
import { type Cell, tableText, tableWidth } from './table.ts';

/** A bar shorter than this says nothing. */
const SHORTEST_BAR = 4;

/** What became of the exchanges. */
export function outcomeSection({ summary: { outcomes, undetermined }, exchanges }: ReplayPart, layout: Layout): string {
  if (outcomes.length === 0) return '';
  const rows: Cell[][] = [heading('outcome', 'exchanges')];
  for (const { outcome, count } of outcomes)
    rows.push([{ text: outcomeText(outcome) }, { text: intervalText(count) }, { text: shareText(count, exchanges) }]);
  const room = Math.min(BAR_WIDTH, tableRoom(layout) - tableWidth(rows) - 2);
  if (room >= SHORTEST_BAR)
    outcomes.forEach(({ outcome, count }, index) => {
      const style = outcome.kind === 'passed' ? 'hint' : 'warning';
      rows[index + 1]!.push({ text: barText(count, exchanges, room), style });
    });
  const table = tableText(rows, ['left', 'right', 'right', 'left'], layout.paint);
  if (undetermined.exchanges === 0) return table;
  const text = `undetermined for ${plural(undetermined.exchanges, 'exchange')}: needs ${needsText(undetermined.needs)}`;
  const lines = wrapText(text, proseWidth(layout) - 2);
  return [table, ...lines.map(line => `  ${layout.paint('warning', line)}`)].join('\n');
}
