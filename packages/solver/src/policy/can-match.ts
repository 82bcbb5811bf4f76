import { FINAL_ACTIONS, type Phase, terminationOf } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import type { Policy, Rule } from '@tollgate/policy';
import {
  createSimulation,
  type Decision,
  dependsOnOrder,
  hasResponse,
  type Reach,
  SIDES,
  verdictOf,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/formula.ts';
import { endsEvaluation, RuleConditions } from './rule-conditions.ts';
import type { Answer, PolicyContext, SolverSession } from './session.ts';
import { SignalList } from './signal-list.ts';

/** Whether a rule can ever run. */
export type MatchAnswer =
  /** An exchange on which it does, confirmed by the simulator. */
  | { readonly kind: 'possible'; readonly exchange: Exchange }
  /** The earlier rules that together prevent it; none if its own conditions contradict each other. No rule can be dropped. */
  | {
      readonly kind: 'impossible';
      readonly because: readonly Rule[];
      /** Exchanges that earlier rules take from it, by rule. */
      readonly taken: ReadonlyMap<Rule, Exchange>;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** Exchanges for which the condition holds, but which do not show it alone. */
      readonly tried?: readonly Exchange[];
    };

/** That a rule never runs, because of earlier rules; of none if its own conditions contradict each other. No rule can be dropped. */
export type Proof = Pick<Extract<MatchAnswer, { readonly kind: 'impossible' }>, 'because'>;

/** A rule that takes traffic from another one. */
interface Taker {
  readonly rule: Rule;
  readonly exchange: Exchange;
}

/** What became of an exchange that should match a rule. */
type Attempt =
  | Exclude<MatchAnswer, { readonly kind: 'impossible' }>
  | Extract<Answer, { readonly kind: 'impossible' }>
  | {
      readonly kind: 'taken';
      readonly takers: readonly Taker[];
      readonly assumed: readonly string[];
      readonly tried: readonly Exchange[];
    };

/** Whether an exchange, with what is decided on it, shows what is asked. */
type IsShown = (exchange: Exchange, decision: Reach) => boolean;

/** Options of {@link PolicyQuestions}. */
interface QuestionOptions {
  /** Returns true for incomplete rules; nothing is claimed about them. */
  readonly isPartial?: (rule: Rule) => boolean;
}

/** Questions about the rules of one policy. */
export class PolicyQuestions {
  readonly #session: SolverSession;
  readonly #rules: readonly Rule[];
  readonly #positions: ReadonlyMap<Rule, number>;
  readonly #whole: Policy;
  #decide: ((exchange: Exchange) => Reach) | undefined;
  readonly #ending: readonly Rule[];
  readonly #endingByPhase = new Map<Phase, readonly Rule[]>();
  readonly #listByPhase = new Map<Phase, SignalList>();
  readonly #conditions: RuleConditions;

  constructor(session: SolverSession, policy: Policy, { isPartial = () => false }: QuestionOptions = {}) {
    this.#session = session;
    const { profile } = session.context;
    const whole = { ...policy, enabled: true, rules: mapValues(policy.rules, rules => rules.filter(not(isPartial))) };
    this.#rules = profile.phases.flatMap(phase => whole.rules[phase]);
    this.#ending = this.#rules.filter(endsEvaluation);
    this.#conditions = new RuleConditions(session, policy, isPartial);
    this.#positions = new Map(this.#rules.map((rule, at) => [rule, at]));
    this.#whole = whole;
  }

  /**
   * Returns a proof that no traffic matches a rule and reaches it; undefined if there is none. Policies with errors have proofs too:
   * nothing is simulated, and therefore no exchange shows what earlier rules take.
   */
  cannotMatch(rule: Rule): Proof | undefined {
    return this.#cannotBe(rule, [this.#conditions.matches(rule)]);
  }

  /** Returns such a proof about the part of the traffic on which an expression holds. */
  cannotMatchWhere(rule: Rule, typed: TypedAst): Proof | undefined {
    const { whenTrue } = this.#conditions.at(rule, [typed]);
    return this.#cannotBe(rule, [whenTrue, this.#conditions.matches(rule)]);
  }

  /**
   * Answers whether traffic can match a rule and reach it. Looks for an exchange that satisfies the rule alone and excludes earlier rules
   * only when they turn out to take it.
   */
  canMatch(rule: Rule): MatchAnswer {
    return this.#canBe(rule, this.#endsAs(rule, 'matched'), [this.#conditions.matches(rule)]);
  }

  /** Answers the same about the part of the traffic on which an expression holds. */
  canMatchWhere(rule: Rule, typed: TypedAst): MatchAnswer {
    const { whenTrue } = this.#conditions.at(rule, [typed]);
    return this.#canBe(rule, this.#endsAs(rule, 'matched'), [whenTrue, this.#conditions.matches(rule)]);
  }

  /** Answers whether traffic can reach a rule so that one of its expressions fails, and the rule is skipped. */
  canFail(rule: Rule): MatchAnswer {
    return this.#canBe(rule, this.#endsAs(rule, 'failed'), [this.#conditions.fails(rule)]);
  }

  /** Answers the same about one of its expressions, or a part of one that is outside of its loops: whether that fails, too. */
  canFailAt(rule: Rule, typed: TypedAst): MatchAnswer {
    const { whenTrue, whenFalse } = this.#conditions.at(rule, [typed]);
    return this.#canBe(rule, this.#endsAs(rule, 'failed'), [-whenTrue, -whenFalse, this.#conditions.fails(rule)]);
  }

  /**
   * Answers whether traffic can reach a rule where formulas hold, in the state in which the rule is reached.
   * @param isShown whether an exchange on which they should hold shows what is wanted
   */
  canShow(rule: Rule, own: readonly Signal[], isShown: (exchange: Exchange) => boolean): MatchAnswer {
    return this.#canBe(rule, isShown, own);
  }

  #endsAs(rule: Rule, status: 'matched' | 'failed'): IsShown {
    return (_, decision) => this.#statusIn(decision, rule) === status;
  }

  /** Excludes earlier rules as {@link #canBe} does, but goes by the values found, and not by what the policy does to an exchange. */
  #cannotBe(rule: Rule, own: readonly Signal[]): Proof | undefined {
    const earlier = this.#earlierThan(rule);
    const excluded = new Set<Rule>();
    for (let round = 1; ; round++) {
      const goals = [...own, ...[...excluded].map(one => -this.#conditions.matches(one))];
      const found = this.#session.sample(goals);
      if (found.kind === 'unknown') return undefined;
      if (found.kind === 'impossible') return { because: this.#needed(own, excluded, found.needed) };
      const taker = this.#endingIn(rule.phase).firstHolding(found.sample, 0, earlier.length);
      if (taker === undefined) return undefined;
      excluded.add(earlier[taker]!);
      if (round >= ONE_BY_ONE) addBatch(excluded, earlier, 2 ** (round - ONE_BY_ONE));
    }
  }

  #canBe(rule: Rule, isShown: IsShown, own: readonly Signal[]): MatchAnswer {
    const earlier = this.#earlierThan(rule);
    const excluded = new Set<Rule>();
    const taken = new Map<Rule, Exchange>();
    for (let round = 1; ; round++) {
      const goals = [...own, ...[...excluded].map(one => -this.#conditions.matches(one))];
      const found = this.#tryToReach(rule, isShown, { goals, earlier });
      if (found.kind === 'unknown' || found.kind === 'possible') return found;
      if (found.kind === 'impossible')
        return { kind: 'impossible', because: this.#needed(own, excluded, found.needed), taken };
      const taker = found.takers.find(one => !excluded.has(one.rule))?.rule;
      for (const { rule: by, exchange } of found.takers) taken.set(by, exchange);
      // The exchange does not show which rules take it, but they may leave nothing.
      if (taker === undefined && (excluded.size === earlier.length || excluded.size >= MAX_UNSEEN))
        return { kind: 'unknown', reason: notConfirmed(found.assumed), tried: found.tried };
      if (taker !== undefined) excluded.add(taker);
      if (taker === undefined || round >= ONE_BY_ONE) addBatch(excluded, earlier, 2 ** Math.max(0, round - ONE_BY_ONE));
    }
  }

  /** Looks for an exchange and decides it. */
  #tryToReach(
    rule: Rule,
    isShown: IsShown,
    { goals, earlier }: { readonly goals: readonly Signal[]; readonly earlier: readonly Rule[] },
  ): Attempt {
    const answer = this.#session.ask(goals);
    if (answer.kind !== 'found') return answer;
    this.#decide ??= verdicts(this.#whole, this.#session.context);
    const takers: Taker[] = [];
    for (const exchange of answer.exchanges) {
      const decision = this.#decide(exchange);
      if (isShown(exchange, decision)) return { kind: 'possible', exchange };
      const taker = this.#statusIn(decision, rule) === 'not-reached' ? this.#takerIn(decision, earlier) : undefined;
      if (taker !== undefined) takers.push({ rule: taker, exchange });
    }
    return { kind: 'taken', takers, assumed: answer.assumed, tried: answer.exchanges };
  }

  /** Returns the conditions of the rules that end the evaluation before a phase or in it. */
  #endingIn(phase: Phase): SignalList {
    let list = this.#listByPhase.get(phase);
    if (list === undefined) {
      const ending = this.#endingUntil(phase);
      const signals = ending.map(one => this.#conditions.matches(one));
      list = new SignalList(signals, this.#session.vocabulary);
      this.#listByPhase.set(phase, list);
    }
    return list;
  }

  #earlierThan(rule: Rule): readonly Rule[] {
    const ending = this.#endingUntil(rule.phase);
    const at = ending.findIndex(one => one.phase === rule.phase && one.index >= rule.index);
    return at < 0 ? ending : ending.slice(0, at);
  }

  /** Returns true if an earlier rule ends the evaluation for what it matches. */
  hasEarlierEnd(rule: Rule): boolean {
    return this.#earlierThan(rule).length > 0;
  }

  /** Returns the rules of a phase that end the evaluation, behind those of earlier phases after which no phase runs. */
  #endingUntil(phase: Phase): readonly Rule[] {
    let ending = this.#endingByPhase.get(phase);
    if (ending === undefined) {
      ending = [...this.#finalBefore(phase), ...this.#ending.filter(one => one.phase === phase)];
      this.#endingByPhase.set(phase, ending);
    }
    return ending;
  }

  /**
   * Returns the rules of earlier phases that end the whole policy. Rules behind one whose answer runs through the later phases are not among them,
   * because it may keep the traffic from them.
   */
  #finalBefore(phase: Phase): readonly Rule[] {
    const { endpoint, profile } = this.#session.context;
    const earlier = profile.phases.slice(0, profile.phases.indexOf(phase));
    const found: Rule[] = [];
    for (const rule of this.#rules) {
      if (!earlier.includes(rule.phase)) continue;
      const ends = rule.actions.filter(action => terminationOf(action) !== 'never');
      const side = SIDES[rule.phase];
      const isResumed = side === 'request' && profile.switches.responsePhaseAfterAnswer === 'run';
      const closes = !hasResponse({ place: { endpoint, phase: rule.phase }, side });
      const isFinal = !isResumed || closes || ends.every(({ type }) => FINAL_ACTIONS.has(type.value));
      if (!isFinal) return found;
      if (endsEvaluation(rule)) found.push(rule);
    }
    return found;
  }

  #statusIn(
    { hits, notReached }: Reach,
    rule: Rule,
  ): Reach['hits'][number]['result']['status'] | 'not-reached' | 'not-matched' {
    const at = this.#positions.get(rule)!;
    if (notReached.includes(at)) return 'not-reached';
    return hits.find(hit => hit.rule === at)?.result.status ?? 'not-matched';
  }

  #takerIn({ hits }: Reach, earlier: readonly Rule[]): Rule | undefined {
    const matched = new Set(
      hits.flatMap(({ rule, result }) => (result.status === 'matched' ? [this.#rules[rule]!] : [])),
    );
    return matched.size === 0 ? undefined : earlier.find(one => matched.has(one));
  }

  /** Drops rules that the proof does not need. */
  #needed(own: readonly Signal[], excluded: ReadonlySet<Rule>, needed: readonly Signal[]): readonly Rule[] {
    let rules = [...excluded].filter(one => needed.includes(-this.#conditions.matches(one)));
    rules.sort((a, b) => this.#positions.get(a)! - this.#positions.get(b)!);
    const isProof = (fewer: readonly Rule[]) =>
      this.#session.contradiction([...own, ...fewer.map(one => -this.#conditions.matches(one))]) !== undefined;
    if (rules.length > MAX_SHRUNK) return rules;
    const single = rules.length > 1 ? rules.find(one => isProof([one])) : undefined;
    if (single !== undefined) return [single];
    for (const rule of rules) {
      const fewer = rules.filter(other => other !== rule);
      if (isProof(fewer)) rules = fewer;
    }
    return rules;
  }
}

function not<T>(test: (value: T) => boolean): (value: T) => boolean {
  return value => !test(value);
}

function mapValues<Key extends string, T>(record: Readonly<Record<Key, T>>, map: (value: T) => T): Record<Key, T> {
  const found: Record<Key, T> = { ...record };
  for (const key in found) found[key] = map(found[key]);
  return found;
}

/** Returns what decides exchanges, each as the first one: that is the decision that is shown. */
function verdicts(policy: Policy, context: PolicyContext): (exchange: Exchange) => Reach {
  if (dependsOnOrder(policy) !== undefined) {
    const decide = firstDecisions(policy, context);
    return exchange => verdictOf(decide(exchange));
  }
  const { profile, environments } = context;
  // A run looks rules up in an index.
  const run = createSimulation(policy, { profile, environments }).begin();
  return exchange => run.reach(exchange);
}

/** Returns the decision on an exchange as the first one that counters see. All witnesses are confirmed by it, and shown with it. */
export function firstDecisions(
  policy: Policy,
  { profile, environments }: PolicyContext,
): (exchange: Exchange) => Decision {
  const simulation = createSimulation(policy, { profile, environments });
  const isFirst = dependsOnOrder(policy) !== undefined;
  return exchange => (isFirst ? simulation.begin() : simulation).decide(exchange);
}

/** Why a question stays open although values were found. */
export const NOT_CONFIRMED =
  'the simulator does not confirm the request, because a part of the condition is not modelled';

/** Returns why a question stays open although values were found, with the expressions that were assumed to have some value. */
export function notConfirmed(assumed: readonly string[]): string {
  if (assumed.length === 0) return NOT_CONFIRMED;
  const shown = assumed.slice(0, MAX_SHOWN);
  const rest = assumed.length > MAX_SHOWN ? ` and ${assumed.length - MAX_SHOWN} more` : '';
  return `it depends on ${shown.join(', ')}${rest}, which the solver does not interpret`;
}

const MAX_SHOWN = 3;

/** In later rounds, excluded rules come in batches that double. */
export const ONE_BY_ONE = 6;
const MAX_SHRUNK = 24;
/** Rules that are excluded although no exchange shows that they take the traffic. More cost too much for what they prove. */
export const MAX_UNSEEN = 16;

/** Adds the first ones that are missing. */
export function addBatch<T>(excluded: Set<T>, earlier: readonly T[], count: number): void {
  let left = count;
  for (const rule of earlier) {
    if (left === 0) return;
    if (excluded.has(rule)) continue;
    excluded.add(rule);
    left--;
  }
}
