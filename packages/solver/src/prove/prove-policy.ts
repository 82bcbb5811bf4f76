// Proofs about the decisions of one policy: a claim holds, or a request violates it.

import { type Expr, type TypedAst, Unknown } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { type Claim, type Expectation, invariantContext, OUTCOMES, type Policy, type Rule } from '@tollgate/policy';
import {
  createSimulation,
  type Decision,
  dependsOnOrder,
  exchangeExpression,
  type Route,
  type Simulation,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/formula.ts';
import {
  addBatch,
  firstDecisions,
  MAX_UNSEEN,
  type MatchAnswer,
  NOT_CONFIRMED,
  notConfirmed,
  ONE_BY_ONE,
  PolicyQuestions,
} from '../policy/can-match.ts';
import { simplifyExchange } from '../policy/exchange.ts';
import { RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import { readCondition } from '../reader/read-condition.ts';
import { type DecisionPath, decisionPaths, decisionValues, labelOf, type RuleEnd } from './decision-paths.ts';

/** Whether a policy does to all well-formed traffic what is claimed of it. */
export type Proof =
  /** It does; these rules are needed for it. */
  | { readonly kind: 'proved'; readonly because: readonly Rule[] }
  /** An exchange that contradicts it, confirmed by the simulator. */
  | {
      readonly kind: 'refuted';
      readonly exchange: Exchange;
      /** Which of equal exchanges contradicts it, where counters keep the first ones from that: 6 for the sixth. */
      readonly times?: number;
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
  readonly #session: SolverSession;
  readonly #questions: PolicyQuestions;
  readonly #rules: readonly Rule[];
  readonly #decide: (exchange: Exchange) => Decision;
  #paths: readonly DecisionPath[] | undefined;
  #simulation: Simulation | undefined;

  constructor(policy: Policy, context: PolicyContext) {
    this.#policy = policy;
    this.#session = new SolverSession(context);
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
        return this.#ofRule(claim.rule, 'matched', rule => this.#questions.canMatch(rule));
      case 'never_fails':
        return this.#ofRule(claim.rule, 'failed', rule => this.#questions.canFail(rule));
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
  expectationFor(claim: Claim, exchange: Exchange, times = 1): Expectation | undefined {
    const violation = 'typed' in claim ? violationOf(claim, this.#session) : undefined;
    const decision = times === 1 ? this.#decide(exchange) : this.#repeated(exchange, times);
    const values = decisionValues(decision, this.#rules);
    const isViolated = (changed: DecisionValues) => violation?.isShownBy(exchange, changed) ?? true;
    return expectedDecision(claim, values, { rules: this.#rules, isViolated });
  }

  #ofRule(rule: Rule, status: 'matched' | 'failed', ask: (rule: Rule) => MatchAnswer): Proof {
    // Nothing runs.
    if (!this.#policy.enabled) return { kind: 'proved', because: [] };
    const answer = ask(rule);
    switch (answer.kind) {
      case 'impossible':
        return { kind: 'proved', because: answer.because };
      case 'possible':
        return this.#refuted(answer.exchange);
      case 'unknown':
        return this.#repetition(
          answer.tried ?? [],
          (_, { rules }) => rules[this.#rules.indexOf(rule)]?.status === status,
          [answer.reason],
        );
    }
  }

  /**
   * Refutes a claim by equal exchanges, if counters keep the first ones from showing that: a rate limit answers, and its answer has a response
   * phase. Otherwise it stays open for these reasons.
   */
  #repetition(
    tried: readonly Exchange[],
    isShown: (exchange: Exchange, decision: Decision) => boolean,
    reasons: readonly string[],
  ): Proof {
    if (tried.length === 0 || dependsOnOrder(this.#policy) === undefined) return { kind: 'unknown', reasons };
    for (const exchange of tried.slice(0, MAX_REPEATED)) {
      const run = this.#begin();
      for (let times = 1; times <= MAX_REPEATS; times++) {
        if (!isShown(exchange, run.decide(exchange))) continue;
        const simple = simplifyExchange(exchange, one => isShown(one, this.#repeated(one, times)));
        const decision = this.#repeated(simple, times);
        return { kind: 'refuted', exchange: simple, times, decision, rules: this.#matchedBy(decision) };
      }
    }
    return { kind: 'unknown', reasons: [...reasons, `the first ${MAX_REPEATS} of equal requests do not show it`] };
  }

  /** Returns the decision on the last of equal exchanges. */
  #repeated(exchange: Exchange, times: number): Decision {
    const run = this.#begin();
    for (let sent = 1; sent < times; sent++) run.decide(exchange);
    return run.decide(exchange);
  }

  #begin(): ReturnType<Simulation['begin']> {
    const { profile, environments } = this.#session.context;
    this.#simulation ??= createSimulation(this.#policy, { profile, environments });
    return this.#simulation.begin();
  }

  #refuted(exchange: Exchange): Extract<Proof, { kind: 'refuted' }> {
    const decision = this.#decide(exchange);
    return { kind: 'refuted', exchange, decision, rules: this.#matchedBy(decision) };
  }

  #matchedBy({ rules }: Decision): readonly Rule[] {
    return this.#rules.filter((_, at) => rules[at]!.status === 'matched');
  }

  #proveSentence(claim: SentenceClaim): Proof {
    const violation = violationOf(claim, this.#session);
    const found = searchViolation(violation, {
      session: this.#session,
      paths: this.#decisionPaths(),
      where: [],
      rules: this.#rules,
      decide: this.#decide,
    });
    if (found.kind === 'refuted') return this.#refuted(found.exchange);
    if (found.kind === 'proved') return found;
    const isShown = (exchange: Exchange, decision: Decision) =>
      violation.isShownBy(exchange, decisionValues(decision, this.#rules));
    return this.#repetition(found.tried, isShown, found.reasons);
  }

  #decisionPaths(): readonly DecisionPath[] {
    const conditions = new RuleConditions(this.#session, this.#policy);
    this.#paths ??= decisionPaths(this.#policy, { session: this.#session, conditions });
    return this.#paths;
  }
}

/** Exchanges that are repeated, and how often: limits of more requests are rare. */
const MAX_REPEATED = 3;
const MAX_REPEATS = 1100;

/** What a claim is about: all exchanges that a policy decides, or those of them for which signals hold. */
export interface ClaimScope {
  readonly session: SolverSession;
  /** All ways that the evaluation can go. */
  readonly paths: readonly DecisionPath[];
  readonly where: readonly Signal[];
  /** Of all phases, in the order of the results of a decision. */
  readonly rules: readonly Rule[];
  /** Undefined for an exchange that is out of scope. */
  readonly decide: (exchange: Exchange) => Decision | undefined;
}

/** What a search for a violation of a claim found. */
type SearchResult =
  | { readonly kind: 'proved'; readonly because: readonly Rule[] }
  | { readonly kind: 'refuted'; readonly exchange: Exchange }
  | {
      readonly kind: 'unknown';
      readonly reasons: readonly string[];
      /** Exchanges that would violate it if an action did what the solver does not interpret. */
      readonly tried: readonly Exchange[];
    };

/** Looks for an exchange in scope that violates a claim. */
export function searchViolation(violation: Violation, scope: ClaimScope): SearchResult {
  const contradicts = (exchange: Exchange) => {
    const decision = scope.decide(exchange);
    return decision !== undefined && violation.isShownBy(exchange, decisionValues(decision, scope.rules));
  };
  const [because, reasons] = [new Set<Rule>(), new Set<string>()];
  const tried: Exchange[] = [];
  for (const path of scope.paths) {
    const answer = searchPath(path, violation.on(path), { ...scope, contradicts });
    if (answer.kind === 'refuted') return { ...answer, exchange: simplifyExchange(answer.exchange, contradicts) };
    if (answer.kind === 'unknown') {
      for (const reason of answer.reasons) reasons.add(reason);
      tried.push(...answer.tried);
    } else for (const rule of answer.because) because.add(rule);
  }
  if (reasons.size > 0) return { kind: 'unknown', reasons: [...reasons], tried };
  return { kind: 'proved', because: scope.rules.filter(rule => because.has(rule)) };
}

interface PathScope extends ClaimScope {
  readonly contradicts: (exchange: Exchange) => boolean;
}

/** Looks for an exchange on a path. Ends that the path passes are excluded only when they take an exchange; those of modules always. */
function searchPath(path: DecisionPath, violation: Signal, scope: PathScope): SearchResult {
  const { session, where, rules } = scope;
  const goals = [violation, ...where, ...path.taken.map(end => end.holds())];
  const excluded = new Set(path.passed.filter(end => !rules.includes(end.rule)));
  for (let round = 1; ; round++) {
    const answer = session.ask([...goals, ...[...excluded].map(end => -end.holds())]);
    if (answer.kind === 'unknown') return { kind: 'unknown', reasons: [answer.reason], tried: [] };
    if (answer.kind === 'impossible') {
      const needed = [...excluded, ...path.taken].filter(end =>
        [end.holds(), -end.holds()].some(signal => answer.needed.includes(signal)),
      );
      return { kind: 'proved', because: needed.map(end => end.rule) };
    }
    const exchange = answer.exchanges.find(scope.contradicts);
    if (exchange !== undefined) return { kind: 'refuted', exchange };
    const taker = takerOf(answer.exchanges, path.passed, scope, excluded);
    // The exchange does not show which end it takes, but the ends may leave nothing.
    if (taker === undefined && (excluded.size === path.passed.length || excluded.size >= MAX_UNSEEN))
      return { kind: 'unknown', reasons: [notConfirmed(answer.assumed)], tried: answer.exchanges };
    if (taker !== undefined) excluded.add(taker);
    if (taker === undefined || round >= ONE_BY_ONE)
      addBatch(excluded, path.passed, 2 ** Math.max(0, round - ONE_BY_ONE));
  }
}

/** Returns an end that the path passes, but one of the exchanges takes. */
function takerOf(
  exchanges: readonly Exchange[],
  passed: readonly RuleEnd[],
  scope: ClaimScope,
  excluded: ReadonlySet<RuleEnd>,
): RuleEnd | undefined {
  for (const exchange of exchanges) {
    const results = scope.decide(exchange)?.rules ?? [];
    const taker = passed.find(end => !excluded.has(end) && isTaken(end, results[scope.rules.indexOf(end.rule)]));
    if (taker !== undefined) return taker;
  }
  return undefined;
}

function isTaken({ outcome, actions }: RuleEnd, result: Decision['rules'][number] | undefined): boolean {
  if (outcome === 'failed') return result?.status === 'failed';
  return result?.status === 'matched' && result.actions[actions - 1]?.ending !== undefined;
}

/** What contradicts a claim. */
interface Violation {
  /** Returns the signal that holds on a path wherever the claim is violated. */
  readonly on: (path: DecisionPath) => Signal;
  /** Returns true if an exchange with this decision violates the claim. */
  readonly isShownBy: (exchange: Exchange, decision: DecisionValues) => boolean;
}

/** A claim that is written as expressions. */
type SentenceClaim = Extract<Claim, { readonly typed: TypedAst }>;

/** A claim about one rule. */
type RuleClaim = Exclude<Claim, SentenceClaim>;

/** Returns what contradicts a claim that is written as expressions. */
export function violationOf(claim: SentenceClaim, session: SolverSession): Violation {
  const { profile, endpoint } = session.context;
  const context = invariantContext(profile, endpoint);
  const evaluate = exchangeExpression(claim.typed, context);
  const evaluateWhen = claim.kind === 'implies' ? exchangeExpression(claim.when, context) : undefined;
  return {
    on: ({ definitionOf }) => {
      const reading = { ...session.reading(context.place.phase), versionOf: () => '', definitionOf };
      const read = (typed: TypedAst) => readCondition(typed, context.environment, reading).whenTrue;
      const claimed = read(claim.typed);
      if (claim.kind === 'implies') return session.vocabulary.graph.and([read(claim.when), -claimed]);
      return claim.kind === 'never' ? claimed : -claimed;
    },
    isShownBy: (exchange, decision) => {
      const claimed = evaluate(exchange, { decision });
      if (claim.kind === 'never') return claimed === true;
      if (claimed === true || claimed instanceof Unknown) return false;
      return evaluateWhen === undefined || evaluateWhen(exchange, { decision }) === true;
    },
  };
}

/** Returns what contradicts a claim about a rule: a decision in which it matches, or fails. */
export function ruleViolation({ kind, rule }: RuleClaim, session: SolverSession): Violation {
  const key = kind === 'unreachable' ? 'rules' : 'failed';
  const label = labelOf(rule);
  return {
    on: ({ definitionOf }) => {
      const definition = definitionOf(`decision.${key}`);
      const members = definition?.kind === 'members' ? definition.members : [];
      return session.vocabulary.graph.or(members.filter(({ text }) => text === label).map(({ when }) => when));
    },
    isShownBy: (_, { [key]: rules }) => Array.isArray(rules) && rules.includes(label),
  };
}

/** The value of `decision` in invariants. */
type DecisionValues = Readonly<Record<string, unknown>>;

/**
 * Returns what a policy test can expect of an exchange that violates a claim: the first change of the decision after which it no longer
 * does. Undefined if no change of one part suffices.
 */
function expectedDecision(
  claim: Claim,
  values: DecisionValues,
  { rules, isViolated }: { readonly rules: readonly Rule[]; readonly isViolated: (values: DecisionValues) => boolean },
): Expectation | undefined {
  switch (claim.kind) {
    case 'unreachable':
      return { rules: { [keyOf(claim.rule, rules)]: 'not-matched' } };
    case 'never_fails':
      return { rules: { [keyOf(claim.rule, rules)]: 'matched' } };
    default: {
      const read = claim.kind === 'implies' ? [claim.when, claim.typed] : [claim.typed];
      const literals = read.flatMap(({ ast }: TypedAst) => literalsIn(ast.root));
      return changesOf(values, literals, rules).find(change => !isViolated({ ...values, ...change.values }))?.expected;
    }
  }
}

/** Returns a unique name of a rule for a policy test. */
function keyOf(rule: Rule, rules: readonly Rule[]): string {
  const name = rule.name?.value;
  const isUnique = rules.filter(other => other.name?.value === name).length === 1;
  return name !== undefined && isUnique ? name : `${rule.phase} ${rule.index + 1}`;
}

interface DecisionChange {
  readonly values: DecisionValues;
  readonly expected: Expectation;
}

function changesOf(
  values: DecisionValues,
  literals: readonly unknown[],
  rules: readonly Rule[],
): readonly DecisionChange[] {
  const isAsked = values.reachesUpstream === true;
  const statuses = literals.filter(literal => typeof literal === 'bigint').map(Number);
  const kinds = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).filter(kind => kind !== values.outcome);
  const named = rules.filter(rule => literals.includes(labelOf(rule)) || literals.includes(rule.name?.value));
  return [
    { values: { reachesUpstream: !isAsked }, expected: { upstream: { asked: !isAsked } } },
    ...statuses.map(status => ({ values: { status }, expected: { status } })),
    ...kinds.map(kind => ({ values: { outcome: kind }, expected: { outcome: kind } })),
    ...named.map(rule => changeOfRule(rule, values, rules)),
  ];
}

function changeOfRule(rule: Rule, values: DecisionValues, rules: readonly Rule[]): DecisionChange {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const [matched, names] = [list(values.rules), list(values.names)];
  const [label, name] = [labelOf(rule), rule.name?.value];
  const key = keyOf(rule, rules);
  if (matched.includes(label)) {
    const others = { rules: matched.filter(one => one !== label), names: names.filter(one => one !== name) };
    return { values: others, expected: { rules: { [key]: 'not-matched' } } };
  }
  const all = { rules: [...matched, label], names: name === undefined ? names : [...names, name] };
  return { values: all, expected: { rules: { [key]: 'matched' } } };
}

function literalsIn(expr: Expr): readonly unknown[] {
  if (expr.kind === 'literal') return [expr.literal.type === 'int' ? BigInt(expr.literal.value) : expr.literal.value];
  return childrenOf(expr).flatMap(literalsIn);
}
