// The report of a replay for terminals: rules, outcomes, time, needs and errors.

import { displayWidth, PLAIN, printable, type ReportOptions, type Style } from '@tollgate/diagnostics';
import type { BreakdownSummary, Occurrence, PolicySummary, RuleSummary, TimeSummary } from '@tollgate/simulator';
import { formatLocation } from '@tollgate/traffic';
import {
  BAR_WIDTH,
  drawBar,
  formatBounds,
  formatCount,
  formatDuration,
  formatPercentage,
  formatTime,
  pluralize,
  sparkline,
} from '../text/figures.ts';
import {
  type Alignment,
  type Cell,
  heading,
  type Layout,
  plotWidth,
  proseWidth,
  tableRoom,
  tableText,
  tableWidth,
  truncate,
  wrapText,
  wrapWords,
} from '../text/layout.ts';
import { completeHeadersText, formatNeeds, formatOutcome, rewrittenText } from './outcome-text.ts';
import {
  ENGINE_PRODUCTS,
  formatRoute,
  isUndecided,
  JOINED_INPUT,
  PARTS_OF_URL,
  type ReplayPart,
  type ReplayResult,
  ruleLabel,
  scopeNotes,
  shownName,
  type Timeline,
  timelineOf,
} from './replay-result.ts';
import { outcomeKeysSection, topSection, trafficSection, unroutedSections } from './traffic-text.ts';

