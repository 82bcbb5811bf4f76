// How a change of a policy changes what happens to recorded traffic: the model that all formats print, its limits, how its parts are said, and
// the report for terminals.

import { PLAIN, printable, type Report, type ReportOptions, type Style } from '@tollgate/diagnostics';
import type {
  ChangedExample,
  ImpactDimension,
  ImpactSummary,
  Interval,
  Outcome,
  Transition,
} from '@tollgate/simulator';
import type { RuleNames } from '../replay/decision-lines.ts';
import { becomesText, formatLocations, formatOutcome, isSameOutcome } from '../replay/outcome-text.ts';
import {
  ENGINE_PRODUCTS,
  type ReplayResult,
  scannedText,
  type UnreadFile,
  unreadNotes,
} from '../replay/replay-result.ts';
import { keyTexts, trafficSection } from '../replay/traffic-text.ts';
import { formatBounds, formatCount, pluralize } from '../text/figures.ts';
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

/** The impact of a change, which all report formats render. */
export interface ImpactResult {
  /** As named on the command line. */
  readonly old: string;
  readonly new: string;
  readonly profile: string;
  readonly endpoint: string;
  readonly engine: NonNullable<ReplayResult['engine']>;
  /** Findings in the policies, warnings at most. */
  readonly report: Report;
  readonly summary: ImpactSummary;
  /** The rules of the old and the new policy. */
  readonly rules: readonly [was: RuleNames, becomes: RuleNames];
  readonly limits: readonly CheckedLimit[];
  /** Recordings with members that may hold what is needed, if it is not certain what changes. */
  readonly unread?: readonly UnreadFile[];
}

/** A limit on the impact, and whether it is kept. */
interface CheckedLimit {
  /** As given: `--max-newly-denied 0.01%`. */
  readonly option: string;
  readonly found: Interval;
  readonly isExceeded: boolean;
  /** What was found: `12 of 245 exchanges (4.9 %) are newly denied`. */
  readonly message: string;
}

/** Dimensions of changed exchanges, in report order. */
export const IMPACT_DIMENSIONS: readonly ImpactDimension[] = ['prefixes', 'paths', 'clients', 'countries'];

/** Returns bounds as a share of all exchanges: `0.31 %`. */
export function shareText({ least, most }: Interval, whole: number): string {
  const [low, high] = [percent(least, whole), percent(most, whole)];
  return low === high ? `${low} %` : `${low}–${high} %`;
}

/** With two significant digits: a tenth of a percent matters here. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '0' : String(Number(((100 * part) / whole).toPrecision(2)));
}

/** Returns a transition: `passed → denied with 403`, `passed → passed, other URL`. */
export function transitionText(transition: Transition): string {
  return `${formatOutcome(transition.was)} → ${becomesText(transition)}`;
}

/** Returns how often a transition occurs: `1,204 exchanges, 37 clients`. */
export function transitionFigures(transition: Pick<Transition, 'count' | 'keys'>): string {
  const { count, keys } = transition;
  const noun = count.least === 1 && count.most === 1 ? 'exchange' : 'exchanges';
  const { distinct } = keys.clients;
  if (distinct === 0) return `${formatBounds(count)} ${noun}`;
  const bound = hasOtherClients(transition) ? 'at least ' : '';
  const who =
    distinct === undefined ? `more than ${formatCount(20_000)} clients` : `${bound}${pluralize(distinct, 'client')}`;
  return `${formatBounds(count)} ${noun}, ${who}`;
}

/** Returns whether there may be more clients than were counted: only those of exchanges that certainly change are, where they are recorded. */
function hasOtherClients({ count, keys: { clients } }: Pick<Transition, 'count' | 'keys'>): boolean {
  return clients.unknown > 0 || count.least < count.most;
}

function clientsCell(transition: Transition): string {
  const { distinct } = transition.keys.clients;
  if (distinct === undefined) return 'many';
  if (!hasOtherClients(transition)) return formatCount(distinct);
  return distinct === 0 ? 'unknown' : `≥ ${formatCount(distinct)}`;
}

/** Returns what people recognize an exchange by, in one line: `2026-11-21T10:00:00.000Z 192.0.2.1 GET /admin/`. */
export function exampleText({ time, client, method, path }: ChangedExample): string {
  const parts = [time === undefined ? undefined : new Date(time).toISOString(), client, method, path];
  return printable(parts.filter(part => part !== undefined).join(' ')) || 'nothing that tells it apart is recorded';
}

/** Returns the rules that decided: `no rule → inbound 2 (no scanners)`; one name if both are alike. */
export function ruleChangeText(
  change: { readonly was: number | undefined; readonly becomes: number | undefined },
  [was, becomes]: ImpactResult['rules'],
): string {
  const [before, after] = [nameOf(was, change.was), nameOf(becomes, change.becomes)];
  return before === after ? before : `${before} → ${after}`;
}

function nameOf(rules: RuleNames, position: number | undefined): string {
  const rule = position === undefined ? undefined : rules[position];
  if (rule === undefined) return 'no rule';
  return rule.name === undefined ? rule.label : `${rule.label} (${rule.name})`;
}

/** Returns the verdict in one line: `12 of 245 exchanges change (4.9 %)`. */
export function changedText({ exchanges, changed }: ImpactSummary): string {
  if (exchanges === 0) return 'no exchange to compare';
  const noun = exchanges === 1 ? 'exchange' : 'exchanges';
  if (changed.most === 0) return `no change for ${formatCount(exchanges)} ${noun}`;
  return `${formatBounds(changed)} of ${formatCount(exchanges)} ${noun} change (${shareText(changed, exchanges)})`;
}

