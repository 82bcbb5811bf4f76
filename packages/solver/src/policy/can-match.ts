import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation, type Decision, type Simulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/graph.ts';
import { type Change, changeBy, changesOfPhase, endsEvaluation, matchSignal } from './rule-history.ts';
import type { Session } from './session.ts';

/** Whether a rule can ever run. */
export type MatchAnswer =
  /** An exchange on which it does, confirmed by the simulator. */
  | { readonly kind: 'possible'; readonly exchange: Exchange }
  /** The earlier rules that together prevent it; none if its own conditions contradict each other. No rule can be dropped. */
  | { readonly kind: 'impossible'; readonly because: readonly Rule[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Questions about the rules of one policy. */
export class PolicyQuestions {
  readonly #session: Session;
  readonly #policy: Policy;
  readonly #rules: readonly Rule[];
  readonly #simulation: Simulation;
  readonly #signals = new Map<Rule, Signal>();

  constructor(session: Session, policy: Policy) {
    this.#session = session;
    this.#policy = policy;
    const { profile, environments } = session.context;
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#simulation = createSimulation({ ...policy, enabled: true }, { profile, environments });
  }

  /**
   * Answers whether traffic can match a rule and reach it. Looks for an exchange that satisfies the rule alone and excludes earlier rules
   * only when they turn out to take it.
   */
  canMatch(rule: Rule): MatchAnswer {
    const own = this.#signalOf(rule);
    const earlier = this.#policy.rules[rule.phase].filter(one => one.index < rule.index && endsEvaluation(one));
    const excluded = new Set<Rule>();
    for (let round = 1; ; round++) {
      const goals = [own, ...[...excluded].map(one => -this.#signalOf(one))];
      const answer = this.#session.ask(goals);
      if (answer.kind === 'unknown') return answer;
      if (answer.kind === 'impossible')
        return { kind: 'impossible', because: this.#needed(own, excluded, answer.needed) };
      const decision = this.#simulation.decide(answer.exchange);
      const status = decision.rules[this.#rules.indexOf(rule)]!.status;
      if (status === 'matched') return { kind: 'possible', exchange: answer.exchange };
      const taker = status === 'not-reached' ? this.#takerIn(decision, earlier) : undefined;
      if (taker === undefined || excluded.has(taker)) return { kind: 'unknown', reason: NOT_CONFIRMED };
      excluded.add(taker);
      if (round >= ONE_BY_ONE) addBatch(excluded, earlier, 2 ** (round - ONE_BY_ONE));
    }
  }

  #takerIn({ rules }: Decision, earlier: readonly Rule[]): Rule | undefined {
    return earlier.find(one => rules[this.#rules.indexOf(one)]!.status === 'matched');
  }

  /** Drops rules that the proof does not need. */
  #needed(own: Signal, excluded: ReadonlySet<Rule>, needed: readonly Signal[]): readonly Rule[] {
    let rules = [...excluded].filter(one => needed.includes(-this.#signalOf(one)));
    const isProof = (fewer: readonly Rule[]) =>
      this.#session.ask([own, ...fewer.map(one => -this.#signalOf(one))]).kind === 'impossible';
    if (rules.length > MAX_SHRUNK) return rules.toSorted((a, b) => a.index - b.index);
    for (const rule of rules) {
      const fewer = rules.filter(other => other !== rule);
      if (isProof(fewer)) rules = fewer;
    }
    return rules.toSorted((a, b) => a.index - b.index);
  }

  #signalOf(rule: Rule): Signal {
    let signal = this.#signals.get(rule);
    if (signal === undefined) {
      signal = matchSignal(this.#session, rule, this.#changesBefore(rule));
      this.#signals.set(rule, signal);
    }
    return signal;
  }

  #changesBefore(rule: Rule): readonly Change[] {
    const { phases } = this.#session.context.profile;
    const changes = phases
      .slice(0, phases.indexOf(rule.phase))
      .flatMap(phase => changesOfPhase(this.#session, phase, this.#policy.rules[phase]));
    for (const one of this.#policy.rules[rule.phase].slice(0, rule.index)) {
      const id = `${one.phase} ${one.index}`;
      const change = changeBy(this.#session, one, { id, matches: () => this.#signalOf(one) });
      if (change !== undefined) changes.push(change);
    }
    return changes;
  }
}

/** Why a question stays open although values were found. */
export const NOT_CONFIRMED =
  'the simulator does not confirm the request, because a part of the condition is not modelled';

/** In later rounds, excluded rules come in batches that double. */
const ONE_BY_ONE = 6;
const MAX_SHRUNK = 24;

function addBatch(excluded: Set<Rule>, earlier: readonly Rule[], count: number): void {
  let left = count;
  for (const rule of earlier) {
    if (left === 0) return;
    if (excluded.has(rule)) continue;
    excluded.add(rule);
    left--;
  }
}
