/** How the decisions of two policies differ on the same traffic. */
import type { Profile } from '@tollgate/catalog';
import type { Policy } from '@tollgate/policy';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import type { Outcome } from '../actions/effect.ts';
import { isDenial, type Verdict } from '../simulation/decision.ts';
import { type DecisionChange, DecisionComparer, type DecisionPart } from '../simulation/same-decision.ts';
import { createSimulation, type Judged } from '../simulation/simulation.ts';
import { type Interval, IntervalCounter } from './counter.ts';
import { FrequentKeys, shortKey } from './frequent-keys.ts';
import { type Counted, CountedExchange, prefixOf } from './key-breakdown.ts';
import { dependsOnOrder, faultOf, type ReplayOptions, readAll } from './replay.ts';
import {
  compareOutcomes,
  type KeyDimension,
  type KeySummary,
  type OutcomeSummary,
  outcomeKey,
  type TrafficSummary,
} from './summary.ts';
import { orderOfFiles } from './time-order.ts';

/** A policy with the options that it is simulated with, which may name another profile than those of its successor. */
export interface ComparedPolicy {
  readonly policy: Policy;
  readonly options: Pick<ReplayOptions, 'profile' | 'environments' | 'assumptions' | 'now' | 'seed'>;
}

/** How a change of a policy changes what happens to recorded traffic. */
export interface ImpactSummary extends TrafficSummary, ImpactFigures {}

/** The traffic of an impact, and what to list. */
export type ImpactOptions = Pick<ReplayOptions, 'files' | 'reader' | 'traffic' | 'geoip' | 'watch'> & {
  /** The number of clients, paths and countries to list for each transition. */
  readonly top: number;
  readonly guard?: Guard;
  /** Called for each exchange. */
  readonly compared?: (exchange: Exchange, compared: ComparedVerdicts) => void;
};

/**
 * Decides each exchange with two policies, in one pass over the traffic, and counts how outcomes change. Figures are bounds where the recording
 * lacks what a decision depends on.
 */
export async function impact(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  options: ImpactOptions,
): Promise<ImpactSummary> {
  const isOrdered = [was, becomes].some(({ policy }) => dependsOnOrder(policy) !== undefined);
  const order = isOrdered ? await orderOfFiles(options.files, options.reader, options.traffic) : undefined;
  const begin = ({ policy, options: simulated }: ComparedPolicy) =>
    createSimulation(policy, simulated).begin(faultOf(order));
  const runs = [begin(was), begin(becomes)] as const;
  const comparer = comparerOf(was, becomes);
  const tally = new ImpactTally(decidingRules(was, becomes), options.guard);
  const traffic = await readAll({ ...options, order }, ({ exchanges }) => {
    for (const exchange of exchanges) {
      const [before, after] = [runs[0].judged(exchange), runs[1].judged(exchange)];
      const compared = { was: before.verdict, becomes: after.verdict, change: changeOf(comparer, before, after) };
      tally.add({ counted: new CountedExchange(exchange), ...compared, exchange: () => exchange });
      options.compared?.(exchange, compared);
    }
  });
  return { ...traffic, ...tally.figures(options.top) };
}

/** Returns what compares the decisions of two policies. */
export function comparerOf(was: ComparedPolicy, becomes: ComparedPolicy): DecisionComparer {
  const sideOf = ({ policy, options: { profile } }: ComparedPolicy) => ({ policy, profile });
  return new DecisionComparer(sideOf(was), sideOf(becomes));
}

/** Returns how decisions on one exchange differ. Most verdicts tell without the whole decisions. */
export function changeOf(comparer: DecisionComparer, was: Judged, becomes: Judged): DecisionChange {
  return comparer.ofVerdicts(was.verdict, becomes.verdict) ?? comparer.ofDecisions(was.decision(), becomes.decision());
}