/** What an impact must not exceed. */
export interface ImpactLimits {
  readonly maxNewlyDenied?: AllowedCount;
  /** Expressions on exchanges that must not change. */
  readonly neverTouch?: readonly string[];
}

/** A number of exchanges, or a share of all. */
export type AllowedCount =
  | { readonly text: string; readonly percent: number }
  | { readonly text: string; readonly count: number };

/** Compares an impact with limits. What may happen counts, because the recording does not show that it does not. */
export function checkLimits(
  { exchanges, newlyDenied, touched }: ImpactSummary,
  { maxNewlyDenied, neverTouch = [] }: ImpactLimits,
): readonly CheckedLimit[] {
  const limits: CheckedLimit[] = [];
  const isOne = ({ least, most }: Interval) => least === 1 && most === 1;
  if (maxNewlyDenied !== undefined) {
    const allowed = 'count' in maxNewlyDenied ? maxNewlyDenied.count : (maxNewlyDenied.percent * exchanges) / 100;
    limits.push({
      option: `--max-newly-denied ${maxNewlyDenied.text}`,
      found: newlyDenied,
      isExceeded: newlyDenied.most > allowed,
      message: `${formatBounds(newlyDenied)} of ${formatCount(exchanges)} exchanges (${shareText(newlyDenied, exchanges)}) ${isOne(newlyDenied) ? 'is' : 'are'} newly denied`,
    });
  }
  if (touched !== undefined)
    limits.push({
      option: neverTouch.map(expression => `--never-touch ${JSON.stringify(expression)}`).join(' '),
      found: touched.count,
      isExceeded: touched.count.most > 0,
      message: `${formatBounds(touched.count)} protected ${isOne(touched.count) ? 'exchange changes' : 'exchanges change'}`,
    });
  return limits;
}

/** How often each outcome becomes which. */
interface OutcomeMatrix {
  /** Outcomes of the new policy. */
  readonly columns: readonly Outcome[];
  readonly rows: readonly MatrixRow[];
}

/** An outcome of the old policy. */
interface MatrixRow {
  readonly was: Outcome;
  /** Parallel to the columns; undefined where there is nothing. */
  readonly counts: readonly (MatrixCell | undefined)[];
}

/** Exchanges with one outcome before and after. */
interface MatrixCell {
  readonly count: Interval;
  readonly isSame: boolean;
}

/** Returns the matrix of outcomes; the diagonal is what does not change. */
export function outcomeMatrix({ was, becomes, unchanged, transitions }: ImpactSummary): OutcomeMatrix {
  const columns = becomes.map(({ outcome }) => outcome);
  const rows = was.map(({ outcome: row }) => ({
    was: row,
    counts: columns.map((column): MatrixCell | undefined => {
      const isSame = isSameOutcome(row, column);
      const found = isSame
        ? unchanged.find(one => isSameOutcome(one.outcome, row))
        : transitions.find(one => isSameOutcome(one.was, row) && isSameOutcome(one.becomes, column));
      return found && { count: found.count, isSame };
    }),
  }));
  return { columns, rows };
}

// The report of an impact for terminals.

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
function engineText({ engine: { name, reason }, summary: { scannedBytes } }: ImpactResult, { paint }: Layout): string {
  const scanned = scannedBytes === undefined ? '' : `\n  ${paint('warning', scannedText(name, scannedBytes))}`;
  const by = name === 'js' ? '' : `, decided by ${ENGINE_PRODUCTS[name]}${scanned}`;
  return reason === undefined ? by : `\n  ${paint('warning', `decided in process, without DuckDB: ${reason}`)}`;
}

function matrixSection(
  { summary: { transitions, exchanges, newlyDenied } }: ImpactResult,
  { paint, width }: Layout,
): string {
  if (transitions.length === 0) return '';
  const rows: Cell[][] = [heading('was', 'becomes', 'exchanges', '', 'clients')];
  for (const transition of transitions) {
    const { was, becomes, parts, count } = transition;
    rows.push([
      { text: formatOutcome(was) },
      { text: becomesText({ becomes, parts }), style: becomes.kind === 'passed' ? 'hint' : 'warning' },
      { text: formatBounds(count) },
      { text: shareText(count, exchanges) },
      { text: clientsCell(transition) },
    ]);
  }
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
    ...(transition.examples ?? []).map((example, at) =>
      titledLine(at === 0 ? 'examples' : '', exampleText(example), layout),
    ),
  ];
  return [`  ${title}`, ...lines].join('\n');
}

const TITLE_WIDTH = 9;

function listLines(title: string, words: readonly string[], layout: Layout): readonly string[] {
  const lines = wrapWords(words, proseWidth(layout) - TITLE_WIDTH - 6);
  return lines.map((line, at) => titledLine(at === 0 ? title : '', line, layout));
}

function titledLine(title: string, line: string, { paint }: Layout): string {
  return `    ${paint('frame', title.padEnd(TITLE_WIDTH))}  ${line}`;
}

function limitSection({ limits }: ImpactResult, { paint }: Layout): string {
  return limits
    .map(({ option, message, isExceeded }) => {
      const mark = isExceeded ? paint('error', 'exceeded') : paint('hint', 'kept');
      return `  ${mark}  ${printable(option)}: ${message}`;
    })
    .join('\n');
}
