import { displayWidth, type Paint, printable, type Style } from '@tollgate/diagnostics';
import type { RuleSummary } from '@tollgate/simulator';
import { countText, intervalText } from './figures.ts';
import { type Alignment, type Cell, tableText } from './table.ts';

const LONGEST_NAME = 40;
const SHORTEST_NAME = 12;

/** Columns that say something of few policies only: they are left out where they are zero for every rule. */
const OCCASIONAL: readonly { readonly title: string; readonly style?: Style; count(rule: RuleSummary): number }[] = [
  { title: 'not reached', count: rule => rule.notReached },
  { title: 'failed', style: 'error', count: rule => rule.failed },
  { title: 'undetermined', style: 'warning', count: rule => rule.undetermined },
];

/**
 * What the rules of all phases did, in one table.
 *
 * @param width of the terminal in columns: names are cut so that the table fits, as far as they can be
 */
export function ruleSection(rules: readonly RuleSummary[], paint: Paint, width = Number.POSITIVE_INFINITY): string {
  const widest = Math.max(...sectionText(rules, UNPAINTED, LONGEST_NAME).split('\n').map(displayWidth));
  if (widest <= width) return sectionText(rules, paint, LONGEST_NAME);
  const longest = Math.min(LONGEST_NAME, Math.max(...rules.map(rule => displayWidth(ruleName(rule, LONGEST_NAME)))));
  return sectionText(rules, paint, Math.max(SHORTEST_NAME, longest - (widest - width)));
}

const UNPAINTED: Paint = (_style, text) => text;

function sectionText(rules: readonly RuleSummary[], paint: Paint, longestName: number): string {
  const shown = OCCASIONAL.filter(column => rules.some(rule => column.count(rule) > 0));
  const rows = rules.flatMap((rule, position) => {
    const row: Cell[] = [
      { text: String(rule.index + 1), style: 'frame' },
      { text: ruleName(rule, longestName) },
      figure(rule.matched, 'hint'),
      figure(rule.notMatched),
      ...shown.map(({ count, style }) => figure(count(rule), style)),
      { text: rule.actions.map(action => `${action.type} ${intervalText(action.fired)}`).join(', ') },
    ];
    if (rule.phase === rules[position - 1]?.phase) return [row];
    return [...headerRows(rule.phase, shown, position > 0), row];
  });
  const figures = Array.from({ length: 2 + shown.length }, (): Alignment => 'right');
  return tableText(rows, ['right', 'left', ...figures, 'left'], paint);
}

function ruleName({ name = '' }: RuleSummary, longest: number): string {
  const text = printable(name);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function headerRows(phase: string, shown: typeof OCCASIONAL, isApart: boolean): Cell[][] {
  const titles = ['', phase, 'matched', 'not matched', ...shown.map(({ title }) => title), 'actions'];
  const row: Cell[] = titles.map(text => ({ text, style: 'strong' }));
  return isApart ? [[], row] : [row];
}

function figure(count: number, style?: Cell['style']): Cell {
  return count === 0 ? { text: '·', style: 'frame' } : { text: countText(count), style };
}