/** Returns what finds the rules that caused the outcomes of two policies. */
export function decidingRules(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
): ConstructorParameters<typeof ImpactTally>[0] {
  const find = ({ policy, options: { profile } }: ComparedPolicy) => decidingRule(policy, profile);
  return [find(was), find(becomes)];
}

/** How decisions change. */
export interface ImpactFigures {
  /** The outcomes of all exchanges under the old policy. */
  readonly was: readonly OutcomeSummary[];
  /** The outcomes of all exchanges under the new policy. */
  readonly becomes: readonly OutcomeSummary[];
  /** Exchanges that are decided as before, by outcome. */
  readonly unchanged: readonly OutcomeSummary[];
  /** Exchanges that are decided differently. */
  readonly changed: Interval;
  /** Exchanges that were not denied and are: see {@link isDenial}. */
  readonly newlyDenied: Interval;
  /** Changed exchanges that the guard protects, or may protect; absent without a guard. */
  readonly touched?: { readonly count: Interval; readonly first: readonly RecordLocation[] };
  /** Most frequent first. */
  readonly transitions: readonly Transition[];
}

/** Exchanges with one outcome that get another, or the same with other contents. */
export interface Transition {
  readonly was: Outcome;
  readonly becomes: Outcome;
  /** If the outcome stays the same: what differs. */
  readonly parts: readonly DecisionPart[];
  readonly count: Interval;
  /** The first ones that certainly change. */
  readonly first: readonly RecordLocation[];
  /** Some that certainly change, for traffic in tables, whose rows have no locations. */
  readonly examples?: readonly ChangedExample[];
  /** Of those that certainly change, the rules that decided, most frequent first. */
  readonly rules: readonly RuleChange[];
  /** Of those that certainly change. */
  readonly keys: ImpactKeys;
}

/** What people recognize an exchange by; undefined where it is unknown. */
export interface ChangedExample {
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly time: number | undefined;
  readonly client: string | undefined;
  readonly method: string | undefined;
  /** Without the query string. */
  readonly path: string | undefined;
}

/** The dimensions that changed exchanges are listed by; `prefixes` are paths up to their second slash. */
export type ImpactDimension = KeyDimension | 'prefixes';

/** The rules that caused the outcomes of a transition: positions among the rules of all phases, undefined if no rule did. */
export interface RuleChange {
  readonly was: number | undefined;
  readonly becomes: number | undefined;
  readonly count: number;
}

/** The verdicts of both policies, and how the decisions differ. */
export interface ComparedVerdicts {
  readonly was: Verdict;
  readonly becomes: Verdict;
  readonly change: DecisionChange;
}

/** One exchange with both verdicts. */
interface ComparedExchange extends ComparedVerdicts {
  readonly counted: Counted;
  readonly exchange: () => Exchange;
}

/** Keys of the exchanges of a transition, by dimension. */
export type ImpactKeys = { readonly [dimension in ImpactDimension]: KeySummary };

/** Returns whether an exchange must not change; undefined if the recording does not show that. Called only where decisions may differ. */
export type Guard = (exchange: Exchange, was: Verdict, becomes: Verdict) => boolean | undefined;

const EXAMPLES = 5;
/** Keys of a dimension that are kept for each transition, twice this number for a while. */
const MAX_KEYS = 20_000;
/** The rules that caused the outcomes of two policies. */
type FindDeciding = readonly [was: ReturnType<typeof decidingRule>, becomes: ReturnType<typeof decidingRule>];

/** Counts how decisions change. */
export class ImpactTally {
  /** The number of exchanges of a transition that are shown. */
  static readonly examples = EXAMPLES;

  readonly #deciding: FindDeciding;
  readonly #guard: Guard | undefined;
  readonly #was = new OutcomeCounter();
  readonly #becomes = new OutcomeCounter();
  readonly #unchanged = new OutcomeCounter();
  readonly #changed = new IntervalCounter();
  readonly #newlyDenied = new IntervalCounter();
  readonly #touched = new IntervalCounter();
  readonly #firstTouched: RecordLocation[] = [];
  readonly #transitions = new Map<string, TransitionTally>();

