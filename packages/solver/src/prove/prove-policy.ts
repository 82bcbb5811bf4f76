import type { Claim, Expectation, Policy, Rule } from '@tollgate/policy';
import type { Decision, Route } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { firstDecisions, type MatchAnswer, NOT_CONFIRMED, PolicyQuestions } from '../policy/can-match.ts';
import { RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, Session } from '../policy/session.ts';
import { type DecisionPath, decisionPaths } from './decision-paths.ts';
import { decisionValues } from './decision-values.ts';
import { type DecisionValues, expectedDecision } from './expected-decision.ts';
import { searchViolation } from './search-violation.ts';
import { ruleViolation, type SentenceClaim, violationOf } from './violation.ts';

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
      /** The route that takes the exchange, if the claim is about an edge. */
      readonly route?: Route;
    }
  | { readonly kind: 'unknown'; readonly reasons: readonly string[] };

/** A rule that an evaluation error skips, with an exchange that shows it, or why that is not known. */
export interface SkippedRule {
  readonly rule: Rule;
  readonly proof: Exclude<Proof, { kind: 'proved' }>;
}

/** Proves claims about one policy. */
export class PolicyProver {
  readonly #policy: Policy;
  readonly #session: Session;
  readonly #questions: PolicyQuestions;
  readonly #rules: readonly Rule[];
  readonly #decide: (exchange: Exchange) => Decision;
  #paths: readonly DecisionPath[] | undefined;

  constructor(policy: Policy, context: PolicyContext) {
    this.#policy = policy;
    this.#session = new Session(context);
    this.#questions = new PolicyQuestions(this.#session, policy);
    this.#rules = context.profile.phases.flatMap(phase => policy.rules[phase]);
    this.#decide = firstDecisions(policy, context);
  }

  /** Proves a claim, refutes it with an exchange, or says why it is open. The decision that is shown contradicts what it refutes. */
  prove(claim: Claim): Proof {
    const proof = this.#search(claim);
    if (proof.kind !== 'refuted') return proof;
    const violation = 'typed' in claim ? violationOf(claim, this.#session) : ruleViolation(claim, this.#session);
    const isShown = violation.isShownBy(proof.exchange, decisionValues(proof.decision, this.#rules));
    return isShown ? proof : { kind: 'unknown', reasons: [NOT_CONFIRMED] };
  }

  #search(claim: Claim): Proof {
    switch (claim.kind) {
      case 'unreachable':
        return this.#ofRule(claim.rule, rule => this.#questions.canMatch(rule));
      case 'never_fails':
        return this.#ofRule(claim.rule, rule => this.#questions.canFail(rule));
      default:
        return this.#proveSentence(claim);
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
    const violation = 'typed' in claim ? violationOf(claim, this.#session) : undefined;
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

  #proveSentence(claim: SentenceClaim): Proof {
    const found = searchViolation(violationOf(claim, this.#session), {
      ...{ session: this.#session, paths: this.#decisionPaths(), where: [], rules: this.#rules },
      decide: this.#decide,
    });
    return found.kind === 'refuted' ? this.#refuted(found.exchange) : found;
  }

  #decisionPaths(): readonly DecisionPath[] {
    const conditions = new RuleConditions(this.#session, this.#policy);
    this.#paths ??= decisionPaths(this.#policy, { session: this.#session, conditions });
    return this.#paths;
  }
}
