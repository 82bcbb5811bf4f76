import { printable, type Style } from '@tollgate/diagnostics';
import type { Occurrence, RuleSummary } from '@tollgate/simulator';
import { formatLocation } from '@tollgate/traffic';
import { formatCount } from '../../text/format-count.ts';
import { heading, type Layout, tableRoom } from '../../text/layout.ts';
import { type Cell, tableText } from '../../text/table.ts';
import { ruleLabel } from '../result/replay-result.ts';

/** Maximum number of different inputs and errors to show for each rule. */
const SHOWN = 5;

/** Occurrences by rule under one title, the most frequent first. */
interface OccurrenceSection {
  readonly title: string;
  readonly what: string;
  readonly style: Style;
  readonly of: (rule: RuleSummary) => readonly Occurrence[];
}

/** Renders the inputs that would determine whether rules matched. */
export const NEEDS: OccurrenceSection = {
  title: 'undetermined',
  what: 'needs',
  style: 'warning',
  of: rule => rule.needs,
};

/** Renders the errors of expressions. */
export const ERRORS: OccurrenceSection = { title: 'failed', what: 'error', style: 'error', of: rule => rule.errors };

/** Renders occurrences as a table; empty if there are none. */
export function occurrenceSection(
  { title, what, style, of }: OccurrenceSection,
  rules: readonly RuleSummary[],
  layout: Layout,
): string {
  const rows = rules.flatMap(rule =>
    of(rule)
      .slice(0, SHOWN)
      .map(({ text, count, example }): Cell[] => [
        { text: ruleLabel(rule) },
        { text: formatCount(count) },
        { text: printable(text), style },
        { text: printable(formatLocation(example)), style: 'frame' },
      ]),
  );
  if (rows.length === 0) return '';
  const elastic = [
    { column: 3, least: 12, keep: 'end' },
    { column: 2, least: 16, keep: 'start' },
  ] as const;
  const alignments = ['left', 'right', 'left', 'left'] as const;
  const all = [heading(title, 'exchanges', what, 'first'), ...rows];
  return tableText(all, alignments, layout.paint, { width: tableRoom(layout), elastic });
}
