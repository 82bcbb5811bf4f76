// The report of an impact in Markdown, for pull requests.

import { markdownCode, markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import type { KeySummary, Transition } from '@tollgate/simulator';
import { formatLocations, formatOutcome } from '../replay/outcome-text.ts';
import { unreadNotes } from '../replay/replay-result.ts';
import { formatBounds, formatCount, pluralize } from '../text/figures.ts';
import {
  changedText,
  exampleText,
  IMPACT_DIMENSIONS,
  type ImpactResult,
  outcomeMatrix,
  ruleChangeText,
  shareText,
  transitionFigures,
  transitionText,
} from './impact-result.ts';

/** Transitions whose details are listed; GitHub limits comments to 64 kB. */
const MAX_SHOWN = 20;
const MAX_RULES = 5;

/** Returns the report in Markdown for pull requests, with collapsed details. */
export function markdownImpact(result: ImpactResult): string {
  const { old, new: becomes, summary, limits } = result;
  const { transitions, newlyDenied, exchanges } = summary;
  const failed = summary.files.flatMap(({ failure }) => (failure ? [`❌ ${markdownText(failure.message)}`] : []));
  const sections = [
    `### Tollgate impact: ${markdownCode(old)} → ${markdownCode(becomes)}`,
    markdownText(changedText(summary)),
    ...unreadNotes(result.unread ?? []).map(note => `⚠️ ${markdownText(note.trim())}`),
    ...failed,
    ...limits.map(
      ({ option, message, isExceeded }) =>
        `${isExceeded ? '❌' : '✅'} ${markdownCode(option)}: ${markdownText(message)}`,
    ),
    newlyDenied.most === 0
      ? ''
      : `**${formatBounds(newlyDenied)} newly denied** ${markdownText(`(${shareText(newlyDenied, exchanges)})`)}`,
    transitions.length === 0 ? '' : matrixTable(result),
    ...transitions.slice(0, MAX_SHOWN).map(one => details(one, result)),
    transitions.length > MAX_SHOWN ? `… and ${pluralize(transitions.length - MAX_SHOWN, 'more change')}` : '',
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

function matrixTable({ summary }: ImpactResult): string {
  const { columns, rows } = outcomeMatrix(summary);
  const head = ['was → becomes', ...columns.map(outcome => markdownText(formatOutcome(outcome)))];
  const cells = rows.map(({ was, counts }) => [
    `**${markdownText(formatOutcome(was))}**`,
    ...counts.map(one =>
      one === undefined || one.count.most === 0
        ? '·'
        : one.isSame
          ? formatBounds(one.count)
          : `**${formatBounds(one.count)}**`,
    ),
  ]);
  return markdownTable(head, cells);
}

function details(transition: Transition, { rules }: ImpactResult): string {
  const byRule = transition.rules
    .slice(0, MAX_RULES)
    .map(one => `${markdownText(ruleChangeText(one, rules))} ${formatCount(one.count)}`);
  const rows = [
    ['rules', byRule.join('<br>')],
    ...IMPACT_DIMENSIONS.map(name => [name, keyCell(transition.keys[name])]),
    ['examples', (transition.examples ?? []).map(example => markdownCode(exampleText(example))).join('<br>')],
    ['first', transition.first.length === 0 ? '' : markdownCode(formatLocations(transition.first))],
  ].filter(([, cell]) => cell !== '');
  const title = `<summary>${markdownText(transitionText(transition))}: ${markdownText(transitionFigures(transition))}</summary>`;
  if (rows.length === 0) return `<details>${title}</details>`;
  const table = markdownTable(
    ['', 'exchanges'],
    rows.map(row => row.map(cell => cell ?? '')),
  );
  return `<details>${title}\n\n${table}\n\n</details>`;
}

function keyCell({ top, distinct }: KeySummary): string {
  const keys = top.map(({ text, count }) => `${markdownCode(text)} ${formatBounds(count)}`);
  const rest = distinct !== undefined && distinct > top.length ? [`${formatCount(distinct)} in total`] : [];
  return keys.length === 0 ? '' : [...keys, ...rest].join('<br>');
}
