// How two policies differ: for terminals, in Markdown and as JSON. What differs between two decisions is said once, for all of them.

import type { EndpointKind, Profile } from '@tollgate/catalog';
import { type ChangedSentence, changedSentences, describePolicy } from '@tollgate/describe';
import { jsonText, type Paint, PLAIN, printable, type ReportOptions } from '@tollgate/diagnostics';
import { markdownCode, markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import type { Policy, Rule } from '@tollgate/policy';
import { loggedBy } from '@tollgate/simulator';
import {
  type Decided,
  exchangeText,
  type OpenComparison,
  type PolicyComparison,
  type PolicyDifference,
} from '@tollgate/solver';
import { exchangeRecord } from '@tollgate/traffic';
import { ruleRecord } from './text/json.ts';
import { proseWidth, wrapText } from './text/layout.ts';
import { describeOutcome, headerEntries, knownText } from './trace/message-lines.ts';

/** Two policies and how they differ. */
export interface DiffReport {
  /** As named on the command line. */
  readonly before: string;
  readonly after: string;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** The policies, each with its own profile. */
  readonly policies: readonly [before: PolicyInProfile, after: PolicyInProfile];
  readonly comparison: PolicyComparison;
}

interface PolicyInProfile {
  readonly policy: Policy;
  readonly profile: Profile;
}

/** Returns what the author changed, in words. */
function changedWords({ policies: [before, after] }: DiffReport): readonly ChangedSentence[] {
  return changedSentences(describePolicy(before.policy, before.profile), describePolicy(after.policy, after.profile));
}

const SIGNS = { removed: '-', added: '+' };

/** One aspect of two decisions that differs, as text. */
interface ChangedAspect {
  readonly before: string;
  readonly after: string;
}

/** Returns what differs between two decisions: the outcome, or else what the upstream, the client or the log gets. */
function changedAspects({ before, after }: PolicyDifference): readonly ChangedAspect[] {
  const outcome = { before: outcomeOf(before), after: outcomeOf(after) };
  if (plainOutcome(before) !== plainOutcome(after)) return [outcome];
  const aspects = ASPECTS.map(describe => ({ before: describe(before), after: describe(after) }));
  const changed = aspects.filter(aspect => aspect.before !== aspect.after);
  return changed.length === 0 ? [outcome] : changed;
}

function plainOutcome({ decision }: Decided): string {
  return decision.outcomes.map(({ kind, status }) => `${kind} ${status}`).join();
}

/** Returns the outcome and the rule that caused it: ``denied with 403 by `deny` in `inbound 3` ``. */
function outcomeOf({ decision, rules }: Decided): string {
  const texts = decision.outcomes.map(outcome => {
    const rule = rules.findLast(one => one.actions.some(({ type }) => type.value === outcome.action));
    const text = outcome.kind === 'passed' ? 'passed to the upstream' : describeOutcome(outcome);
    return `${text}${rule === undefined ? '' : ` in ${ruleText(rule)}`}`;
  });
  return texts.join(', or ');
}

const ASPECTS: readonly ((decided: Decided) => string)[] = [
  ({ decision: { upstream } }) => `the upstream receives \`${knownText(upstream.request.url)}\``,
  ({ decision: { upstream } }) => `the upstream receives ${headersText(upstream.request.headers)}`,
  ({ decision: { response } }) =>
    `the client receives status ${response === undefined ? 'nothing' : knownText(response.status)}`,
  ({ decision: { response } }) => `the client receives ${headersText(response?.headers ?? {})}`,
  ({ decision: { response } }) =>
    `the client receives the body ${response === undefined ? 'nothing' : knownText(response.body)}`,
  ({ decision }) => `the request is sent to ${listText(sentBy(decision))}`,
  ({ decision: { counters } }) => `it counts as ${listText(counters.map(({ key }) => knownText(key)))} towards limits`,
  ({ decision: { counters } }) => `it counts towards the limits ${listText(counters.map(({ limit }) => limit))}`,
  ({ decision }) => `the log receives ${JSON.stringify(loggedBy(decision))}`,
];

/** Returns the URLs that matching rules send the request, or requests of their own, to. */
function sentBy({ rules }: Decided['decision']): readonly string[] {
  const notes = rules.flatMap(rule => (rule.status === 'matched' ? rule.actions.flatMap(one => one.notes) : []));
  return notes.flatMap(note => (note.kind === 'sent' ? [note.url] : []));
}

function listText(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.map(text => `\`${text}\``).join(', ');
}

function headersText(headers: Parameters<typeof headerEntries>[0]): string {
  const entries = headerEntries(headers).map(([name, value]) => `\`${name}: ${knownText(value)}\``);
  return entries.length === 0 ? 'no headers' : entries.join(', ');
}

/** Returns a rule by phase, number and name: `` `inbound 3` (no scanners)``. */
export function ruleText({ phase, index, name }: Rule): string {
  return `\`${phase} ${index + 1}\`${name === undefined ? '' : ` (${name.value})`}`;
}

/** Returns the rules of one policy in order: `` `inbound 3` and `inbound 4` ``; `no rule` if there are none. */
export function rulesText(rules: readonly Rule[]): string {
  return rules.length === 0 ? 'no rule' : rules.map(ruleText).join(' and ');
}

/** Returns the verdict as a sentence. */
function verdictText({ comparison: { verdict, differences, isComplete, open } }: DiffReport): string {
  if (verdict === 'same') return 'no difference: both policies decide every well-formed request alike';
  if (verdict === 'unknown') return 'no difference found, but equality is not proved';
  const count = `${isComplete && open.length === 0 ? '' : 'at least '}${differences.length}`;
  return differences.length === 1 ? `${count} difference` : `${count} differences`;
}

/** Returns the report for a terminal. */
export function textDiff(report: DiffReport, { paint = PLAIN, width }: ReportOptions = {}): string {
  const { before, after, comparison } = report;
  const head = `${paint('strong', printable(before))} → ${paint('strong', printable(after))}: ${verdictText(report)}`;
  const words = changedWords(report).flatMap(one => sentenceLines(one, paint, width));
  const parts = [
    ...(words.length === 0 ? [] : [words]),
    ...comparison.differences.map(one => differenceLines(one, paint)),
    ...comparison.open.map(one => openLines(one, paint)),
  ];
  return `${[[head], ...parts].map(lines => lines.join('\n')).join('\n\n')}\n`;
}

/** A sentence with its sign; further lines are indented. */
function sentenceLines(
  { kind, rule, text }: ChangedSentence,
  paint: Paint,
  width: number | undefined,
): readonly string[] {
  const room = proseWidth({ paint, width }) - 2;
  return wrapText(printable(`${rule}: ${text}`), room).map((line, at) => {
    const shown = `${at === 0 ? SIGNS[kind] : ' '} ${line}`;
    return paint(kind === 'removed' ? 'error' : 'hint', shown);
  });
}

function differenceLines(difference: PolicyDifference, paint: Paint): readonly string[] {
  const aspects = changedAspects(difference).flatMap(({ before, after }) => [
    `  ${paint('error', 'was')}  ${printable(before)}`,
    `  ${paint('hint', 'now')}  ${printable(after)}`,
  ]);
  return [printable(exchangeText(difference.exchange)), ...aspects];
}

function openLines({ reason, before, after, exchange }: OpenComparison, paint: Paint): readonly string[] {
  return [
    `${paint('warning', 'open')}  ${printable(reason)}`,
    `  was  ${printable(rulesText(before))}`,
    `  now  ${printable(rulesText(after))}`,
    ...(exchange === undefined ? [] : [`  for  ${printable(exchangeText(exchange))}`]),
  ];
}

/** Returns the report in Markdown for pull requests. */
export function markdownDiff(report: DiffReport): string {
  const { before, after, comparison } = report;
  const rows = comparison.differences.map(one => {
    const aspects = changedAspects(one);
    return [
      markdownCode(exchangeText(one.exchange)),
      cell(aspects.map(one => one.before)),
      cell(aspects.map(one => one.after)),
    ];
  });
  const words = changedWords(report).map(
    ({ kind, rule, text }) => `- **${kind}** ${markdownText(rule)}: ${inMarkdown(text)}`,
  );
  const open = comparison.open.map(one => [
    markdownText(one.reason),
    cell([rulesText(one.before)]),
    cell([rulesText(one.after)]),
  ]);
  const sections = [
    `### Tollgate: ${markdownCode(before)} → ${markdownCode(after)}`,
    verdictText(report),
    ...(words.length === 0 ? [] : [words.join('\n')]),
    ...(rows.length === 0 ? [] : [markdownTable(['request', 'was', 'now'], rows)]),
    ...(open.length === 0 ? [] : [markdownTable(['open', 'was', 'now'], open)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns sentences as one table cell; what is in backticks becomes code. */
function cell(sentences: readonly string[]): string {
  return inMarkdown(sentences.join('; '));
}

/** Returns a sentence whose parts in backticks become code. */
function inMarkdown(sentence: string): string {
  const parts = sentence.split('`');
  return parts.map((part, at) => (at % 2 === 0 ? markdownText(part) : markdownCode(part))).join('');
}

/** Returns the report as JSON. Members are added, never changed. */
export function jsonDiff(report: DiffReport): string {
  const { before, after, profile, endpoint, comparison } = report;
  const { verdict, isComplete, differences, open } = comparison;
  const document = {
    version: 1,
    before,
    after,
    profile: profile.name,
    endpoint,
    verdict,
    isComplete,
    sentences: changedWords(report),
    differences: differences.map(one => ({
      exchange: exchangeRecord(one.exchange),
      changes: changedAspects(one),
      before: jsonDecided(one.before),
      after: jsonDecided(one.after),
    })),
    open: open.map(one => ({
      reason: one.reason,
      before: one.before.map(ruleRecord),
      after: one.after.map(ruleRecord),
      ...(one.exchange && { exchange: exchangeRecord(one.exchange) }),
    })),
  };
  return `${jsonText(document, 2)}\n`;
}

function jsonDecided({ decision, rules }: Decided): object {
  const { outcomes, needs } = decision;
  return { outcomes, needs, rules: rules.map(ruleRecord) };
}
