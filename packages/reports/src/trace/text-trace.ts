// The report of a trace for terminals, and the part of it that says why a test failed.

import type { Profile } from '@tollgate/catalog';
import { humanPosition, type Paint, PLAIN, printable, type ReportOptions, type Style } from '@tollgate/diagnostics';
import {
  type EmbeddedPolicy,
  type PhaseEnvironments,
  type Policy,
  type PolicyTest,
  type PolicyTests,
  type Rule,
  rangeInFile,
} from '@tollgate/policy';
import {
  type ActionTrace,
  type Decision,
  type DecisionTrace,
  loggedBy,
  type Note,
  type RuleResult,
  type TestResult,
  traceTest,
} from '@tollgate/simulator';
import { type Exchange, formatLocation } from '@tollgate/traffic';
import { formatCount, pluralize } from '../text/figures.ts';
import { type Drawing, drawExpression } from './draw-expression.ts';
import {
  clientLines,
  describeOutcome,
  formatNeeds,
  formatValueOrNothing,
  routeLines,
  upstreamLines,
} from './message-lines.ts';
import {
  type ActionView,
  buildView,
  type ModuleView,
  type RuleView,
  ruleTitle,
  type StateChange,
  type TraceReport,
} from './trace-view.ts';
import { valueText } from './value-text.ts';

/** How to show a result: symbol, words and style. */
export const STATUSES: Readonly<Record<RuleResult['status'], readonly [mark: string, words: string, style: Style]>> = {
  matched: ['✓', 'matched', 'hint'],
  'not-matched': ['·', 'not matched', 'frame'],
  failed: ['✗', 'failed', 'error'],
  undetermined: ['?', 'undetermined', 'warning'],
  'not-reached': ['–', 'not reached', 'faint'],
};

/** Default width in columns. */
const DEFAULT_WIDTH = 100;
/** Minimum width at which expressions are readable. */
const MIN_WIDTH = 40;
const INDENT = '    ';