  constructor(deciding: FindDeciding, guard?: Guard) {
    this.#deciding = deciding;
    this.#guard = guard;
  }

  add(compared: ComparedExchange): void {
    const isChanged = this.#count(compared, 1);
    if (isChanged === undefined) return;
    this.#checkGuard(compared, isChanged);
    for (const { rules, ...outcomes } of this.#transitionsOf(compared))
      this.#transition(outcomes).add(compared.counted, rules);
  }

  /** Counts exchanges with these verdicts of which an engine has the keys, and returns the number of their transition if it is certain. */
  addGroup(verdicts: ComparedVerdicts, times: number): number | undefined {
    if (this.#count(verdicts, times) === undefined) return undefined;
    for (const { rules, ...outcomes } of this.#transitionsOf(verdicts)) this.#transition(outcomes).count(rules, times);
    return this.certainChange(verdicts)?.number;
  }

  /**
   * Returns the number of the transition that exchanges with these verdicts certainly make, and the rules that decided; undefined if it is not
   * certain, or was never counted.
   */
  certainChange(verdicts: ComparedVerdicts): { readonly number: number; readonly rules: DecidingRules } | undefined {
    if (verdicts.change.parts.length === 0) return undefined;
    for (const { rules, ...outcomes } of this.#transitionsOf(verdicts)) {
      const number = this.#transitions.get(keyOf(outcomes))?.number;
      if (rules !== undefined && number !== undefined) return { number, rules };
    }
    return undefined;
  }

  get transitionCount(): number {
    return this.#transitions.size;
  }

  /**
   * @param top the number of keys to list of each dimension
   * @param listed what an engine lists of groups, by the number of the transition
   */
  figures(top: number, listed?: readonly Pick<Transition, 'keys' | 'first' | 'examples'>[]): ImpactFigures {
    const transitions = Array.from(this.#transitions.values(), one => ({
      ...one.transition(top),
      ...listed?.[one.number],
    }));
    return {
      was: this.#was.summary(),
      becomes: this.#becomes.summary(),
      unchanged: this.#unchanged.summary(),
      changed: this.#changed.interval,
      newlyDenied: this.#newlyDenied.interval,
      ...(this.#guard && { touched: { count: this.#touched.interval, first: this.#firstTouched } }),
      transitions: transitions.sort((a, b) => b.count.most - a.count.most || (keyOf(a) < keyOf(b) ? -1 : 1)),
    };
  }

  /** Counts outcomes. Returns whether the decisions certainly differ; undefined if, known or not, they certainly do not. */
  #count({ was: before, becomes: after, change }: ComparedVerdicts, times: number): boolean | undefined {
    this.#was.add(before, times);
    this.#becomes.add(after, times);
    const [was, becomes] = [before.outcomes, after.outcomes];
    if (change.parts.length === 0) {
      this.#unchanged.add(after, times);
      return undefined;
    }
    this.#changed.add(change.isCertain, times);
    if (was.some(one => !isDenial(one)) && becomes.some(isDenial))
      this.#newlyDenied.add(!was.some(isDenial) && becomes.every(isDenial), times);
    // It may also be decided as before.
    if (!change.isCertain) {
      for (const one of was) if (becomes.some(other => isSame(one, other))) this.#unchanged.addPossible(one, times);
    }
    return change.isCertain;
  }

  /** Returns the possible transitions, with the rules that decided if there is only one. */
  *#transitionsOf({
    was: before,
    becomes: after,
    change,
  }: ComparedVerdicts): Generator<
    Pick<Transition, 'was' | 'becomes' | 'parts'> & { readonly rules: DecidingRules | undefined }
  > {
    const [was, becomes] = [before.outcomes, after.outcomes];
    const isCertain = change.isCertain && was.length === 1 && becomes.length === 1;
    const rules = isCertain
      ? ([
          this.#deciding[0](before) ?? lastOf(before, change),
          this.#deciding[1](after) ?? lastOf(after, change),
        ] as const)
      : undefined;
    const isOne = was.length === 1 && becomes.length === 1;
    // Where it is not known which outcome there is, the same one may have other contents.
    for (const one of was) {
      for (const other of becomes) {
        const inside = isOne ? change.parts : insideOf(one, change);
        if (!isSame(one, other)) yield { was: one, becomes: other, parts: [], rules };
        else if (inside.length > 0) yield { was: one, becomes: other, parts: inside, rules };
      }
    }
  }

  #checkGuard({ counted, was, becomes, exchange }: ComparedExchange, isChanged: boolean): void {
    if (this.#guard === undefined) return;
    const isGuarded = this.#guard(exchange(), was, becomes);
    if (isGuarded === false) return;
    this.#touched.add(isGuarded === true && isChanged);
    if (this.#firstTouched.length < EXAMPLES) this.#firstTouched.push(counted.place);
  }

  #transition(outcomes: Pick<Transition, 'was' | 'becomes' | 'parts'>): TransitionTally {
    const key = keyOf(outcomes);
    const known = this.#transitions.get(key) ?? new TransitionTally(this.#transitions.size, outcomes);
    this.#transitions.set(key, known);
    return known;
  }
}

