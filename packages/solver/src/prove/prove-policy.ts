import { type TypedAst, Unknown } from '@tollgate/cel';
import { type Claim, type Expectation, invariantContext, type Policy, type Rule } from '@tollgate/policy';
import { createSimulation, type Decision, dependsOnOrder, exchangeExpression } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { simplifyExchange } from '../compare/simplify-exchange.ts';
import type { Signal } from '../logic/graph.ts';
import { addBatch, type MatchAnswer, notConfirmed, ONE_BY_ONE, PolicyQuestions } from '../policy/can-match.ts';
import { RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, Session } from '../policy/session.ts';
import { readCondition } from '../reader/read-condition.ts';
import { type DecisionPath, decisionPaths } from './decision-paths.ts';
import { decisionValues } from './decision-values.ts';
import { type DecisionValues, expectedDecision } from './expected-decision.ts';
import type { RuleEnd } from './rule-ends.ts';

/** Whether a policy does to all well-formed traffic what is claimed of it. */
export type Proof =
  /** It does; these rules are needed for it. */
  | { readonly kind: 'proved'; readonly because: readonly Rule[] }
  /** An exchange that contradicts it, confirmed by the simulator. */
  | {
      readonly kind: 'refuted';
      readonly exchange: Exchange;
      readonly decision: Decision;
      readonly rules: readonly Rule[];
    }
  | { readonly kind: 'unknown'; readonly reasons: readonly string[] };

/** A rule that an evaluation error skips, with an exchange that shows it, or why that is not known. */
export interface SkippedRule {
  readonly rule: Rule;
  readonly proof: Exclude<Proof, { kind: 'proved' }>;
}

/** Proves claims about one policy. */
export class PolicyProver {
  readonly #context: PolicyContext;
  readonly #policy: Policy;
  readonly #session: Session;
  readonly #questions: PolicyQuestions;
  readonly #rules: readonly Rule[];
  readonly #decide: (exchange: Exchange) => Decision;
  #paths: readonly DecisionPath[] | undefined;

  constructor(policy: Policy, context: PolicyContext) {
    this.#context = context;
    this.#policy = policy;
    this.#session = new Session(context);
    this.#questions = new PolicyQuestions(this.#session, policy);
    const { profile, environments } = context;
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    const simulation = createSimulation(policy, { profile, environments });
    // Where counters matter, each exchange is the first one.
    const isFirst = dependsOnOrder(policy) !== undefined;
    this.#decide = exchange => (isFirst ? simulation.begin() : simulation).decide(exchange);
  }

  /** Proves a claim, refutes it with an exchange, or says why it is open. */
  prove(claim: Claim): Proof {
    switch (claim.kind) {
      case 'unreachable':
        return this.#ofRule(claim.rule, rule => this.#questions.canMatch(rule));
      case 'never_fails':
        return this.#ofRule(claim.rule, rule => this.#questions.canFail(rule));
      default:
        return this.#proveAll(claim);
    }
  }