/** Renders the report for the terminal. */
export function textReplay(answer: ReplayResult, { paint = PLAIN, width }: ReportOptions = {}): string {
  const layout: Layout = { paint, width };
  const { traffic, parts, unrouted } = answer;
  // Tables in which every figure is between nothing and everything say nothing.
  const shown = isUndecided(answer) ? undecidedSections : partSections;
  const sections = [
    [
      layout.paint('strong', titleOf(answer)),
      ...scopeNotes(answer).map(note => `  ${layout.paint('warning', note)}`),
    ].join('\n'),
    trafficSection(traffic, layout),
    ...parts.flatMap(part => shown(part, layout)),
    ...(unrouted ? unroutedSections(unrouted, layout) : []),
    hintOf(answer, layout),
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

/** Returns the title: `p.yaml (https-route) on 12 exchanges, replayed by DuckDB`. */
function titleOf(answer: ReplayResult): string {
  const { endpoint = 'edge', traffic, engine } = answer;
  const by = engine === undefined || engine.name === 'js' ? '' : `, replayed by ${ENGINE_PRODUCTS[engine.name]}`;
  return `${printable(shownName(answer))} (${endpoint}) on ${pluralize(traffic.exchanges, 'exchange')}${by}`;
}

/** Renders what a policy did, under the name of its route, if any. */
function partSections(part: ReplayPart, layout: Layout): readonly string[] {
  const { route, exchanges, summary } = part;
  const title = route && `route ${printable(formatRoute(route))} on ${pluralize(exchanges, 'exchange')}`;
  const sections = [
    topSection(part, layout),
    outcomeKeysSection(part, layout),
    timeSection(part, layout),
    occurrenceSection(ERRORS, summary.rules, layout),
    occurrenceSection(NEEDS, summary.rules, layout),
    lateText(summary, layout),
    summary.rules.length === 0 ? '' : ruleSection(summary.rules, layout),
    // Last, where the terminal ends.
    outcomeSection(part, layout),
  ];
  if (title === undefined) return sections;
  return [layout.paint('strong', title), ...(exchanges === 0 ? [] : sections)];
}

function undecidedSections({ summary }: ReplayPart, layout: Layout): readonly string[] {
  return [occurrenceSection(NEEDS, summary.rules, layout)];
}

/** Limits may be wrong if the time is not that of the traffic. */
function lateText({ late = 0 }: PolicySummary, layout: Layout): string {
  if (late === 0) return '';
  const text = `${pluralize(late, 'exchange')} arrived out of order; limits use the time of the exchange before it`;
  return wrapText(text, proseWidth(layout) - 2)
    .map(line => `  ${layout.paint('warning', line)}`)
    .join('\n');
}

const JOINED_HINT =
  'a header with commas may be several headers that the server joined; record a list of its values to know what was sent';

/** Returns what the user can add to determine more. */
function hintOf({ parts, origin }: ReplayResult, layout: Layout): string {
  const needs = parts.flatMap(({ summary: { undetermined, rules } }) => [
    ...undetermined.needs,
    ...rules.flatMap(rule => rule.needs),
  ]);
  const isUrl = origin === undefined && needs.some(({ text }) => PARTS_OF_URL.test(text));
  const signs = new Set(needs.flatMap(({ text }) => / recorded as (".*")$/.exec(text)?.[1] ?? []));
  return [
    ...(isUrl ? [URL_HINT] : []),
    ...[...signs].map(
      sign =>
        `${sign} may stand for a header that was not sent, or be its value; pass \`--absent ${shellWord(sign)}\` if no client sends that value`,
    ),
    ...(needs.some(({ text }) => text.endsWith(JOINED_INPUT)) ? [JOINED_HINT] : []),
  ]
    .map(text => {
      const [first, ...rest] = wrapText(printable(text), proseWidth(layout) - 8);
      return [`  ${layout.paint('hint', 'help')}: ${first}`, ...rest.map(line => `        ${line}`)].join('\n');
    })
    .join('\n');
}

const URL_HINT =
  'the recording lacks the scheme or the host of some requests; log both (nginx: `$scheme` and `$http_host`; `$host` lacks the port), or assume what is missing with `--origin https://example.com`';

/** Returns a JSON string as an argument for shells. */
function shellWord(json: string): string {
  return /^"[\w.-]+"$/.test(json) ? json.slice(1, -1) : `'${JSON.parse(json)}'`;
}

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
function ruleSection(rules: readonly RuleSummary[], layout: Layout): string {
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

/** Minimum useful length of a bar. */
const MIN_BAR_WIDTH = 4;

/** Renders the outcomes. */
function outcomeSection({ summary, exchanges }: ReplayPart, layout: Layout): string {
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

const MAX_COLUMNS = 60;
const MAX_OUTCOME_WIDTH = 36;
/** Maximum share of the width for names. */
const NAME_SHARE = 0.35;
/** Maximum number of rules to show: those with the most matches. */
const MAX_RULES = 12;

interface Series {
  readonly name: string;
  readonly counts: readonly number[];
  readonly style: Style;
}

/** Renders outcomes and matches over time as sparklines; empty if no two times are known. */
function timeSection(part: ReplayPart, layout: Layout): string {
  const { breakdown } = part.summary;
  if (breakdown === undefined) return '';
  const shown = seriesOf(part, breakdown).filter(({ counts }) => counts.some(count => count > 0));
  const longest = Math.min(MAX_OUTCOME_WIDTH, Math.floor(plotWidth(layout) * NAME_SHARE));
  const nameWidth = Math.min(longest, Math.max(0, ...shown.map(({ name }) => displayWidth(name))));
  // Two spaces before each column of the table; the highest count comes last.
  const room = plotWidth(layout) - nameWidth - 'most 1,234,567'.length - 6;
  const timeline = timelineOf(breakdown.time, Math.max(10, Math.min(MAX_COLUMNS, room)));
  if (timeline === undefined) return '';
  const rows = shown.map(({ name, counts, style }): Cell[] => {
    const columns = timeline.spread(counts);
    const line = sparkline(columns).padEnd(timeline.columns);
    return [
      { text: truncate(name, nameWidth) },
      { text: line, style },
      { text: `most ${formatCount(Math.max(...columns))}`, style: 'frame' },
    ];
  });
  const title = `  ${layout.paint('strong', 'over time')}  ${axisText(timeline)}`;
  const notes = wrapText(noteText(breakdown.time, timeline), proseWidth(layout) - 2);
  const table = tableText(rows, ['left', 'left', 'left'], layout.paint);
  return [title, table, ...notes.map(line => `  ${layout.paint('frame', line)}`)].join('\n');
}

function seriesOf({ summary: { rules } }: ReplayPart, { time, rules: broken }: BreakdownSummary): readonly Series[] {
  const outcomes = time.outcomes.map(
    ({ outcome, counts }): Series => ({
      name: formatOutcome(outcome),
      counts,
      style: outcome.kind === 'passed' ? 'hint' : 'warning',
    }),
  );
  const matched = rules.map((rule, index) => ({ rule, counts: broken[index]!.matched }));
  const most = [...matched].sort((a, b) => b.rule.matched - a.rule.matched).slice(0, MAX_RULES);
  const shown = matched
    .filter(one => most.includes(one))
    .map(
      ({ rule, counts }): Series => ({
        name: `${ruleLabel(rule)}  ${printable(rule.name ?? '')}`.trimEnd(),
        counts,
        style: 'info',
      }),
    );
  return [...outcomes, { name: 'undetermined', counts: time.undetermined, style: 'frame' }, ...shown];
}

/** The note states the width of a column. */
function axisText({ start, width, columns }: Timeline): string {
  const [from, to] = [formatTime(start, width), formatTime(start + columns * width, width)];
  const [day] = from.split(' ');
  return `${from} – ${to.startsWith(`${day} `) ? to.slice(day!.length + 1) : to} UTC`;
}

function noteText({ untimed }: TimeSummary, { width, outside }: Timeline): string {
  const notes = [`each column is ${formatDuration(width)}`];
  if (outside > 0) notes.push(`${pluralize(outside, 'exchange')} far from all others in time`);
  if (untimed > 0) notes.push(`${pluralize(untimed, 'exchange')} without a known time`);
  return notes.join('; ');
}

/** Maximum number of different inputs and errors to show for each rule. */
const MAX_SHOWN = 5;

/** Occurrences by rule under one title, the most frequent first. */
interface OccurrenceSection {
  readonly title: string;
  readonly what: string;
  readonly style: Style;
  readonly of: (rule: RuleSummary) => readonly Occurrence[];
}

/** Renders the inputs that would determine whether rules matched. */
const NEEDS: OccurrenceSection = {
  title: 'undetermined',
  what: 'needs',
  style: 'warning',
  of: rule => rule.needs,
};

/** Renders the errors of expressions. */
const ERRORS: OccurrenceSection = { title: 'failed', what: 'error', style: 'error', of: rule => rule.errors };

/** Renders occurrences as a table; empty if there are none. */
function occurrenceSection(
  { title, what, style, of }: OccurrenceSection,
  rules: readonly RuleSummary[],
  layout: Layout,
): string {
  const rows = rules.flatMap(rule =>
    of(rule)
      .slice(0, MAX_SHOWN)
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
