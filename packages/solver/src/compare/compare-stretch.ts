// The difference that changed rules make between two rules that both policies have.

import type { Phase } from '@tollgate/catalog';
import type { Action, Policy, Rule } from '@tollgate/policy';
import { createSimulation, type Decision, type Simulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Graph, Signal } from '../logic/formula.ts';
import { addBatch, MAX_UNSEEN, notConfirmed } from '../policy/can-match.ts';
import { simplifyExchange } from '../policy/exchange.ts';
import { endsEvaluation } from '../policy/rule-conditions.ts';
import type { Answer, PolicyContext, SolverSession } from '../policy/session.ts';
import { exchangeVariants, type PolicyInContext, searchExchanges } from './search-exchanges.ts';

/** An earlier rule that ends the evaluation of the traffic that it matches. */
export interface Blocker {
  readonly rule: Rule;
  readonly matches: () => Signal;
}

/** Rules between two rules that both policies have. */
interface Comparing {
  readonly session: SolverSession;
  readonly sides: { readonly before: PolicySide; readonly after: PolicySide };
  readonly rules: { readonly before: readonly ReadRule[]; readonly after: readonly ReadRule[] };
  /** Holds wherever the rules may run different actions. */
  readonly isChanged: Signal;
  readonly blockers: readonly Blocker[];
  /** Returns true if the decisions on one exchange differ, or may differ. */
  readonly areDifferent: (before: Decision, after: Decision) => boolean;
}

/** Why it is open whether there is a difference. */
export interface OpenReason {
  readonly reason: string;
  /** An exchange for which the rules run different actions, although the simulator sees no difference. */
  readonly exchange?: Exchange;
}

/** What was found about a stretch of changed rules. */
interface StretchFindings {
  readonly differences: readonly PolicyDifference[];
  readonly open: readonly OpenReason[];
  readonly isComplete: boolean;
  /** Exchanges that were found on the way. */
  readonly tried: readonly Exchange[];
}

const MAX_DIFFERENCES = 20;
const MAX_ROUNDS = 200;
const NO_VISIBLE_EFFECT = 'different actions run, although the simulator sees no difference';
const TOO_MANY = 'there are too many combinations of rules';

/**
 * Looks for traffic that the changed rules decide differently: for one exchange per combination of rules that match. Earlier rules are
 * excluded only when they take an exchange.
 */
export function compareStretch(comparing: Comparing): StretchFindings {
  return new StretchComparison(comparing).run();
}

class StretchComparison {
  readonly #comparing: Comparing;
  readonly #goals: Signal[];
  readonly #differences: PolicyDifference[] = [];
  readonly #open: OpenReason[] = [];
  readonly #excluded = new Set<Blocker>();
  readonly #seen = new Set<string>();
  readonly #tried: Exchange[] = [];

  constructor(comparing: Comparing) {
    this.#comparing = comparing;
    this.#goals = [comparing.isChanged];
  }

