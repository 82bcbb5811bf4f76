import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation, dependsOnOrder, type Verdict, verdictOf } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/graph.ts';
import { RuleConditions } from './rule-conditions.ts';
import { endsEvaluation } from './rule-history.ts';
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
  readonly #rules: readonly Rule[];
  readonly #positions: ReadonlyMap<Rule, number>;
  readonly #decide: (exchange: Exchange) => Verdict;
  readonly #ending: readonly Rule[];
  readonly #conditions: RuleConditions;

  constructor(session: Session, policy: Policy) {
    this.#session = session;
    const { profile, environments } = session.context;
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#ending = this.#rules.filter(endsEvaluation);
    this.#conditions = new RuleConditions(session, policy);
    this.#positions = new Map(this.#rules.map((rule, at) => [rule, at]));
    const simulation = createSimulation({ ...policy, enabled: true }, { profile, environments });
    // A run looks rules up in an index, but counts from one exchange to the next.
    const run = dependsOnOrder(policy) === undefined ? simulation.begin() : undefined;
    this.#decide = exchange => run?.judge(exchange) ?? verdictOf(simulation.decide(exchange));
  }

  /**
   * Answers whether traffic can match a rule and reach it. Looks for an exchange that satisfies the rule alone and excludes earlier rules
   * only when they turn out to take it.
   */
  canMatch(rule: Rule): MatchAnswer {
    return this.#canBe(rule, 'matched', this.#conditions.matches(rule));
  }

  /** Answers whether traffic can reach a rule so that one of its expressions fails, and the rule is skipped. */
  canFail(rule: Rule): MatchAnswer {
    return this.#canBe(rule, 'failed', this.#conditions.fails(rule));
  }

  #canBe(rule: Rule, status: 'matched' | 'failed', own: Signal): MatchAnswer {
    const earlier = this.#ending.filter(one => one.phase === rule.phase && one.index < rule.index);
    const excluded = new Set<Rule>();
    for (let round = 1; ; round++) {
      const goals = [own, ...[...excluded].map(one => -this.#conditions.matches(one))];
      const answer = this.#session.ask(goals);
      if (answer.kind === 'unknown') return answer;
      if (answer.kind === 'impossible')
        return { kind: 'impossible', because: this.#needed(own, excluded, answer.needed) };
      const decided = answer.exchanges.map(exchange => ({ exchange, decision: this.#decide(exchange) }));
      const confirmed = decided.find(({ decision }) => this.#statusIn(decision, rule) === status);
      if (confirmed !== undefined) return { kind: 'possible', exchange: confirmed.exchange };
      const taken = decided.filter(({ decision }) => this.#statusIn(decision, rule) === 'not-reached');
      const takers = taken.flatMap(({ decision }) => this.#takerIn(decision, earlier) ?? []);
      const taker = takers.find(one => !excluded.has(one));
      if (taker === undefined) return { kind: 'unknown', reason: notConfirmed(answer.assumed) };
      excluded.add(taker);
      if (round >= ONE_BY_ONE) addBatch(excluded, earlier, 2 ** (round - ONE_BY_ONE));
    }
  }

  #statusIn(
    { hits, notReached }: Verdict,
    rule: Rule,
  ): Verdict['hits'][number]['result']['status'] | 'not-reached' | 'not-matched' {
    const at = this.#positions.get(rule)!;
    if (notReached.includes(at)) return 'not-reached';
    return hits.find(hit => hit.rule === at)?.result.status ?? 'not-matched';
  }

  #takerIn({ hits }: Verdict, earlier: readonly Rule[]): Rule | undefined {
    const matched = new Set(
      hits.flatMap(({ rule, result }) => (result.status === 'matched' ? [this.#rules[rule]!] : [])),
    );
    return matched.size === 0 ? undefined : earlier.find(one => matched.has(one));
  }

  /** Drops rules that the proof does not need. */
  #needed(own: Signal, excluded: ReadonlySet<Rule>, needed: readonly Signal[]): readonly Rule[] {
    let rules = [...excluded].filter(one => needed.includes(-this.#conditions.matches(one)));
    const isProof = (fewer: readonly Rule[]) =>
      this.#session.ask([own, ...fewer.map(one => -this.#conditions.matches(one))]).kind === 'impossible';
    if (rules.length > MAX_SHRUNK) return rules.toSorted((a, b) => a.index - b.index);
    for (const rule of rules) {
      const fewer = rules.filter(other => other !== rule);
      if (isProof(fewer)) rules = fewer;
    }
    return rules.toSorted((a, b) => a.index - b.index);
  }
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
