import { printable, type Style } from '@tollgate/diagnostics';
import type { Occurrence, RuleSummary } from '@tollgate/simulator';
import { formatPlace } from '@tollgate/traffic';
import { countText } from '../../text/format-count.ts';
import { heading, type Layout, tableRoom } from '../../text/layout.ts';
import { type Cell, tableText } from '../../text/table.ts';
import { ruleLabel } from '../result/replay-result.ts';

/** Different needs and errors of one rule that are shown. */
const SHOWN = 5;

/** What was counted of the rules under one title, the most frequent of each rule first. */
interface OccurrenceSection {
  readonly title: string;
  readonly what: string;
  readonly style: Style;
  readonly of: (rule: RuleSummary) => readonly Occurrence[];
}

/** What it would take to know whether rules matched. */
export const NEEDS: OccurrenceSection = {
  title: 'undetermined',
  what: 'needs',
  style: 'warning',
  of: rule => rule.needs,
};

/** How expressions of rules failed. */
export const ERRORS: OccurrenceSection = { title: 'failed', what: 'error', style: 'error', of: rule => rule.errors };

/** A table of what was counted of the rules; empty where there is nothing. */
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
        { text: countText(count) },
        { text: printable(text), style },
        { text: printable(formatPlace(example)), style: 'frame' },
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
