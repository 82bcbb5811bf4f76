import {
  type Bounds,
  bar,
  boundsText,
  type Content,
  counted,
  element,
  fragment,
  type Html,
  heading,
  ruleLink,
  ruleTitle,
  type Subject,
  shown,
} from './page.ts';
import { type Outcome, outcomeText } from './trace-page.ts';

/** How often a rule matched. */
interface ReplayedRule {
  readonly phase: string;
  /** From 0. */
  readonly index: number;
  readonly name?: string;
  readonly matched: number;
  readonly notMatched: number;
  readonly failed: number;
  readonly notReached: number;
  readonly undetermined: number;
  readonly errors: readonly { readonly text: string; readonly count: number }[];
  readonly needs: readonly { readonly text: string; readonly count: number }[];
}

/** What `tollgate replay --format json` prints, as far as it is shown. */
export interface ReplayReport {
  readonly exchanges: number;
  readonly files: readonly {
    readonly file: string;
    readonly exchanges: number;
    readonly skipped: number;
    readonly failure?: { readonly message: string };
  }[];
  readonly rules: readonly ReplayedRule[];
  readonly outcomes: readonly { readonly outcome: Outcome; readonly count: Bounds }[];
  readonly undetermined: {
    readonly exchanges: number;
    readonly needs: readonly { readonly text: string; readonly count: number }[];
  };
}

/** The rule that a replay was started for. */
export interface RuleOfInterest {
  readonly phase: string;
  /** From 1. */
  readonly number: number;
}

/** Returns the page for a replay: how often each rule matches, and what happens to the traffic. */
export function replayPage(report: ReplayReport, subject: Subject, interest?: RuleOfInterest): Html {
  const { exchanges, files, rules, outcomes, undetermined } = report;
  return fragment(
    heading('Replay', subject, ' · ', counted(exchanges, 'exchange')),
    files.map(fileLine),
    element('h2', {}, 'Rules'),
    rules.map(rule => ruleSection(rule, { subject, exchanges, isOfInterest: isSame(rule, interest) })),
    element('h2', {}, 'Outcomes'),
    element(
      'table',
      {},
      outcomes.map(({ outcome, count }) => outcomeRow(outcomeText(outcome), count, exchanges)),
    ),
    undetermined.exchanges > 0
      ? element(
          'p',
          { class: 'needs' },
          `${counted(undetermined.exchanges, 'exchange')} undetermined, because the recording lacks `,
          listed(undetermined.needs),
          '.',
        )
      : undefined,
  );
}

function fileLine({ file, exchanges, skipped, failure }: ReplayReport['files'][number]): Html {
  const notes = [counted(exchanges, 'exchange'), ...(skipped > 0 ? [`${counted(skipped, 'record')} skipped`] : [])];
  const text = failure ? failure.message : notes.join(', ');
  return element('p', { class: failure ? 'failure' : 'file' }, element('code', {}, file), ' ', text);
}

interface RuleContext {
  readonly subject: Subject;
  readonly exchanges: number;
  readonly isOfInterest: boolean;
}

function ruleSection(rule: ReplayedRule, { subject, exchanges, isOfInterest }: RuleContext): Html {
  const { phase, index, name, matched, undetermined, notMatched, notReached, failed } = rule;
  const title = ruleTitle({ phase, number: index + 1, name });
  const rest = [
    [notMatched, 'not matched'],
    [notReached, 'not reached'],
    [failed, 'failed'],
    [undetermined, 'undetermined'],
  ] as const;
  return element(
    'section',
    { class: isOfInterest ? 'replayed interest' : 'replayed' },
    element(
      'p',
      { class: 'figure' },
      ruleLink(subject, phase, index + 1, title),
      element('span', { class: matched === 0 ? 'never' : 'matched' }, matchText(rule)),
    ),
    bar({ least: matched, most: matched + undetermined }, exchanges),
    element(
      'p',
      { class: 'reason' },
      rest.flatMap(([count, what]) => (count > 0 ? [`${shown(count)} ${what}`] : [])).join(' · '),
      rule.needs.length > 0 ? [' · needs ', listed(rule.needs)] : undefined,
      rule.errors.length > 0 ? [' · ', listed(rule.errors)] : undefined,
    ),
  );
}

function matchText({ matched, undetermined }: ReplayedRule): string {
  if (matched > 0) return `${shown(matched)} matched`;
  return undetermined > 0 ? 'no certain match' : 'no match';
}

function isSame({ phase, index }: ReplayedRule, interest: RuleOfInterest | undefined): boolean {
  return interest?.phase === phase && interest.number === index + 1;
}

function outcomeRow(text: string, count: Bounds, total: number): Html {
  const number = element('td', { class: 'number' }, boundsText(count));
  return element('tr', {}, element('td', {}, text), number, element('td', { class: 'share' }, bar(count, total)));
}

function listed(items: readonly { readonly text: string }[]): Content {
  return items.map(({ text }, i) => [i > 0 ? ', ' : '', element('code', {}, text)]);
}

/** How many of the most frequent clients and paths are shown. */
const MAX_LISTED = 3;

interface Frequent {
  readonly top: readonly { readonly text: string; readonly count: Bounds }[];
}

interface Transition {
  readonly was: Outcome;
  readonly becomes: Outcome;
  /** What differs if the outcome stays the same, such as `request-headers`. */
  readonly parts?: readonly string[];
  readonly count: Bounds;
  readonly rules: readonly { readonly was: string | null; readonly becomes: string | null; readonly count: number }[];
  readonly keys: Readonly<Partial<Record<'clients' | 'paths' | 'prefixes' | 'countries', Frequent>>>;
}

