import { displayWidth, printable, type Style } from '@tollgate/diagnostics';
import type { RuleSummary } from '@tollgate/simulator';
import { formatBounds, formatCount } from '../../text/format-count.ts';
import { type Layout, proseWidth, tableRoom } from '../../text/layout.ts';
import { type Alignment, type Cell, tableText, tableWidth } from '../../text/table.ts';
import { truncate } from '../../text/truncate.ts';
import { wrapWords } from '../../text/wrap-text.ts';

const MAX_NAME_WIDTH = 40;
const MIN_NAME_WIDTH = 12;

/** Columns that are rarely used; they are left out if they are zero for every rule. */
const OCCASIONAL: readonly OccasionalColumn[] = [
  { title: 'not reached', count: rule => rule.notReached },
  { title: 'failed', style: 'error', count: rule => rule.failed },
  { title: 'undetermined', style: 'warning', count: rule => rule.undetermined },
];

interface OccasionalColumn {
  readonly title: string;
  readonly style?: Style;
  readonly count: (rule: RuleSummary) => number;
}

/** The row of a rule, and its actions. */
interface RuleRow {
  readonly cells: readonly Cell[];
  readonly actions: readonly string[];
}

/** Renders the results of all rules as one table. If it is too wide, actions get lines of their own. */
export function ruleSection(rules: readonly RuleSummary[], layout: Layout): string {
  const shown = OCCASIONAL.filter(column => rules.some(rule => column.count(rule) > 0));
  const figures = Array.from({ length: 2 + shown.length }, (): Alignment => 'right');
  const alignments: readonly Alignment[] = ['right', 'left', ...figures, 'left'];
  const fit = { width: tableRoom(layout), elastic: [{ column: 1, least: MIN_NAME_WIDTH, keep: 'start' }] } as const;
  const rows = ruleRows(rules, shown);
  const wide = rows.map(row => [
    ...row.cells,
    { text: row.actions.join(', '), style: isHeading(row) ? 'strong' : undefined } as const,
  ]);
  if (leastWidth(wide) <= fit.width) return tableText(wide, alignments, layout.paint, fit);
  const lines = tableText(
    rows.map(({ cells }) => cells),
    alignments,
    layout.paint,
    fit,
  ).split('\n');
  return lines.flatMap((line, index) => [line, ...actionLines(rows[index]!, layout)]).join('\n');
}

/** The table with names as short as possible. */
function leastWidth(rows: readonly (readonly Cell[])[]): number {
  const name = Math.max(...rows.map(([, cell]) => displayWidth(cell?.text ?? '')));
  return tableWidth(rows) - Math.max(0, name - MIN_NAME_WIDTH);
}

function isHeading({ cells }: RuleRow): boolean {
  return cells[0]?.text === '';
}

function actionLines(row: RuleRow, layout: Layout): readonly string[] {
  const { actions } = row;
  if (actions.length === 0 || isHeading(row)) return [];
  const indent = '       ';
  const words = actions.map((action, index) => (index < actions.length - 1 ? `${action},` : action));
  return wrapWords(words, proseWidth(layout) - indent.length).map(line => indent + layout.paint('frame', line));
}

function ruleRows(rules: readonly RuleSummary[], shown: readonly OccasionalColumn[]): readonly RuleRow[] {
  return rules.flatMap((rule, position) => {
    const cells: Cell[] = [
      { text: String(rule.index + 1), style: 'frame' },
      { text: truncate(printable(rule.name ?? ''), MAX_NAME_WIDTH) },
      figure(rule.matched, 'hint'),
      figure(rule.notMatched),
      ...shown.map(({ count, style }) => figure(count(rule), style)),
    ];
    const row: RuleRow = { cells, actions: rule.actions.map(({ type, fired }) => `${type} ${formatBounds(fired)}`) };
    if (rule.phase === rules[position - 1]?.phase) return [row];
    return [...headerRows(rule.phase, shown, position > 0), row];
  });
}

function headerRows(phase: string, shown: readonly OccasionalColumn[], isApart: boolean): readonly RuleRow[] {
  const titles = ['', phase, 'matched', 'not matched', ...shown.map(({ title }) => title)];
  const cells = titles.map((text): Cell => ({ text, style: 'strong' }));
  return [...(isApart ? [{ cells: [], actions: [] }] : []), { cells, actions: ['actions'] }];
}

function figure(count: number, style?: Cell['style']): Cell {
  return count === 0 ? { text: '·', style: 'frame' } : { text: formatCount(count), style };
}
