import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { Rule } from '@tollgate/policy';
import { loggedBy } from '@tollgate/simulator';
import type { Decided, PolicyComparison, PolicyDifference } from '@tollgate/solver';
import { formatOutcome, headerEntries, knownText } from '../trace/view/message-lines.ts';

/** Two policies and how they differ. */
export interface DiffReport {
  /** As named on the command line. */
  readonly before: string;
  readonly after: string;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly comparison: PolicyComparison;
}

/** One aspect of two decisions that differs, as text. */
interface ChangedAspect {
  readonly before: string;
  readonly after: string;
}

/** Returns what differs between two decisions: the outcome, or else what the upstream, the client or the log gets. */
export function changedAspects({ before, after }: PolicyDifference): readonly ChangedAspect[] {
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
    const text = outcome.kind === 'passed' ? 'passed to the upstream' : formatOutcome(outcome);
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
export function verdictText({ comparison: { verdict, differences, isComplete, open } }: DiffReport): string {
  if (verdict === 'same') return 'no difference: both policies decide every well-formed request alike';
  if (verdict === 'unknown') return 'no difference found, but equality is not proved';
  const count = `${isComplete && open.length === 0 ? '' : 'at least '}${differences.length}`;
  return differences.length === 1 ? `${count} difference` : `${count} differences`;
}
