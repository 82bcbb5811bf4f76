import type { Profile } from '@tollgate/catalog';
import { NonValue, Unknown } from '@tollgate/cel';
import type { Policy, Rule } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { Outcome, OutcomeKind } from '../actions/effect.ts';
import { type Dialect, dialectOf } from '../exchange-state/dialect.ts';
import { type HeaderEdit, type HeaderMap, type HeaderValues, headerValues } from '../exchange-state/headers.ts';
import { recordedState, valuesIn } from '../exchange-state/recorded-state.ts';
import type { Known, MessageChanges, RequestState, ResponseState } from '../exchange-state/traffic-state.ts';
import type { ClientStatus, Decision, RuleHit, RuleResult, Verdict } from './decision.ts';

/**
 * When two decisions on one exchange are the same: client and upstream get the same, other servers are sent the same, the exchange counts towards
 * the same limits, and the same is logged. Which rules and actions bring that about does not matter.
 */

/** A part of a decision, in the order in which reports name them. */
export type DecisionPart = keyof typeof DECISION_PARTS;

/** What each part is called in reports: `passed, other URL and request headers`. */
export const DECISION_PARTS = {
  outcome: 'response',
  status: 'status',
  'response-headers': 'response headers',
  'response-body': 'response body',
  url: 'URL',
  'request-headers': 'request headers',
  'request-body': 'request body',
  target: 'target',
  counters: 'counters',
  log: 'log',
} as const;

/** How two decisions on one exchange differ. */
export interface DecisionChange {
  /** Whether they certainly do, and not only may. */
  readonly isCertain: boolean;
  /** What differs or may differ; nothing if the decisions are the same. If any part certainly does, only those that do. */
  readonly parts: readonly DecisionPart[];
}

const SAME: DecisionChange = { isCertain: false, parts: [] };

/** One of two policies that are compared. */
export interface ComparedSide {
  readonly policy: Policy;
  readonly profile: Profile;
}

/** Compares the decisions of two policies on the same exchange. */
export class DecisionComparer {
  readonly #was: SideRules;
  readonly #becomes: SideRules;
  /** Whether a counter may have counted earlier exchanges differently. */
  readonly #mayCountDifferently: boolean;

  /** @param isAlone whether each exchange is decided by itself, so that all counters are the same before it */
  constructor(was: ComparedSide, becomes: ComparedSide, isAlone = false) {
    this.#was = new SideRules(was);
    this.#becomes = new SideRules(becomes);
    this.#mayCountDifferently = !isAlone && this.#was.countingKey !== this.#becomes.countingKey;
  }

