// The report of a replay in Markdown, for pull requests.

import { printable } from '@tollgate/diagnostics';
import { markdownCode, markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import type { OutcomeBreakdown, RuleSummary, TimeSummary } from '@tollgate/simulator';
import { formatLocation } from '@tollgate/traffic';
import {
  formatBounds,
  formatCount,
  formatDuration,
  formatPercentage,
  formatTime,
  pluralize,
  sparkline,
} from '../text/figures.ts';
import { formatNeeds, formatOutcome, rewrittenText } from './outcome-text.ts';
import {
  DIMENSIONS,
  formatRoute,
  type ReplayPart,
  type ReplayResult,
  ruleLabel,
  scopeNotes,
  shownName,
  timelineOf,
} from './replay-result.ts';

/** Maximum number of rules to list; GitHub limits comments to 64 kB. */
const MAX_LISTED = 100;
const MAX_COLUMNS = 48;

/** Returns the report in Markdown for pull requests, with collapsed details. */
export function markdownReplay(answer: ReplayResult): string {
  const { traffic, parts, unrouted } = answer;
  const skipped = traffic.skipped.reduce((sum, { count }) => sum + count, 0);
  const files = `${pluralize(traffic.exchanges, 'exchange')} of ${pluralize(traffic.files.length, 'file')}`;
  const failed = traffic.files.flatMap(({ failure }) => (failure ? [`❌ ${markdownText(failure.message)}`] : []));
  const sections = [
    `### Tollgate: ${markdownCode(shownName(answer))} on ${pluralize(traffic.exchanges, 'exchange')}`,
    ...failed,
    ...scopeNotes(answer).map(note => `⚠️ ${markdownText(note)}`),
    ...(skipped > 0 ? [`${files}; ${pluralize(skipped, 'record')} skipped`] : []),
    ...parts.flatMap(partSections),
    ...(unrouted && unrouted.unrouted > 0 ? [`⚠️ no route matches ${pluralize(unrouted.unrouted, 'exchange')}`] : []),
    ...(unrouted && unrouted.open.exchanges > 0 ? [openText(unrouted.open)] : []),
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

function openText({ exchanges, needs }: NonNullable<ReplayResult['unrouted']>['open']): string {
  return `⚠️ route unknown for ${pluralize(exchanges, 'exchange')}: needs ${markdownText(formatNeeds(needs))}`;
}

function partSections(part: ReplayPart): readonly string[] {
  const { route, exchanges, summary } = part;
  const title = route && `#### ${markdownCode(formatRoute(route))} on ${pluralize(exchanges, 'exchange')}`;
  if (exchanges === 0) return title === undefined ? [] : [title];
  const { undetermined, late = 0, rules } = summary;
  return [
    title ?? '',
    outcomeTable(part),
    markdownText(rewrittenText(summary) ?? ''),
    undetermined.exchanges === 0
      ? ''
      : `⚠️ undetermined for ${pluralize(undetermined.exchanges, 'exchange')}: needs ${markdownText(formatNeeds(undetermined.needs))}`,
    late === 0 ? '' : `⚠️ ${pluralize(late, 'exchange')} arrived out of order`,
    rules.length === 0 ? '' : ruleTable(rules),
    folded('Over time', summary.breakdown ? timeText(part, summary.breakdown.time) : ''),
    folded('Who is affected', outcomeKeysTable(part)),
    folded('Most frequent matches', topTable(part)),
    folded('Undetermined or failed', occurrenceTable(rules)),
  ];
}

/** Markdown inside HTML needs blank lines around it. */
function folded(title: string, content: string): string {
  return content === '' ? '' : `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

function outcomeTable({ summary: { outcomes }, exchanges }: ReplayPart): string {
  const rows = outcomes.map(({ outcome, count }) => [
    markdownText(formatOutcome(outcome)),
    formatBounds(count),
    markdownText(formatPercentage(count, exchanges)),
  ]);
  return markdownTable(['outcome', 'exchanges', ''], rows);
}

function ruleTable(rules: readonly RuleSummary[]): string {
  const rows = rules
    .slice(0, MAX_LISTED)
    .map(rule => [
      ruleLabel(rule),
      markdownText(rule.name ?? ''),
      ...[rule.matched, rule.notMatched, rule.notReached, rule.failed, rule.undetermined].map(formatCount),
      markdownText(rule.actions.map(({ type, fired }) => `${type} ${formatBounds(fired)}`).join(', ')),
    ]);
  const head = ['rule', 'name', 'matched', 'not matched', 'not reached', 'failed', 'undetermined', 'actions'];
  return markdownTable(head, rows) + moreText(rules.length);
}

function moreText(length: number): string {
  return length > MAX_LISTED ? `\n\n… and ${pluralize(length - MAX_LISTED, 'more rule')}` : '';
}

function timeText({ summary: { rules, breakdown } }: ReplayPart, time: TimeSummary): string {
  const timeline = timelineOf(time, MAX_COLUMNS);
  if (timeline === undefined) return '';
  const matched = rules.map((rule, index) => [ruleLabel(rule), breakdown!.rules[index]!.matched] as const);
  const series = [
    ...time.outcomes.map(({ outcome, counts }) => [formatOutcome(outcome), counts] as const),
    ['undetermined', time.undetermined] as const,
    ...matched.slice(0, MAX_LISTED),
  ];
  const rows = series
    .filter(([, counts]) => counts.some(count => count > 0))
    .map(([name, counts]) => {
      const columns = timeline.spread(counts);
      return [
        markdownText(name),
        `<code>${sparkline(columns).replaceAll(' ', '&nbsp;')}</code>`,
        formatCount(Math.max(...columns)),
      ];
    });
  const from = formatTime(timeline.start, timeline.width);
  return markdownTable([`from ${from} UTC`, `each column is ${formatDuration(timeline.width)}`, 'most'], rows);
}

function topTable({ summary: { rules, breakdown } }: ReplayPart): string {
  const rows = rules.flatMap((rule, index) => {
    const keys = breakdown?.rules[index]?.keys;
    if (keys === undefined || rule.matched === 0) return [];
    const cells = keyCells(keys);
    return cells.every(cell => cell === '') ? [] : [[ruleLabel(rule), ...cells]];
  });
  return rows.length === 0 ? '' : markdownTable(['rule', ...DIMENSIONS], rows.slice(0, MAX_LISTED));
}

function outcomeKeysTable({ summary: { breakdown } }: ReplayPart): string {
  const rows = (breakdown?.outcomes ?? []).map(({ outcome, keys }) => [
    markdownText(formatOutcome(outcome)),
    ...keyCells(keys),
  ]);
  const known = rows.filter(([, ...cells]) => cells.some(cell => cell !== ''));
  return known.length === 0 ? '' : markdownTable(['outcome', ...DIMENSIONS], known);
}

function keyCells(keys: OutcomeBreakdown['keys']): readonly string[] {
  return DIMENSIONS.map(dimension =>
    keys[dimension].top.map(({ text, count }) => `${markdownCode(text)} ${formatBounds(count)}`).join('<br>'),
  );
}

function occurrenceTable(rules: readonly RuleSummary[]): string {
  const rows = rules.flatMap(rule => [
    ...rule.needs.map(need => [ruleLabel(rule), 'needs', need] as const),
    ...rule.errors.map(error => [ruleLabel(rule), 'failed', error] as const),
  ]);
  const cells = rows
    .slice(0, MAX_LISTED)
    .map(([label, what, { text, count, example }]) => [
      label,
      what,
      markdownCode(text),
      formatCount(count),
      markdownCode(printable(formatLocation(example))),
    ]);
  return cells.length === 0 ? '' : markdownTable(['rule', '', 'what', 'exchanges', 'first'], cells);
}