/** Returns what may differ inside of an outcome that is one of several. A refusal has no contents, and reaches nothing else. */
function insideOf({ kind }: Outcome, { parts }: DecisionChange): readonly DecisionPart[] {
  const isBare = kind === 'denied' || kind === 'refused' || kind === 'closed';
  return parts.filter(part =>
    isBare ? part === 'counters' || part === 'log' : part !== 'outcome' && part !== 'status',
  );
}

/** Returns the last rule that matched, if only contents differ; it need not be the one that changed them. */
function lastOf({ outcomes: [outcome], hits }: Verdict, { parts }: DecisionChange): number | undefined {
  if (outcome?.action !== undefined || parts.includes('outcome')) return undefined;
  return hits.findLast(({ result }) => result.status === 'matched')?.rule;
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one === other || outcomeKey(one) === outcomeKey(other);
}

function keyOf({ was, becomes, parts }: Pick<Transition, 'was' | 'becomes' | 'parts'>): string {
  return `${outcomeKey(was)}\n${outcomeKey(becomes)}\n${parts.join()}`;
}

/** Counts outcomes. Exchanges that a policy treats alike share a verdict, so most need one look-up. */
class OutcomeCounter {
  readonly #counters = new Map<string, { readonly outcome: Outcome; readonly counter: IntervalCounter }>();
  readonly #known = new WeakMap<Verdict, readonly IntervalCounter[]>();

  add(verdict: Verdict, times: number): void {
    let counters = this.#known.get(verdict);
    if (counters === undefined) {
      counters = verdict.outcomes.map(outcome => this.#counterOf(outcome));
      this.#known.set(verdict, counters);
    }
    for (const counter of counters) counter.add(counters.length === 1, times);
  }

  addPossible(outcome: Outcome, times: number): void {
    this.#counterOf(outcome).add(false, times);
  }

  summary(): readonly OutcomeSummary[] {
    return Array.from(this.#counters.values(), ({ outcome, counter }) => ({ outcome, count: counter.interval })).sort(
      (a, b) => compareOutcomes(a.outcome, b.outcome),
    );
  }

  #counterOf(outcome: Outcome): IntervalCounter {
    const key = outcomeKey(outcome);
    const known = this.#counters.get(key) ?? { outcome, counter: new IntervalCounter() };
    this.#counters.set(key, known);
    return known.counter;
  }
}

/** Positions of the rules that decided. */
export type DecidingRules = readonly [was: number | undefined, becomes: number | undefined];