  run(): StretchFindings {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const blocked = [...this.#excluded].map(one => -one.matches());
      const answer = this.#comparing.session.ask([...this.#goals, ...blocked]);
      if (answer.kind === 'impossible') return this.#finish(true);
      if (answer.kind === 'unknown') {
        this.#open.push({ reason: answer.reason });
        return this.#finish(true);
      }
      const problem = this.#examine(answer);
      if (problem !== undefined) {
        this.#open.push({ reason: problem });
        return this.#finish(true);
      }
      if (this.#differences.length >= MAX_DIFFERENCES) return this.#finish(false);
    }
    if (this.#differences.length === 0) this.#open.push({ reason: TOO_MANY });
    return this.#finish(false);
  }

  #finish(isComplete: boolean): StretchFindings {
    return { differences: this.#differences, open: this.#open, isComplete, tried: this.#tried };
  }

  /** Excludes what the exchange shows from the next question; returns why that is impossible. */
  #examine({ exchanges, assumed }: Extract<Answer, { readonly kind: 'found' }>): string | undefined {
    this.#tried.push(...exchanges);
    const all = exchanges.map(exchange => this.#mostTelling(exchange));
    const found = all.find(one => this.#isTelling(one)) ?? all[0]!;
    const pattern = this.#patternOf(found);
    // Another stretch may be the reason for a difference.
    if (!this.#isDifferent(found) || !pattern.isReached) {
      const blocker = this.#blockerOf(found);
      if (blocker !== undefined) {
        this.#exclude(blocker);
        return undefined;
      }
    }
    // The exchange does not show which rules take it, but they may leave nothing.
    const isConfirmed = pattern.isReached && !this.#seen.has(pattern.key) && this.#isTelling(found);
    if (!isConfirmed && this.#excludeUnseen()) return undefined;
    if (!pattern.isReached || this.#seen.has(pattern.key)) return notConfirmed(assumed);
    this.#seen.add(pattern.key);
    if (this.#isDifferent(found)) this.#add(found);
    else if (!this.#runsDifferentActions(found)) return notConfirmed(assumed);
    else if (this.#open.length === 0) this.#open.push({ reason: NO_VISIBLE_EFFECT, exchange: found.exchange });
    this.#goals.push(-pattern.signal);
    return undefined;
  }

  /** Returns the exchange, or a variant of it for which the same rules match and the decisions differ. */
  #mostTelling(exchange: Exchange): PolicyDifference {
    const found = this.#decide(exchange);
    if (this.#isDifferent(found)) return found;
    const { rules } = this.#comparing;
    const own = [...rules.before, ...rules.after].map(({ rule }) => rule);
    const matched = [...found.before.rules, ...found.after.rules];
    const variants = exchangeVariants(exchange, [...own, ...matched]).map(one => this.#decide(one));
    return variants.find(one => this.#isDifferent(one) && this.#patternOf(one).isReached) ?? found;
  }

  #decide(exchange: Exchange): PolicyDifference {
    const { before, after } = this.#comparing.sides;
    return { exchange, before: before.decide(exchange), after: after.decide(exchange) };
  }

  #add(found: PolicyDifference): void {
    const { key } = this.#patternOf(found);
    const simple = simplifyExchange(found.exchange, exchange => {
      const changed = this.#decide(exchange);
      return this.#isDifferent(changed) && this.#patternOf(changed).key === key;
    });
    this.#differences.push(this.#decide(simple));
  }

  /** Returns an earlier rule that ended the evaluation of the exchange. */
  #blockerOf({ before, after }: PolicyDifference): Blocker | undefined {
    const matched = new Set([...before.rules, ...after.rules]);
    return this.#comparing.blockers.find(one => matched.has(one.rule) && !this.#excluded.has(one));
  }

  /** In later rounds, excluded rules come in batches that double. */
  #exclude(blocker: Blocker): void {
    this.#excluded.add(blocker);
    const count = this.#excluded.size;
    if (count < ONE_BY_ONE) return;
    for (const other of this.#comparing.blockers) {
      if (this.#excluded.size >= 2 * count) return;
      this.#excluded.add(other);
    }
  }

  /** Excludes more of the earlier rules, as long as that costs little; returns false if there are none. */
  #excludeUnseen(): boolean {
    const { blockers } = this.#comparing;
    const size = this.#excluded.size;
    if (size >= MAX_UNSEEN) return false;
    addBatch(this.#excluded, blockers, Math.max(1, size));
    return this.#excluded.size > size;
  }

  #isTelling(found: PolicyDifference): boolean {
    return this.#isDifferent(found) || this.#runsDifferentActions(found);
  }

  #isDifferent({ before, after }: PolicyDifference): boolean {
    return this.#comparing.areDifferent(before.decision, after.decision);
  }

  #runsDifferentActions({ before, after }: PolicyDifference): boolean {
    const { rules } = this.#comparing;
    const run = (read: readonly ReadRule[], matched: readonly Rule[]) =>
      JSON.stringify(read.filter(({ rule }) => matched.includes(rule)).map(({ actions }) => actions));
    return run(rules.before, before.rules) !== run(rules.after, after.rules);
  }

  /** Returns which of the rules matched, as a key and as a signal. */
  #patternOf({ before, after }: PolicyDifference): Pattern {
    const { rules, sides, session } = this.#comparing;
    const statuses = [
      ...rules.before.map(one => ({ ...one, status: sides.before.statusOf(one.rule, before.decision) })),
      ...rules.after.map(one => ({ ...one, status: sides.after.statusOf(one.rule, after.decision) })),
    ];
    const reached = statuses.filter(one => one.status !== 'not-reached');
    return {
      isReached: reached.length > 0,
      key: statuses.map(one => (one.status === 'failed' ? 'not-matched' : one.status)).join(),
      signal: session.vocabulary.graph.and(reached.map(one => (one.status === 'matched' ? one.matches : -one.matches))),
    };
  }
}

/** Which of the changed rules match an exchange. */
interface Pattern {
  readonly isReached: boolean;
  readonly key: string;
  readonly signal: Signal;
}

const ONE_BY_ONE = 6;

/** How one policy decides an exchange. */
export interface Decided {
  readonly decision: Decision;
  /** The rules that matched, in order. */
  readonly rules: readonly Rule[];
}

/** An exchange that two policies decide differently, confirmed by the simulator. */
export interface PolicyDifference {
  readonly exchange: Exchange;
  readonly before: Decided;
  readonly after: Decided;
}

/** One of two policies that are compared, ready to decide. */
export class PolicySide implements PolicyInContext {
  readonly policy: Policy;
  readonly context: PolicyContext;
  readonly #rules: readonly Rule[];
  readonly #simulation: Simulation;

  constructor(policy: Policy, context: PolicyContext) {
    const { profile, environments } = context;
    this.policy = policy;
    this.context = context;
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#simulation = createSimulation(policy, { profile, environments });
  }

  /** Returns the rules of a phase that can run. */
  rulesOf(phase: Phase): readonly Rule[] {
    return this.policy.enabled ? this.policy.rules[phase] : [];
  }

  decide(exchange: Exchange): Decided {
    const decision = this.#simulation.decide(exchange);
    return { decision, rules: this.#rules.filter((_, at) => decision.rules[at]!.status === 'matched') };
  }

  /** Returns what happened to a rule. */
  statusOf(rule: Rule, { rules }: Decision): Decision['rules'][number]['status'] {
    return rules[this.#rules.indexOf(rule)]!.status;
  }
}

/** Where policies are compared by trying exchanges. */
interface DifferenceSearch {
  readonly sides: readonly [PolicySide, PolicySide];
  readonly seeds: readonly Exchange[];
  readonly isDifferent: (before: Decision, after: Decision) => boolean;
}

/** Tries exchanges, and returns the first that two policies decide differently, as simple as possible. */
export function searchDifference({ sides, seeds, isDifferent }: DifferenceSearch): PolicyDifference | undefined {
  const [before, after] = sides;
  const decide = (exchange: Exchange): PolicyDifference => ({
    exchange,
    before: before.decide(exchange),
    after: after.decide(exchange),
  });
  const isWanted = (one: PolicyDifference) => isDifferent(one.before.decision, one.after.decision);
  const exchange = searchExchanges({ policies: sides, seeds, isWanted: one => isWanted(decide(one)) });
  if (exchange === undefined) return undefined;
  const key = keyOf(decide(exchange));
  const simple = simplifyExchange(exchange, one => {
    const decided = decide(one);
    return isWanted(decided) && keyOf(decided) === key;
  });
  return decide(simple);
}

/** Returns a key that is equal where the same rules match. */
export function keyOf({ before, after }: PolicyDifference): string {
  return JSON.stringify([before, after].map(({ rules }) => rules.map(({ phase, index }) => [phase, index])));
}

/**
 * Returns exchanges on which rules may match and may not, each and in pairs, as if nothing had been changed before. What a rule changes for the
 * next one is not known, but the simulator knows.
 */
export function exchangesMatching(session: SolverSession, matching: readonly Signal[]): readonly Exchange[] {
  const signals = [...new Set(matching)].slice(0, MAX_SEEDS);
  const pairs = signals.flatMap((one, at) =>
    signals.flatMap((other, index) => (index === at ? [] : [[one, index > at ? other : -other]])),
  );
  return [...signals.flatMap(one => [[one], [-one]]), ...pairs].flatMap(goals => {
    const answer = session.ask(goals);
    return answer.kind === 'found' ? answer.exchanges : [];
  });
}

/** Pairs of more rules are too many. */
const MAX_SEEDS = 12;

/** A rule, and the signal that holds where it matches if it is reached. */
export interface ReadRule {
  readonly rule: Rule;
  readonly matches: Signal;
  /** Equal for rules with the same actions. */
  readonly actions: string;
}

/**
 * Returns a signal that holds wherever two lists of rules, reached with the same traffic, run different actions. Where it does not hold, the
 * same actions run in the same order.
 */
export function changedEffect(graph: Graph, before: readonly ReadRule[], after: readonly ReadRule[]): Signal {
  const [own, other] = [running(graph, before), running(graph, after)];
  const isExact = [...before, ...after].every(({ rule }) => endsEvaluation(rule));
  return isExact ? differentEnds(graph, own, other) : differentSteps(graph, own, other);
}

/** A rule's actions, and the signals that hold where it matches if it is reached, and where they run. */
interface Run {
  readonly rule: Rule;
  readonly actions: string;
  readonly matches: Signal;
  readonly runs: Signal;
}

function running(graph: Graph, rules: readonly ReadRule[]): readonly Run[] {
  const ended: Signal[] = [];
  return rules.map(({ rule, matches, actions }) => {
    const runs = graph.and([matches, ...ended.map(end => -end)]);
    if (endsEvaluation(rule)) ended.push(matches);
    return { rule, actions, matches, runs };
  });
}

/** At most one rule of each list runs, so that only the one that runs counts. */
function differentEnds(graph: Graph, before: readonly Run[], after: readonly Run[]): Signal {
  const all = new Set([...before, ...after].map(one => one.actions));
  return graph.or(
    [...all].map(actions => {
      const [own, other] = [before, after].map(list =>
        graph.or(list.filter(one => one.actions === actions).map(one => one.runs)),
      );
      return graph.difference(own!, other!);
    }),
  );
}

/**
 * Rules with equal actions are paired, those that run for the same traffic first. The effect is the same if each pair runs alike, no other rule
 * runs, and of two pairs in another order only one runs, or the order does not matter.
 */
function differentSteps(graph: Graph, before: readonly Run[], after: readonly Run[]): Signal {
  const pairs = [...pairsOf(before, after)].sort(([a], [b]) => a - b);
  const [paired, matched] = [new Set(pairs.map(([at]) => at)), new Set(pairs.map(([, at]) => at))];
  const swapped = pairs.flatMap(([own, other], at) =>
    pairs.slice(at + 1).flatMap(([later, earlier]) => {
      const isSame = before[own]!.actions === before[later]!.actions;
      const isAlike = isSame || commute(before[own]!.rule, before[later]!.rule);
      return earlier < other && !isAlike ? [graph.and([before[own]!.runs, before[later]!.runs])] : [];
    }),
  );
  return graph.or([
    ...pairs.map(([own, other]) => graph.difference(before[own]!.runs, after[other]!.runs)),
    ...swapped,
    ...before.filter((_, at) => !paired.has(at)).map(one => one.runs),
    ...after.filter((_, at) => !matched.has(at)).map(one => one.runs),
  ]);
}

/** Returns true if the actions of two rules certainly have the same effect in either order. */
function commute(one: Rule, other: Rule): boolean {
  return one.actions.every(a => other.actions.every(b => areIndependent(touchedBy(a), touchedBy(b))));
}

/** What an action reads and changes, as far as it is known to be all. */
type Touched = 'log' | 'url' | ReadonlySet<string> | undefined;

function touchedBy({ type, config }: Action): Touched {
  // An expression may read anything.
  if (JSON.stringify(config).includes('${')) return undefined;
  switch (type.value) {
    case 'log':
      return 'log';
    case 'url-rewrite':
      return 'url';
    case 'add-headers':
    case 'remove-headers': {
      const { headers } = config;
      const names = Array.isArray(headers) ? headers.map(String) : Object.keys(headers ?? {});
      const touched = new Set(names.map(name => name.toLowerCase()));
      // It belongs to the URL.
      return touched.has('host') ? undefined : touched;
    }
    default:
      return undefined;
  }
}

function areIndependent(one: Touched, other: Touched): boolean {
  if (one === undefined || other === undefined) return false;
  if (typeof one === 'object' && typeof other === 'object') return ![...one].some(name => other.has(name));
  return one !== other;
}

function pairsOf(before: readonly Run[], after: readonly Run[]): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  const [left, free] = [new Set(before.keys()), new Set(after.keys())];
  const pair = (keyOf: (run: Run) => string) => {
    const open = Map.groupBy(free, at => keyOf(after[at]!));
    for (const own of left) {
      const other = open.get(keyOf(before[own]!))?.shift();
      if (other === undefined) continue;
      found.push([own, other]);
      left.delete(own);
      free.delete(other);
    }
  };
  pair(({ actions, matches }) => `${matches} ${actions}`);
  pair(({ actions }) => actions);
  return found;
}