  /** Compares what is known of all exchanges with these verdicts; undefined if it takes the decisions on one of them. */
  ofVerdicts(was: Verdict, becomes: Verdict): DecisionChange | undefined {
    if (!this.#mayCountDifferently && this.#was.keyOf(was) === this.#becomes.keyOf(becomes)) return SAME;
    const [one, other] = [was.outcomes, becomes.outcomes];
    if (one.length === 1 && other.length === 1)
      return differByOutcome({ outcome: one[0]!, status: was.status }, { outcome: other[0]!, status: becomes.status });
    const isDisjoint = !one.some(a => other.some(b => answerKey(a) === answerKey(b)));
    return isDisjoint ? { isCertain: true, parts: ['outcome'] } : undefined;
  }

  /** Compares decisions. */
  ofDecisions(was: Decision, becomes: Decision): DecisionChange {
    const isOpenAlike = this.#was.openKeyOf(was) === this.#becomes.openKeyOf(becomes);
    const isCounted = was.counters.length + becomes.counters.length > 0;
    const found = new Differences(isOpenAlike && !(this.#mayCountDifferently && isCounted));
    compareOutcomes(was, becomes, found);
    if (was.outcomes.length + becomes.outcomes.length > 2) {
      this.#compareOpen(was, becomes, found);
    } else if (!found.isCertain('outcome')) {
      compareUpstreams(was, becomes, { found, sides: [this.#was, this.#becomes] });
      compareResponses(was, becomes, { found, sides: [this.#was, this.#becomes] });
    }
    found.add('counters', compareCounters(was, becomes, found));
    found.add('log', compareLists(this.#was.logOf(was), this.#becomes.logOf(becomes), found));
    return found.change();
  }

  /** Compares what may differ where it is not known how the evaluation ends, whichever end it is: by the rules that change something. */
  #compareOpen(was: Decision, becomes: Decision, found: Differences): void {
    const isAlike = (side: 'request' | 'response') =>
      this.#was.changingKeyOf(was, side) === this.#becomes.changingKeyOf(becomes, side);
    if (!isAlike('request')) {
      const sides = [this.#was, this.#becomes] as const;
      const [before, after] = [was.upstream.request, becomes.upstream.request];
      // It may not reach the upstream at all.
      const mayDiffer = (part: DecisionPart, answer: Answer) =>
        found.add(part, answer === 'same' ? answer : 'may-differ');
      mayDiffer('url', found.compare(before.url, after.url));
      mayDiffer('request-headers', compareHeaders(before, after, { found, sides, side: 'request' }));
      mayDiffer('request-body', compareBodies(before.changes, after.changes, found));
    }
    if (!isAlike('response')) found.add('response-headers', 'may-differ');
    const isSent = compareLists(this.#was.sentBy(was), this.#becomes.sentBy(becomes), found);
    found.add('target', isSent === 'same' ? 'same' : 'may-differ');
  }
}

/**
 * Writes decisions as texts by part, to compare them with those of another policy that is not there: what {@link DecisionComparer} finds to be the
 * same on one exchange has the same texts.
 */
export class DecisionTexts {
  readonly #side: SideRules;

  constructor(side: ComparedSide) {
    this.#side = new SideRules(side);
  }

  /** Returns the parts of a decision. Messages that are as they were recorded have no text. */
  partsOf(decision: Decision, exchange: Exchange): ReadonlyMap<DecisionPart, string> {
    const side = this.#side;
    const { outcomes, upstream, response, passesStatus, counters } = decision;
    const found = new Map<DecisionPart, string>();
    const add = (part: DecisionPart, value: unknown) => found.set(part, textOf(value, side.openKeyOf(decision)));
    const recorded = recordedState(exchange, { dialect: side.dialect, assumptions: {} });
    const answers = [...new Set(outcomes.map(outcomes.length === 1 ? ({ kind }) => ANSWERER[kind] : answerKey))];
    // Who answers does not say whether the upstream was asked.
    add('outcome', outcomes.length === 1 ? [...answers, upstream.isAsked ?? new Unknown([])] : answers.sort());
    if (outcomes.length > 1) {
      const keys = [side.changingKeyOf(decision, 'request'), side.changingKeyOf(decision, 'response')];
      if (keys[0] !== '') add('request-headers', keys[0]);
      if (keys[1] !== '') add('response-headers', keys[1]);
    } else if (upstream.isAsked !== false) {
      const { request } = upstream;
      if (request.changes.url) add('url', request.url);
      addMessage(request, { recorded: recorded.request, add, side, of: 'request' });
    }
    if (outcomes.length === 1 && response !== undefined) {
      if (response.changes.isMade || !passesStatus) add('status', response.status);
      addMessage(response, { recorded: recorded.response, add, side, of: 'response' });
    }
    const lists = { target: side.sentBy(decision), log: side.logOf(decision) };
    if (lists.target.length > 0) add('target', lists.target);
    if (counters.length > 0)
      add(
        'counters',
        counters.map(({ limit, key }) => [limit, key]),
      );
    if (lists.log.length > 0) add('log', lists.log);
    return found;
  }
}

interface MessageTexts {
  readonly recorded: RequestState | ResponseState;
  readonly add: (part: DecisionPart, value: unknown) => void;
  readonly side: SideRules;
  readonly of: 'request' | 'response';
}

/** Adds the headers and the body that a policy made or changed. */
function addMessage(message: RequestState | ResponseState, { recorded, add, side, of }: MessageTexts): void {
  const { headers, bodies, isMade } = message.changes;
  if (isMade && 'body' in message) add('response-body', message.body);
  else if (bodies.length > 0) add(`${of}-body`, bodies);
  if (isMade || headers === undefined) {
    add(`${of}-headers`, sortedByName(Object.entries(message.headers)));
    return;
  }
  const nameOf = (key: string) =>
    of === 'request' ? side.dialect.requestHeader(key) : side.dialect.responseHeader(key);
  const changed = [...headers].filter(([key, { keeps, added }]) => {
    if (keeps) return added !== undefined;
    const before = valuesIn(recorded, nameOf(key));
    return before instanceof Unknown || JSON.stringify(before) !== JSON.stringify(added);
  });
  if (changed.length > 0) add(`${of}-headers`, sortedByName(changed));
}

function sortedByName(entries: readonly (readonly [name: string, value: unknown])[]): readonly unknown[] {
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param reasons the rules that what is not known comes from */
function textOf(value: unknown, reasons: string): string {
  let isOpen = false;
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Unknown) isOpen = true;
    return member instanceof Unknown
      ? { unknown: member.attributes }
      : typeof member === 'bigint'
        ? `${member}`
        : member;
  });
  return isOpen ? `${text}\n${reasons}` : text;
}

function compareCounters(was: Decision, becomes: Decision, found: Differences): Answer {
  const keys = ({ counters }: Decision) =>
    counters.map(({ limit, key }) => (key instanceof Unknown ? key : `${limit} ${key}`));
  const texts = ({ counters }: Decision) => counters.map(({ limit }) => limit).join('\n');
  const answer = compareLists(keys(was), keys(becomes), found);
  return answer === 'may-differ' && texts(was) === texts(becomes) ? 'same' : answer;
}

function compareLists(one: readonly Known<string>[], other: readonly Known<string>[], found: Differences): Answer {
  if (one.length === other.length) return worst(one.map((value, at) => found.compare(value, other[at]!)));
  return [...one, ...other].some(value => value instanceof Unknown) ? 'may-differ' : 'differs';
}

type Answer = 'same' | 'may-differ' | 'differs';

function worst(answers: readonly Answer[]): Answer {
  if (answers.includes('differs')) return 'differs';
  return answers.includes('may-differ') ? 'may-differ' : 'same';
}

/** Collects how parts differ. */
class Differences {
  readonly #found = new Map<DecisionPart, Answer>();
  readonly #areUnknownsAlike: boolean;

  /** @param areUnknownsAlike values that are unknown for the same reasons are the same, because the same rules made them */
  constructor(areUnknownsAlike: boolean) {
    this.#areUnknownsAlike = areUnknownsAlike;
  }

  add(part: DecisionPart, answer: Answer): void {
    if (answer !== 'same') this.#found.set(part, worst([answer, this.#found.get(part) ?? 'same']));
  }

  isCertain(part: DecisionPart): boolean {
    return this.#found.get(part) === 'differs';
  }

  compare(one: unknown, other: unknown): Answer {
    if (one === other) return 'same';
    if (!(one instanceof Unknown || other instanceof Unknown)) return 'differs';
    const isAlike =
      one instanceof Unknown && other instanceof Unknown && one.attributes.join('\n') === other.attributes.join('\n');
    return isAlike && this.#areUnknownsAlike ? 'same' : 'may-differ';
  }

  /** The answer for something that is unknown in both decisions. */
  get unknown(): Answer {
    return this.#areUnknownsAlike ? 'same' : 'may-differ';
  }

  change(): DecisionChange {
    const all = (Object.keys(DECISION_PARTS) as DecisionPart[]).filter(part => this.#found.has(part));
    const certain = all.filter(part => this.isCertain(part));
    return { isCertain: certain.length > 0, parts: certain.length > 0 ? certain : all };
  }
}

interface Ended {
  readonly outcome: Outcome;
  readonly status: ClientStatus;
}

/** Who answers the client. */
const ANSWERER: Readonly<Record<OutcomeKind, 'upstream' | 'edge' | 'nobody'>> = {
  passed: 'upstream',
  forwarded: 'upstream',
  answered: 'edge',
  denied: 'edge',
  failed: 'edge',
  redirected: 'edge',
  refused: 'edge',
  replaced: 'edge',
  closed: 'nobody',
};

function answerKey({ kind, status }: Outcome): string {
  return `${ANSWERER[kind]} ${kind === 'forwarded'} ${status ?? ''}`;
}

/** Undefined if the outcomes do not tell. */
function differByOutcome(one: Ended, other: Ended): DecisionChange | undefined {
  if (ANSWERER[one.outcome.kind] !== ANSWERER[other.outcome.kind]) return { isCertain: true, parts: ['outcome'] };
  if (typeof one.status === 'number' && typeof other.status === 'number' && one.status !== other.status)
    return { isCertain: true, parts: ['status'] };
  return undefined;
}

function compareOutcomes(was: Decision, becomes: Decision, found: Differences): void {
  const [one, other] = [was, becomes].map(({ outcomes }) => [...new Set(outcomes.map(answerKey))].sort());
  if (one!.length === 1 && other!.length === 1) {
    const [a, b] = [was.outcomes[0]!, becomes.outcomes[0]!];
    if (ANSWERER[a.kind] !== ANSWERER[b.kind]) found.add('outcome', 'differs');
    return;
  }
  if (!one!.some(key => other!.includes(key))) found.add('outcome', 'differs');
  else found.add('outcome', one!.join('\n') === other!.join('\n') ? found.unknown : 'may-differ');
}

interface Comparing {
  readonly found: Differences;
  readonly sides: readonly [was: SideRules, becomes: SideRules];
}

function compareUpstreams(was: Decision, becomes: Decision, { found, sides }: Comparing): void {
  const [one, other] = [was.upstream, becomes.upstream];
  if (one.isAsked === false && other.isAsked === false) {
    found.add('target', compareLists(sides[0].sentBy(was), sides[1].sentBy(becomes), found));
    return;
  }
  if (one.isAsked !== other.isAsked) {
    found.add('target', one.isAsked === undefined || other.isAsked === undefined ? 'may-differ' : 'differs');
  }
  const [before, after] = [one.request, other.request];
  if (before.changes.url || after.changes.url) found.add('url', found.compare(before.url, after.url));
  found.add('request-headers', compareHeaders(before, after, { found, sides, side: 'request' }));
  found.add('request-body', compareBodies(before.changes, after.changes, found));
  found.add('target', compareLists(sides[0].sentBy(was), sides[1].sentBy(becomes), found));
}

function compareResponses(was: Decision, becomes: Decision, { found, sides }: Comparing): void {
  const [one, other] = [was.response, becomes.response];
  if (one === undefined || other === undefined) {
    if (one !== other)
      found.add('outcome', was.outcomes.length + becomes.outcomes.length > 2 ? 'may-differ' : 'differs');
    return;
  }
  const isRecorded = !one.changes.isMade && !other.changes.isMade;
  // The same request to the upstream gets the same response; another one is a difference already.
  const isPassed = isRecorded && was.passesStatus === becomes.passesStatus;
  if (one.changes.isMade !== other.changes.isMade) found.add('outcome', 'may-differ');
  if (!isPassed) found.add('status', found.compare(one.status, other.status));
  found.add('response-headers', compareHeaders(one, other, { found, sides, side: 'response' }));
  found.add(
    'response-body',
    isRecorded ? compareBodies(one.changes, other.changes, found) : found.compare(one.body, other.body),
  );
}

function compareBodies({ bodies: one }: MessageChanges, { bodies: other }: MessageChanges, found: Differences): Answer {
  if (one.length === 0 && other.length === 0) return 'same';
  if (one.join('\n') !== other.join('\n')) return 'may-differ';
  return one.some(text => text.includes('$')) ? found.unknown : 'same';
}

interface HeaderComparing extends Comparing {
  readonly side: 'request' | 'response';
}

function compareHeaders(
  one: RequestState | ResponseState,
  other: RequestState | ResponseState,
  comparing: HeaderComparing,
): Answer {
  const [a, b] = [one.changes, other.changes];
  if (a.isMade || b.isMade || a.headers === undefined || b.headers === undefined)
    return compareMaps(one.headers, other.headers, comparing.found);
  const [before, after] = [byLowerCase(a.headers), byLowerCase(b.headers)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return worst(
    [...names].map(name => compareEdits(name, before.get(name), after.get(name), { one, other, ...comparing })),
  );
}

interface EditComparing extends HeaderComparing {
  readonly one: RequestState | ResponseState;
  readonly other: RequestState | ResponseState;
}

const UNTOUCHED: HeaderEdit = { keeps: true, added: undefined };

/** What was recorded of a header is read only if one of the decisions keeps it and the other does not. */
function compareEdits(
  name: string,
  before: HeaderEdit = UNTOUCHED,
  after: HeaderEdit = UNTOUCHED,
  { found, sides, side, one, other }: EditComparing,
): Answer {
  if (before.keeps === after.keeps) {
    const answer = compareValues(before.added, after.added, found);
    // One more value is a difference, whatever they are.
    const isOneMore = before.keeps && (before.added === undefined) !== (after.added === undefined);
    return isOneMore ? 'differs' : answer;
  }
  const valuesOf = (message: RequestState | ResponseState, { dialect }: SideRules) => {
    const key = dialect.headerKey(name);
    return valuesIn(message, side === 'request' ? dialect.requestHeader(key) : dialect.responseHeader(key));
  };
  return compareValues(valuesOf(one, sides[0]), valuesOf(other, sides[1]), found);
}

function byLowerCase(edits: ReadonlyMap<string, HeaderEdit>): ReadonlyMap<string, HeaderEdit> {
  return new Map([...edits].map(([key, edit]) => [key.toLowerCase(), edit]));
}

function compareMaps(one: HeaderMap, other: HeaderMap, found: Differences): Answer {
  const lower = (map: HeaderMap) => new Map(Object.keys(map).map(key => [key.toLowerCase(), key]));
  const [before, after] = [lower(one), lower(other)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return worst(
    [...names].map(name =>
      compareValues(
        headerValues(one, before.get(name) ?? after.get(name)!),
        headerValues(other, after.get(name) ?? before.get(name)!),
        found,
      ),
    ),
  );
}

function compareValues(one: HeaderValues, other: HeaderValues, found: Differences): Answer {
  if (one === other) return 'same';
  if (one === undefined || other === undefined)
    return one instanceof Unknown || other instanceof Unknown ? 'may-differ' : 'differs';
  if (one instanceof Unknown || other instanceof Unknown) return found.compare(one, other);
  if (one.length !== other.length) return 'differs';
  return worst(one.map((value, at) => found.compare(value, other[at]!)));
}

/** What a comparison knows of the rules of one policy. */
class SideRules {
  readonly dialect: Dialect;
  readonly #rules: readonly Rule[];
  readonly #context: string;
  readonly #failuresEnd: boolean;
  /** All that counters depend on, besides the traffic; empty if there are none. */
  readonly countingKey: string;
  readonly #keys = new Map<number, string>();
  readonly #verdictKeys = new WeakMap<Verdict, string>();

  constructor({ policy, profile }: ComparedSide) {
    this.dialect = dialectOf(profile);
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#context = JSON.stringify([profile.name, profile.switches, policy.endpoint]);
    this.#failuresEnd = profile.switches.evaluationError === 'fail-request';
    this.countingKey = countingKeyOf(policy.enabled ? this.#rules : [], this.#context);
  }

  /**
   * Returns what a verdict depends on: the actions of rules that match, and conditions and actions of those that are undetermined. If that is the
   * same in both policies, so is the decision, even where it is undetermined: whatever it is that is not recorded, it is the same.
   */
  keyOf(verdict: Verdict): string {
    let key = this.#verdictKeys.get(verdict);
    if (key === undefined) {
      const keys = verdict.hits.flatMap(hit => this.#hitKey(hit));
      key = keys.length === 0 ? '' : [this.#context, ...keys].join('\n');
      this.#verdictKeys.set(verdict, key);
    }
    return key;
  }

  #hitKey({ rule, result: { status } }: RuleHit): readonly string[] {
    if (status === 'failed') return this.#failuresEnd ? ['failed'] : [];
    return [this.#ruleKey(rule, status)];
  }

  #ruleKey(at: number, status: RuleResult['status']): string {
    const { phase, expressions, actions } = this.#rules[at]!;
    const number = status === 'undetermined' ? at : -1 - at;
    let key = this.#keys.get(number);
    if (key === undefined) {
      const conditions = status === 'undetermined' ? expressions.map(({ source }) => source) : [];
      key = JSON.stringify([status, phase, conditions, actions.map(one => [one.type.value, one.config])]);
      this.#keys.set(number, key);
    }
    return key;
  }

  /** Returns what the unknown parts of a decision depend on: rules that are undetermined, or whose actions read what may not be known. */
  openKeyOf({ rules }: Decision): string {
    return rules
      .flatMap((result, at) => (isOpen(result, this.#rules[at]!) ? [this.#ruleKey(at, result.status)] : []))
      .join('\n');
  }

  /** Returns the rules that change a message, or may. Those that make a response with contents of their own change it. */
  changingKeyOf({ rules }: Decision, side: 'request' | 'response'): string {
    const isChanging = (result: RuleResult) =>
      (result.status === 'matched' || result.status === 'undetermined') &&
      (result.after[side] !== result.before[side] ||
        (side === 'response' &&
          result.actions.some(({ ending }) => ending !== undefined && WITH_CONTENTS.has(ending.outcome.kind))));
    return rules.flatMap((result, at) => (isChanging(result) ? [this.#ruleKey(at, result.status)] : [])).join('\n');
  }

  /** Returns the URLs that rules send the request, or requests of their own, to. */
  sentBy({ rules }: Decision): readonly Known<string>[] {
    return this.#tracesOf(rules).flatMap(({ action, trace, isCertain }) => {
      const { type, config } = action;
      if (!SENDS.has(type.value)) return [];
      const url = trace.notes.flatMap(note => (note.kind === 'sent' ? [note.url] : []))[0];
      if (isCertain && type.value === 'ai-gateway') return [`${type.value} ${JSON.stringify(config)}`];
      return [
        isCertain && url !== undefined ? `${type.value} ${url}` : new Unknown([JSON.stringify([type.value, config])]),
      ];
    });
  }

  /** Returns what rules log. */
  logOf({ rules }: Decision): readonly Known<string>[] {
    return this.#tracesOf(rules).flatMap(({ action, trace, isCertain }) =>
      trace.notes.flatMap((note): readonly Known<string>[] => {
        if (note.kind !== 'logged') return [];
        const unknown = unknownIn(note.metadata);
        if (!isCertain || unknown.length > 0) return [new Unknown([JSON.stringify(action.config), ...unknown])];
        return [JSON.stringify(note.metadata, (_, value) => (typeof value === 'bigint' ? `${value}` : value))];
      }),
    );
  }

  #tracesOf(rules: Decision['rules']) {
    return rules.flatMap((result, at) => {
      if (result.status !== 'matched' && result.status !== 'undetermined') return [];
      const isCertain = result.status === 'matched';
      return result.actions.map((trace, index) => ({ action: this.#rules[at]!.actions[index]!, trace, isCertain }));
    });
  }
}

const WITH_CONTENTS: ReadonlySet<OutcomeKind> = new Set(['answered', 'redirected', 'replaced'] as const);

/** A limit counts what earlier rules let pass; a circuit breaker counts what becomes of it. */
function countingKeyOf(rules: readonly Rule[], context: string): string {
  const hasAction = (type: string) => (rule: Rule) => rule.actions.some(action => action.type.value === type);
  const counting = rules.some(hasAction('circuit-breaker'))
    ? rules
    : rules.slice(0, rules.findLastIndex(hasAction('rate-limit')) + 1);
  if (counting.length === 0) return '';
  const keys = counting.map(({ phase, expressions, actions }) => [
    phase,
    expressions.map(({ source }) => source),
    actions.map(one => [one.type.value, one.config]),
  ]);
  return JSON.stringify([context, keys]);
}

const SENDS: ReadonlySet<string> = new Set(['ai-gateway', 'forward-internal', 'http-request']);

/** Actions that do the same to every message, unless their configuration contains expressions. */
const CONSTANT: ReadonlySet<string> = new Set([
  ...['add-headers', 'close-connection', 'custom-response', 'deny', 'log', 'remove-headers'],
]);

function isOpen(result: RuleResult, { actions }: Rule): boolean {
  if (result.status === 'undetermined') return true;
  if (result.status !== 'matched') return false;
  return actions.some(({ type, config }) => !CONSTANT.has(type.value) || JSON.stringify(config).includes('$'));
}

function unknownIn(value: unknown): readonly string[] {
  if (value instanceof Unknown) return value.attributes;
  if (value instanceof NonValue || typeof value !== 'object' || value === null) return [];
  const members: readonly unknown[] = value instanceof Map ? [...value.values()] : Object.values(value);
  return members.flatMap(unknownIn);
}
