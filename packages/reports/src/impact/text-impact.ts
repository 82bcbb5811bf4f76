// The report of an impact for terminals.

import { PLAIN, printable, type ReportOptions, type Style } from '@tollgate/diagnostics';
import type { Transition } from '@tollgate/simulator';
import { becomesText, formatLocations, formatOutcome } from '../replay/outcome-text.ts';
import { ENGINE_PRODUCTS, unreadNotes } from '../replay/replay-result.ts';
import { keyTexts, trafficSection } from '../replay/traffic-text.ts';
import { formatBounds, formatCount } from '../text/figures.ts';
import {
  type Cell,
  heading,
  type Layout,
  proseWidth,
  tableRoom,
  tableText,
  truncate,
  wrapWords,
} from '../text/layout.ts';
import {
  changedText,
  IMPACT_DIMENSIONS,
  type ImpactResult,
  ruleChangeText,
  shareText,
  transitionFigures,
  transitionText,
} from './impact-result.ts';

/** Transitions that are shown in detail. */
const MAX_SHOWN = 20;
const MAX_RULES = 5;

/** Returns the report for a terminal. */
export function textImpact(result: ImpactResult, { paint = PLAIN, width }: ReportOptions = {}): string {
  const layout: Layout = { paint, width };
  const { summary, endpoint } = result;
  const names = [result.old, result.new].map(name => paint('strong', printable(name)));
  const { transitions } = summary;
  const hidden = transitions.length - MAX_SHOWN;
  const sections = [
    `${names.join(' → ')} (${endpoint}): ${changedText(summary)}${engineText(result, layout)}`,
    unreadNotes(result.unread ?? [])
      .map(note => `  ${paint('warning', note)}`)
      .join('\n'),
    trafficSection(summary, layout),
    ...transitions.slice(0, MAX_SHOWN).map(one => transitionSection(one, result, layout)),
    hidden > 0 ? `  ${paint('frame', `… and ${formatCount(hidden)} more kinds of changes`)}` : '',
    // Last, where the terminal ends.
    matrixSection(result, layout),
    limitSection(result, layout),
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

/** Returns what decided, unless it is JavaScript as requested. */
function engineText({ engine: { name, reason } }: ImpactResult, { paint }: Layout): string {
  const by = name === 'js' ? '' : `, decided by ${ENGINE_PRODUCTS[name]}`;
  return reason === undefined ? by : `\n  ${paint('warning', `decided in process, without DuckDB: ${reason}`)}`;
}

function matrixSection(
  { summary: { transitions, exchanges, newlyDenied } }: ImpactResult,
  { paint, width }: Layout,
): string {
  if (transitions.length === 0) return '';
  const rows: Cell[][] = [heading('was', 'becomes', 'exchanges', '', 'clients')];
  for (const { was, becomes, parts, count, keys } of transitions)
    rows.push([
      { text: formatOutcome(was) },
      { text: becomesText({ becomes, parts }), style: becomes.kind === 'passed' ? 'hint' : 'warning' },
      { text: formatBounds(count) },
      { text: shareText(count, exchanges) },
      { text: keys.clients.distinct === undefined ? 'many' : formatCount(keys.clients.distinct) },
    ]);
  const fit = {
    width: tableRoom({ paint, width }),
    elastic: [
      { column: 0, least: 12, keep: 'start' },
      { column: 1, least: 12, keep: 'start' },
    ],
  } as const;
  const table = tableText(rows, ['left', 'left', 'right', 'right', 'right'], paint, fit);
  if (newlyDenied.most === 0) return table;
  const style: Style = 'warning';
  return `${table}\n  ${paint(style, `newly denied: ${formatBounds(newlyDenied)} (${shareText(newlyDenied, exchanges)})`)}`;
}

function transitionSection(transition: Transition, { rules }: ImpactResult, layout: Layout): string {
  const title = `${layout.paint('strong', transitionText(transition))}  ${transitionFigures(transition)}`;
  const byRule = transition.rules.slice(0, MAX_RULES).map(one => {
    return `${truncate(printable(ruleChangeText(one, rules)), 60)} (${formatCount(one.count)})`;
  });
  const more = transition.rules.length - byRule.length;
  const ruleTexts = [...byRule, ...(more > 0 ? [`${formatCount(more)} more`] : [])];
  const lists = IMPACT_DIMENSIONS.map(name => [name, keyTexts(transition.keys[name])] as const);
  const lines = [
    ...listLines(
      'rules',
      ruleTexts.map((text, at) => (at < ruleTexts.length - 1 ? `${text},` : text)),
      layout,
    ),
    ...lists.flatMap(([name, texts]) => (transition.keys[name].top.length === 0 ? [] : listLines(name, texts, layout))),
    ...(transition.first.length === 0 ? [] : listLines('first', formatLocations(transition.first).split(' '), layout)),
  ];
  return [`  ${title}`, ...lines].join('\n');
}

const TITLE_WIDTH = 9;

function listLines(title: string, words: readonly string[], layout: Layout): readonly string[] {
  const lines = wrapWords(words, proseWidth(layout) - TITLE_WIDTH - 6);
  return lines.map((line, at) => `    ${layout.paint('frame', (at === 0 ? title : '').padEnd(TITLE_WIDTH))}  ${line}`);
}

function limitSection({ limits }: ImpactResult, { paint }: Layout): string {
  return limits
    .map(({ option, message, isExceeded }) => {
      const mark = isExceeded ? paint('error', 'exceeded') : paint('hint', 'kept');
      return `  ${mark}  ${printable(option)}: ${message}`;
    })
    .join('\n');
}