class TransitionTally {
  readonly number: number;
  readonly #outcomes: Pick<Transition, 'was' | 'becomes' | 'parts'>;
  readonly #counter = new IntervalCounter();
  readonly #first: RecordLocation[] = [];
  readonly #rules = new Map<string, { -readonly [name in keyof RuleChange]: RuleChange[name] }>();
  readonly #keys = {
    clients: new KeyTally(),
    paths: new KeyTally(),
    prefixes: new KeyTally(),
    countries: new KeyTally(),
  };

  constructor(number: number, outcomes: Pick<Transition, 'was' | 'becomes' | 'parts'>) {
    this.number = number;
    this.#outcomes = outcomes;
  }

  /** @param rules those that decided, if both outcomes are certain */
  add(counted: Counted, rules: DecidingRules | undefined): void {
    this.count(rules, 1);
    if (rules === undefined) return;
    if (this.#first.length < EXAMPLES) this.#first.push(counted.place);
    const path = counted.keyOf('paths');
    this.#keys.clients.add(counted.keyOf('clients'));
    this.#keys.paths.add(path);
    this.#keys.prefixes.add(path === undefined ? undefined : prefixOf(path));
    this.#keys.countries.add(counted.keyOf('countries'));
  }

  count(rules: DecidingRules | undefined, times: number): void {
    this.#counter.add(rules !== undefined, times);
    if (rules === undefined) return;
    const key = rules.join();
    const change = this.#rules.get(key) ?? { was: rules[0], becomes: rules[1], count: 0 };
    change.count += times;
    this.#rules.set(key, change);
  }

  transition(top: number): Transition {
    const { clients, paths, prefixes, countries } = this.#keys;
    return {
      ...this.#outcomes,
      count: this.#counter.interval,
      first: this.#first,
      rules: [...this.#rules.values()].sort(byCount),
      keys: {
        clients: clients.summary(top),
        paths: paths.summary(top),
        prefixes: prefixes.summary(top),
        countries: countries.summary(top),
      },
    };
  }
}

/** Equally frequent ones in the order of the rules. */
function byCount(a: RuleChange, b: RuleChange): number {
  const [x, y] = [a, b].map(({ was = -1, becomes = -1 }) => [was, becomes] as const);
  return b.count - a.count || x![0] - y![0] || x![1] - y![1];
}

class KeyTally {
  readonly #keys = new FrequentKeys();
  #unknown = 0;

  add(key: string | undefined): void {
    if (key === undefined) {
      this.#unknown++;
      return;
    }
    this.#keys.merge({ keys: [shortKey(key)], counts: [1], missing: 0 });
    if (this.#keys.size > 2 * MAX_KEYS) this.#keys.keep(MAX_KEYS);
  }

  summary(top: number): KeySummary {
    return { top: this.#keys.top(top), distinct: this.#keys.distinct, unknown: this.#unknown };
  }
}

/**
 * Returns a function from verdicts to the position of the rule that caused the only outcome: the last one with the action that did.
 * Undefined if no rule did.
 */
function decidingRule(policy: Policy, profile: Profile): (verdict: Verdict) => number | undefined {
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const actions = rules.map(rule => new Set(rule.actions.map(({ type }) => type.value)));
  return remembered(({ outcomes: [outcome], hits }) => {
    if (outcome?.kind === 'failed' && outcome.action === undefined)
      return hits.findLast(({ result }) => result.status === 'failed')?.rule;
    if (outcome?.action === undefined) return undefined;
    return hits.findLast(({ rule, result }) => result.status !== 'failed' && actions[rule]!.has(outcome.action!))?.rule;
  });
}

/** Exchanges that a policy treats alike share a verdict. */
function remembered<T>(find: (verdict: Verdict) => T): (verdict: Verdict) => T {
  const known = new WeakMap<Verdict, { readonly value: T }>();
  return verdict => {
    const found = known.get(verdict) ?? { value: find(verdict) };
    known.set(verdict, found);
    return found.value;
  };
}