/** Renders the report for the terminal: each rule with the values of its expressions, then the result. */
export function textTrace(report: TraceReport, { paint = PLAIN, width = DEFAULT_WIDTH }: ReportOptions = {}): string {
  const { view, routing } = report;
  const drawing: Drawing = { paint, width: Math.max(MIN_WIDTH, width - INDENT.length) };
  const reasons = new Set<string>();
  const blocks = ruleBlocks(report.rules, { file: report, drawing, reasons });
  const modules = (view?.modules ?? []).map(module => moduleLines(module, paint).join('\n'));
  const sections = [
    paint('strong', printable(titleOf(report))),
    ...(routing ? [routeLines(routing, paint).join('\n')] : []),
    ...modules,
    ...blocks,
    ...leftOut(report).map(text => paint('faint', text)),
    ...(view ? endSections(view.decision, report.endpoint, paint) : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Renders one rule with the values of its expressions. */
export function textRule(
  rule: RuleView,
  file: Pick<TraceReport, 'source' | 'inFile'>,
  { paint = PLAIN, width = DEFAULT_WIDTH }: ReportOptions = {},
): string {
  const drawing: Drawing = { paint, width: Math.max(MIN_WIDTH, width - INDENT.length) };
  return ruleLines(rule, { file, drawing, reasons: new Set() }).join('\n');
}

/** Renders how many rules are hidden. */
export function leftOut({ view, rules }: TraceReport): readonly string[] {
  const all = view?.rules.length ?? 0;
  return rules.length === all ? [] : [`shown: ${formatCount(rules.length)} of ${pluralize(all, 'rule')}`];
}

/** Renders the policy and the exchange. */
export function titleOf({ file, endpoint, routing, exchange }: TraceReport): string {
  return `${file} (${routing ? 'edge' : endpoint}) on ${exchangeTitle(exchange)}`;
}

/** Maximum length of a URL in the title, in UTF-16 code units. The section on the upstream shows all of it. */
const MAX_URL_LENGTH = 200;

/** Returns a short form of the exchange, with its location in the recording. */
export function exchangeTitle({ method, url, target, clientIp, place }: Exchange): string {
  const address = url ?? target;
  const short =
    address !== undefined && address.length > MAX_URL_LENGTH ? `${address.slice(0, MAX_URL_LENGTH - 1)}…` : address;
  const request = [method, short].filter(text => text !== undefined).join(' ');
  const what = request === '' ? `a connection${clientIp === undefined ? '' : ` from ${clientIp}`}` : request;
  const from = place.file === 'command line' ? '' : ` (${formatLocation(place)})`;
  return what + from;
}

interface RuleStyle {
  readonly file: Pick<TraceReport, 'source' | 'inFile'>;
  readonly drawing: Drawing;
  /** Renders why rules were not reached, once for all of them. */
  readonly reasons: Set<string>;
}

/** Renders rules that were not reached, one line each. */
function ruleBlocks(rules: readonly RuleView[], look: RuleStyle): readonly string[] {
  const blocks: string[] = [];
  let before: RuleView | undefined;
  for (const rule of rules) {
    const text = ruleLines(rule, look).join('\n');
    const isSame = [before, rule].every(one => one?.result.status === 'not-reached');
    if (isSame) blocks.push(`${blocks.pop()}\n${text}`);
    else blocks.push(text);
    before = rule;
  }
  return blocks;
}

function ruleLines(rule: RuleView, { file, drawing, reasons }: RuleStyle): readonly string[] {
  const { paint } = drawing;
  const { status } = rule.result;
  const head = headLine(rule, file, paint);
  const isExplained =
    status === 'not-reached' && rule.reason !== undefined && reasons.size === reasons.add(rule.reason).size;
  const reason = rule.reason === undefined || isExplained ? [] : [`  ${rule.reason}`];
  if (status === 'not-reached') return [head, ...reason];
  return [
    head,
    ...reason,
    ...rule.expressions.flatMap(({ root, source: text }) => ['', ...drawExpression(root, text, drawing).map(inside)]),
    ...rule.actions.flatMap(action => {
      if (!('actions' in rule.result)) return [];
      return ['', ...actionLines(action, drawing).map(line => (line === '' ? '' : `  ${line}`))];
    }),
  ];
}

function inside(line: string): string {
  return line === '' ? '' : INDENT + line;
}

function headLine(rule: RuleView, { source, inFile }: RuleStyle['file'], paint: Paint): string {
  const [mark, words, style] = STATUSES[rule.result.status];
  const name = rule.name === undefined ? '' : `  ${paint('strong', printable(rule.name))}`;
  const { line } = humanPosition(source, inFile(rule.range).start);
  return `${paint(style, mark)} ${ruleTitle(rule)}${name}  ${paint(style, words)}${paint('faint', `  line ${line}`)}`;
}

function moduleLines({ name, result, changes }: ModuleView, paint: Paint): readonly string[] {
  const [mark, words, style] = STATUSES[result.status];
  const acts = 'actions' in result ? result.actions : [];
  const needs = result.status === 'undetermined' ? [`  needs ${formatNeeds(result.needs)}`] : [];
  const endings = acts.flatMap(({ ending, needs: open }) =>
    ending ? [`  ${open.length > 0 ? 'may end' : 'ends'} evaluation: ${describeOutcome(ending.outcome)}`] : [],
  );
  return [
    `${paint(style, mark)} module ${paint('strong', name)}  ${paint(style, result.status === 'matched' ? 'ran' : words)}`,
    ...needs,
    ...changes.filter(changesTraffic).flatMap(change => changeLines(change, paint).map(line => `  ${line}`)),
    ...endings,
  ];
}

function endSections(decision: Decision, endpoint: string, paint: Paint): readonly string[] {
  const { outcomes, needs } = decision;
  const texts = outcomes.map(describeOutcome).join(', or ');
  const open = needs.length === 0 ? '' : `\n  depends on ${formatNeeds(needs)}`;
  const logged = loggedBy(decision).map(metadata => printable(valueText(metadata)));
  return [
    `${paint('strong', 'outcome')}  ${paint(needs.length === 0 ? 'strong' : 'warning', texts)}${open}`,
    ...(isConnectionEndpoint(endpoint)
      ? []
      : [
          section('the client receives', clientLines(decision, paint), paint),
          section('the upstream receives', upstreamLines(decision, paint), paint),
        ]),
    ...(logged.length === 0 ? [] : [section('logged', logged, paint)]),
  ];
}

/** TLS and TCP endpoints have no requests. */
export function isConnectionEndpoint(endpoint: string): boolean {
  return /^t(?:cp|ls)-/.test(endpoint);
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return [paint('strong', title), ...lines.map(line => (line === '' ? '' : `  ${line}`))].join('\n');
}

/** Renders what an action did. */
function actionLines(action: ActionView, drawing: Drawing): readonly string[] {
  const { paint } = drawing;
  const { type, trace, changes, filled } = action;
  if (trace === undefined) return [`${paint('faint', `→ ${type}  not run: evaluation had already ended`)}`];
  const result = actionResult(action);
  const shown = result && paint(trace.result === 'idle' ? 'faint' : 'warning', `  ${result}`);
  return [
    `${paint('strong', `→ ${type}`)}${shown ?? ''}`,
    ...filled.flatMap(({ root, source }) => indented(drawExpression(root, source, narrower(drawing)))),
    ...trace.notes.flatMap(note => indented([noteLine(note, paint)])),
    ...changes.filter(changesTraffic).flatMap(change => indented(changeLines(change, paint))),
    ...indented(endingLines(action, paint)),
  ];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map(line => (line === '' ? '' : INDENT + line));
}

function narrower({ paint, width }: Drawing): Drawing {
  return { paint, width: width - INDENT.length };
}

/** Returns false for the results of actions, which are shown where later expressions read them. */
export function changesTraffic({ what }: StateChange): boolean {
  return !what.startsWith('actions.');
}

/** Renders a change on one line if it fits, otherwise on three. */
function changeLines({ what, before, after }: StateChange, paint: Paint): readonly string[] {
  const [from, to] = [formatValueOrNothing(before), formatValueOrNothing(after)];
  const name = paint('info', printable(what));
  const arrow = paint('frame', '→');
  if (what.length + from.length + to.length < ONE_LINE_LENGTH) return [`${name}  ${from} ${arrow} ${to}`];
  return [name, `    ${from}`, `  ${arrow} ${to}`];
}

const ONE_LINE_LENGTH = 70;

function noteLine(note: Note, paint: Paint): string {
  const [kind, text] = noteText(note);
  if (kind !== '') return `${paint('info', kind)} ${text}`;
  return paint(note.kind === 'failed' ? 'error' : 'warning', text);
}

/** Returns a verb and its object; the verb is empty if the text is a full sentence. */
export function noteText(note: Note): readonly [verb: string, text: string] {
  switch (note.kind) {
    case 'logged':
      return ['logs', printable(valueText(note.metadata))];
    case 'failed':
      return ['', `interpolation failed: ${printable(note.error.message)}`];
    case 'opaque':
      return ['', `unknown because ${note.reason}`];
    case 'admission':
      return [note.verdict === 'allow' ? 'allows' : 'denies', admissionText(note)];
    case 'invalid-token':
      return ['rejects', `the token: ${printable(note.reason)}`];
    case 'unsigned':
      return [
        'rejects',
        `an unsigned request without a ${note.headers.map(name => `\`${name}\``).join(' or ')} header`,
      ];
    case 'verified':
      return note.verdict.kind === 'invalid'
        ? ['rejects', `the signature: ${note.verdict.reason}`]
        : ['finds', 'the signature right'];
    case 'not-enforced':
      return ['', 'would reject the request, but is not enforcing'];
    case 'sent':
      return ['sends to', printable(note.url)];
    case 'counted':
      return ['counts', `${countOf(note)} for ${printable(note.key)}`];
  }
}

function admissionText({ range }: Extract<Note, { kind: 'admission' }>): string {
  return range === undefined
    ? 'the address, which is in no `allow` range'
    : `the address, which is in ${printable(range)}`;
}

function countOf({ least, most }: Extract<Note, { kind: 'counted' }>): string {
  return least === most ? String(least) : `${least} to ${most}`;
}

/** Returns what an action that was run came to, unless it certainly had an effect. */
export function actionResult({ isCheck, trace }: ActionView): string | undefined {
  if (trace?.result === 'may-have-fired') return 'perhaps';
  if (trace?.result !== 'idle' || trace.notes.some(({ kind }) => kind === 'admission')) return undefined;
  return isCheck ? 'lets it pass' : 'nothing to do';
}

/** Returns how an action ended the evaluation, or may have; undefined if it did not. */
export function endingText({ ending, needs, result }: ActionTrace): string | undefined {
  if (ending === undefined) return undefined;
  const text = describeOutcome(ending.outcome);
  if (needs.length > 0) return `may end evaluation: ${text}; needs ${formatNeeds(needs)}`;
  return `${result === 'fired' ? 'ends' : 'would end'} evaluation: ${text}`;
}

function endingLines({ trace }: ActionView, paint: Paint): readonly string[] {
  const text = trace && endingText(trace);
  return text === undefined ? [] : [paint(trace?.result === 'fired' ? 'strong' : 'warning', text)];
}

// Why a test failed: the rules that decided, with the values of their expressions.

/** A test that ran, and what it ran on. */
interface Tested {
  readonly test: PolicyTest;
  readonly tests: PolicyTests;
  readonly runnable: { readonly policy: Policy; readonly profile: Profile; readonly environments: PhaseEnvironments };
  readonly embedded: EmbeddedPolicy;
  readonly profile: Profile;
}

/** Renders rules in a style. */
type Render = (style: { readonly paint: Paint; readonly width: number | undefined }) => string;

/**
 * Returns what a terminal shows of the rules that decided a failed test: those that the failed expectations are about, or those that should have
 * decided. Undefined if there are none.
 */
export function decidingTrace(
  result: TestResult,
  { test, tests, runnable, embedded, profile }: Tested,
): Render | undefined {
  if (result.status !== 'failed' || result.mismatches.every(({ kind }) => kind === 'invalid')) return undefined;
  const { policy } = runnable;
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const trace = traceTest(policy, { file: tests, test }, runnable);
  const chosen = rulesToShow(result, { trace, rules, test });
  if (chosen.length === 0) return undefined;
  const view = buildView({ policy, profile, trace });
  const file = { source: embedded.file, inFile: (range: Rule['range']) => rangeInFile(embedded, range) };
  return ({ paint, width }) =>
    chosen.map(at => textRule(view.rules[at]!, file, { paint, ...(width !== undefined && { width }) })).join('\n\n');
}

interface Context {
  readonly trace: DecisionTrace;
  readonly rules: readonly Rule[];
  readonly test: PolicyTest;
}

function rulesToShow({ mismatches }: TestResult, { trace, rules, test }: Context): readonly number[] {
  const named = [...new Set(mismatches.flatMap(({ rule }) => rule ?? []))];
  if (named.length > 0) return named;
  const open = trace.rules.flatMap(({ status }, at) => (status === 'undetermined' ? [at] : []));
  if (open.length > 0 && mismatches.some(({ kind }) => kind === 'undetermined')) return open.slice(0, MAX_SHOWN);
  const missed = rules.flatMap((rule, at) =>
    trace.rules[at]!.status === 'not-matched' || trace.rules[at]!.status === 'failed'
      ? wouldDecide(rule, test)
        ? [at]
        : []
      : [],
  );
  if (missed.length > 0) return missed.slice(0, MAX_SHOWN);
  return trace.rules.flatMap(({ status }, at) => (status === 'matched' ? [at] : [])).slice(-1);
}

/** A failed test is about one decision; more rules would bury it. */
const MAX_SHOWN = 2;

const ENDS: Readonly<Record<string, string>> = {
  denied: 'deny',
  redirected: 'redirect',
  answered: 'custom-response',
  forwarded: 'forward-internal',
  closed: 'close-connection',
};

/** Returns true if a rule has the action that a test expects to decide. */
function wouldDecide({ actions }: Rule, { expect: { outcome, status } }: PolicyTest): boolean {
  return actions.some(({ type, config }) => {
    const { status_code: code } = config;
    if (status !== undefined && code !== undefined) return code === status;
    return outcome !== undefined && ENDS[outcome] === type.value;
  });
}
