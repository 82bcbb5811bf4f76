import { type Paint, printable } from '@tollgate/diagnostics';
import type { RuleSummary } from '@tollgate/simulator';
import { countText, intervalText } from './figures.ts';
import { type Alignment, type Cell, tableText } from './table.ts';

const LONGEST_NAME = 40;
const ALIGNMENTS: readonly Alignment[] = ['right', 'left', 'right', 'right', 'right', 'right', 'right', 'left'];

/** What the rules of all phases did, in one table. */
export function ruleSection(rules: readonly RuleSummary[], paint: Paint): string {
  const rows = rules.flatMap((rule, position) =>
    rule.phase === rules[position - 1]?.phase
      ? [ruleRow(rule)]
      : [...headerRows(rule.phase, position > 0), ruleRow(rule)],
  );
  return tableText(rows, ALIGNMENTS, paint);
}

function ruleName({ name = '' }: RuleSummary): string {
  const text = printable(name);
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text;
}

function headerRows(phase: string, isApart: boolean): Cell[][] {
  const titles = ['', phase, 'matched', 'not matched', 'not reached', 'failed', 'undetermined', 'actions'];
  const row: Cell[] = titles.map(text => ({ text, style: 'strong' }));
  return isApart ? [[], row] : [row];
}

function ruleRow(rule: RuleSummary): Cell[] {
  return [
    { text: String(rule.index + 1), style: 'frame' },
    { text: ruleName(rule) },
    figure(rule.matched, 'hint'),
    figure(rule.notMatched),
    figure(rule.notReached),
    figure(rule.failed, 'error'),
    figure(rule.undetermined, 'warning'),
    { text: rule.actions.map(action => `${action.type} ${intervalText(action.fired)}`).join(', ') },
  ];
}

function figure(count: number, style?: Cell['style']): Cell {
  return count === 0 ? { text: '·', style: 'frame' } : { text: countText(count), style };
}