  /** Returns the rules that refuse traffic and that an evaluation error may skip. */
  skippedRefusals(isRefusing: (rule: Rule) => boolean): readonly SkippedRule[] {
    return this.#rules.filter(isRefusing).flatMap(rule => {
      const proof = this.prove({ kind: 'never_fails', rule });
      return proof.kind === 'proved' ? [] : [{ rule, proof }];
    });
  }

  /** Returns what a policy test can expect of an exchange that refutes a claim; undefined if that cannot be said in a test. */
  expectationFor(claim: Claim, exchange: Exchange): Expectation | undefined {
    const violation = 'typed' in claim ? new Violation(claim, this.#context, this.#session) : undefined;
    const values = decisionValues(this.#decide(exchange), this.#rules);
    const isViolated = (changed: DecisionValues) => violation?.isShownBy(exchange, changed) ?? true;
    return expectedDecision(claim, values, { rules: this.#rules, isViolated });
  }

  #ofRule(rule: Rule, ask: (rule: Rule) => MatchAnswer): Proof {
    // Nothing runs.
    if (!this.#policy.enabled) return { kind: 'proved', because: [] };
    const answer = ask(rule);
    switch (answer.kind) {
      case 'impossible':
        return { kind: 'proved', because: answer.because };
      case 'possible':
        return this.#refuted(answer.exchange);
      case 'unknown':
        return { kind: 'unknown', reasons: [answer.reason] };
    }
  }

  #refuted(exchange: Exchange): Extract<Proof, { kind: 'refuted' }> {
    const decision = this.#decide(exchange);
    return { kind: 'refuted', exchange, decision, rules: this.#matchedBy(decision) };
  }

  #matchedBy({ rules }: Decision): readonly Rule[] {
    return this.#rules.filter((_, at) => rules[at]!.status === 'matched');
  }

  #proveAll(claim: SentenceClaim): Proof {
    const violation = new Violation(claim, this.#context, this.#session);
    const contradicts = (exchange: Exchange) =>
      violation.isShownBy(exchange, decisionValues(this.#decide(exchange), this.#rules));
    const [because, reasons] = [new Set<Rule>(), new Set<string>()];
    for (const path of this.#decisionPaths()) {
      const answer = this.#search(path, violation.on(path), contradicts);
      if (answer.kind === 'refuted') return this.#refuted(simplifyExchange(answer.exchange, contradicts));
      if (answer.kind === 'unknown') reasons.add(answer.reason);
      else for (const rule of answer.because) because.add(rule);
    }
    if (reasons.size > 0) return { kind: 'unknown', reasons: [...reasons] };
    return { kind: 'proved', because: this.#rules.filter(rule => because.has(rule)) };
  }

  #decisionPaths(): readonly DecisionPath[] {
    const conditions = new RuleConditions(this.#session, this.#policy);
    this.#paths ??= decisionPaths(this.#policy, { session: this.#session, conditions });
    return this.#paths;
  }

  /** Looks for an exchange on a path that violates the claim. Ends that the path passes are excluded only when they take an exchange. */
  #search(path: DecisionPath, violation: Signal, contradicts: (exchange: Exchange) => boolean): PathAnswer {
    const goals = [violation, ...path.taken.map(end => end.holds())];
    const excluded = new Set<RuleEnd>();
    for (let round = 1; ; round++) {
      const answer = this.#session.ask([...goals, ...[...excluded].map(end => -end.holds())]);
      if (answer.kind === 'unknown') return answer;
      if (answer.kind === 'impossible') {
        const needed = [...excluded, ...path.taken].filter(end =>
          [end.holds(), -end.holds()].some(signal => answer.needed.includes(signal)),
        );
        return { kind: 'proved', because: needed.map(end => end.rule) };
      }
      const exchange = answer.exchanges.find(contradicts);
      if (exchange !== undefined) return { kind: 'refuted', exchange };
      const taker = this.#takerOf(answer.exchanges, path, excluded);
      if (taker === undefined) return { kind: 'unknown', reason: notConfirmed(answer.assumed) };
      excluded.add(taker);
      if (round >= ONE_BY_ONE) addBatch(excluded, path.passed, 2 ** (round - ONE_BY_ONE));
    }
  }

  /** Returns an end that the path passes, but one of the exchanges takes. */
  #takerOf(
    exchanges: readonly Exchange[],
    { passed }: DecisionPath,
    excluded: ReadonlySet<RuleEnd>,
  ): RuleEnd | undefined {
    for (const exchange of exchanges) {
      const { rules } = this.#decide(exchange);
      const taker = passed.find(end => !excluded.has(end) && isTaken(end, rules[this.#rules.indexOf(end.rule)]!));
      if (taker !== undefined) return taker;
    }
    return undefined;
  }
}

type PathAnswer =
  | { readonly kind: 'proved'; readonly because: readonly Rule[] }
  | { readonly kind: 'refuted'; readonly exchange: Exchange }
  | { readonly kind: 'unknown'; readonly reason: string };

function isTaken({ outcome, actions }: RuleEnd, result: Decision['rules'][number]): boolean {
  if (outcome === 'failed') return result.status === 'failed';
  return result.status === 'matched' && result.actions[actions - 1]?.ending !== undefined;
}

type SentenceClaim = Extract<Claim, { readonly typed: TypedAst }>;

/** What contradicts a claim. */
class Violation {
  readonly #claim: SentenceClaim;
  readonly #session: Session;
  readonly #environment: ReturnType<typeof invariantContext>['environment'];
  readonly #phase: ReturnType<typeof invariantContext>['place']['phase'];
  readonly #evaluate: ReturnType<typeof exchangeExpression>;
  readonly #evaluateWhen: ReturnType<typeof exchangeExpression> | undefined;

  constructor(claim: SentenceClaim, { profile, endpoint }: PolicyContext, session: Session) {
    const context = invariantContext(profile, endpoint);
    this.#claim = claim;
    this.#session = session;
    this.#environment = context.environment;
    this.#phase = context.place.phase;
    this.#evaluate = exchangeExpression(claim.typed, context);
    this.#evaluateWhen = claim.kind === 'implies' ? exchangeExpression(claim.when, context) : undefined;
  }

  /** Returns the signal that holds on a path wherever the claim is violated. */
  on(path: DecisionPath): Signal {
    const reading = { ...this.#session.reading(this.#phase), versionOf: () => '', definitionOf: path.definitionOf };
    const read = (typed: TypedAst) => readCondition(typed, this.#environment, reading).whenTrue;
    const claimed = read(this.#claim.typed);
    switch (this.#claim.kind) {
      case 'never':
        return claimed;
      case 'always':
        return -claimed;
      case 'implies':
        return this.#session.vocabulary.graph.and([read(this.#claim.when), -claimed]);
    }
  }

  /** Returns true if an exchange with this decision violates the claim. */
  isShownBy(exchange: Exchange, decision: DecisionValues): boolean {
    const values = { decision };
    const claimed = this.#evaluate(exchange, values);
    if (this.#claim.kind === 'never') return claimed === true;
    if (claimed === true || claimed instanceof Unknown) return false;
    return this.#evaluateWhen === undefined || this.#evaluateWhen(exchange, values) === true;
  }
}