/** What `tollgate impact --format json` prints, as far as it is shown. */
export interface TrafficImpactReport {
  readonly exchanges: number;
  readonly changed: Bounds;
  readonly transitions: readonly Transition[];
}

/** Returns the page for a comparison with the committed policy on recorded traffic: what becomes of the exchanges that change. */
export function trafficImpactPage(report: TrafficImpactReport, subject: Subject, revision: string): Html {
  const { exchanges, changed, transitions } = report;
  return fragment(
    heading(`Impact against ${revision}`, subject, ' · ', counted(exchanges, 'exchange')),
    element('p', { class: 'outcome' }, verdictText(changed, exchanges)),
    transitions.map(one => transitionSection(one, exchanges)),
  );
}

function verdictText(changed: Bounds, exchanges: number): string {
  const noun = exchanges === 1 ? 'exchange' : 'exchanges';
  if (changed.most === 0) return `No change for ${counted(exchanges, 'exchange')}.`;
  return `${boundsText(changed)} of ${shown(exchanges)} ${noun} change.`;
}

function transitionSection({ was, becomes, parts = [], count, rules, keys }: Transition, exchanges: number): Html {
  const others = parts.length === 0 ? '' : `, other ${parts.join(', ').replaceAll('-', ' ')}`;
  return element(
    'section',
    { class: 'difference' },
    element('h2', {}, `${outcomeText(was)} → ${outcomeText(becomes)}${others}: ${boundsText(count)}`),
    bar(count, exchanges),
    element(
      'dl',
      {},
      row('rules', rules.slice(0, MAX_LISTED).map(ruleText)),
      row('clients', frequent(keys.clients)),
      row('paths', frequent(keys.paths)),
    ),
  );
}

function ruleText({ was, becomes, count }: Transition['rules'][number]): string {
  const [before, after] = [was ?? 'no rule', becomes ?? 'no rule'];
  return `${before === after ? before : `${before} → ${after}`} (${shown(count)})`;
}

function frequent(found: Frequent | undefined): readonly string[] {
  return (found?.top ?? []).slice(0, MAX_LISTED).map(({ text, count }) => `${text} (${boundsText(count)})`);
}

function row(title: string, items: readonly string[]): Content {
  return items.length === 0 ? undefined : [element('dt', {}, title), element('dd', {}, items.join(', '))];
}

interface DecidingRule {
  readonly phase: string;
  readonly number: number;
  readonly name?: string;
}

interface Decided {
  readonly outcomes: readonly Outcome[];
  readonly needs: readonly string[];
  readonly rules: readonly DecidingRule[];
}

/** What `tollgate diff --format json` prints, as far as it is shown. */
export interface DiffReport {
  readonly verdict: 'equal' | 'different' | 'unknown' | string;
  readonly isComplete: boolean;
  readonly differences: readonly {
    readonly exchange: Readonly<Record<string, unknown>>;
    readonly changes: readonly string[];
    readonly before: Decided;
    readonly after: Decided;
  }[];
  readonly open: readonly { readonly reason: string }[];
}

/** Returns the page for a comparison with the committed policy: a request for each combination of rules that decides differently. */
export function impactPage({ differences, open, isComplete }: DiffReport, subject: Subject, revision: string): Html {
  return fragment(
    heading(`Impact against ${revision}`, subject),
    element('p', { class: 'outcome' }, testVerdictText(differences.length, open.length, isComplete)),
    differences.map(({ exchange, before, after }) =>
      element(
        'section',
        { class: 'difference' },
        element('h2', {}, requestLine(exchange)),
        element('dl', {}, decidedPair('was', before, subject), decidedPair('now', after, subject)),
      ),
    ),
    open.length > 0
      ? element(
          'section',
          {},
          element('h2', {}, 'Not decided'),
          element(
            'ul',
            {},
            open.map(({ reason }) => element('li', {}, reason)),
          ),
        )
      : undefined,
  );
}

function testVerdictText(differences: number, open: number, isComplete: boolean): string {
  if (differences === 0 && open === 0 && isComplete)
    return 'Both policies decide every well-formed request alike (proved).';
  const found = differences === 0 ? 'No difference found' : `${differences} difference${differences === 1 ? '' : 's'}`;
  return `${found}${isComplete && open === 0 ? '.' : '; there may be more.'}`;
}

function requestLine({ method, url, target, client_ip: client }: Readonly<Record<string, unknown>>): Content {
  const from = typeof client === 'string' ? ` from ${client}` : '';
  return [element('code', {}, `${method ?? 'GET'} ${url ?? target ?? ''}`), from];
}

function decidedPair(when: string, { outcomes, needs, rules }: Decided, subject: Subject): Html {
  const by = rules.map((rule, i) => {
    const title = ruleTitle(rule);
    // Only rules of the current policy can be opened in the editor.
    return [i > 0 ? ', ' : '', when === 'now' ? ruleLink(subject, rule.phase, rule.number, title) : title];
  });
  return fragment(
    element('dt', {}, when),
    element(
      'dd',
      {},
      outcomes.map(outcomeText).join(' or '),
      by.length > 0 ? [' (', by, ')'] : undefined,
      needs.length > 0 ? ` needs ${needs.join(', ')}` : undefined,
    ),
  );
}
