import { Unknown } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { type Claim, checkInvariant, invariantContext, type Policy, type Rule, readInvariants } from '@tollgate/policy';
import { type Decision, exchangeExpression } from '@tollgate/simulator';
import type { PolicyContext } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { SOLVER_CONDITIONS } from './solver-conditions.ts';

const DECISIONS = [
  'decision.reachesUpstream',
  '!decision.reachesUpstream',
  "decision.outcome == 'denied'",
  "decision.outcome in ['passed', 'refused']",
  "decision.outcome.startsWith('re')",
  'decision.status == 403',
  'decision.status >= 400',
  "'deny' in decision.actions",
  "'log' in decision.actions",
  "'inbound 1' in decision.rules",
  "!('inbound 2' in decision.rules)",
  "'inbound 1' in decision.failed",
  "'outbound 1' in decision.rules && decision.outcome != 'passed'",
  "decision.action in ['deny', 'redirect']",
  "decision.action == '' || 'x' in decision.names",
];

/** Returns invariants as written, without their names, over conditions of a profile whose phases have these names. */
export function invariantsOver(conditions: readonly string[], [request, response]: readonly [string, string]) {
  const decision = fc
    .constantFrom(...DECISIONS)
    .map(one => one.replaceAll('inbound', request).replaceAll('outbound', response));
  const condition = fc.constantFrom(...conditions);
  const sentence = fc
    .tuple(decision, fc.constantFrom('&&', '||'), condition)
    .map(([decided, operator, one]) => `${decided} ${operator} (${one})`);
  return fc.oneof(
    sentence.map(never => ({ never })),
    sentence.map(always => ({ always })),
    fc.tuple(condition, decision).map(([when, implies]) => ({ when, implies })),
    fc.constantFrom({ unreachable: `${request} 1` }, { never_fails: `${request} 1` }, { unreachable: `${response} 1` }),
  );
}

/** Invariants as written about policies of the oldest profile. */
export const INVARIANT = invariantsOver(SOLVER_CONDITIONS, ['inbound', 'outbound']);

/** Checks invariants as a file would contain them. */
export function claimsOf(
  invariants: readonly object[],
  policy: Policy,
  context: PolicyContext,
): readonly { readonly one: object; readonly claim: Claim }[] {
  const document = { policy: 'p.yaml', invariants: invariants.map((one, name) => ({ ...one, name: `${name}` })) };
  const source = new SourceText('p.invariants.json', JSON.stringify(document));
  const { root, value } = readInvariants(source);
  return value!.invariants.flatMap((one, index) => {
    const place = { source, root: root!, path: ['invariants', index] };
    // A policy may have no such rule.
    const { invariant } = checkInvariant(one, place, { policy, ...context });
    return invariant === undefined ? [] : [{ one, claim: invariant.claim }];
  });
}

/** Reads a decision as the documentation of invariants describes it. */
export function valuesOf(decision: Decision, rules: readonly Rule[]) {
  const names = (status: string) =>
    rules.flatMap((rule, at) => (decision.rules[at]!.status === status ? [`${rule.phase} ${rule.index + 1}`] : []));
  const actions = rules.flatMap(({ actions: own }, at) => {
    const result = decision.rules[at]!;
    return result.status === 'matched' ? own.slice(0, result.actions.length).map(({ type }) => type.value) : [];
  });
  const unknown = new Unknown(['a part of the decision']);
  const isOneOutcome = decision.outcomes.length === 1;
  const lists = { actions, rules: names('matched'), names: [], failed: names('failed') };
  const isListed = decision.rules.every(({ status }) => status !== 'undetermined');
  return {
    reachesUpstream: decision.upstream.isAsked ?? unknown,
    outcome: isOneOutcome ? decision.outcomes[0]!.kind : unknown,
    status: isOneOutcome ? (decision.response?.status ?? 0) : unknown,
    action: isOneOutcome ? (decision.outcomes[0]!.action ?? '') : unknown,
    ...(isListed ? lists : { actions: unknown, rules: unknown, names: unknown, failed: unknown }),
  };
}

interface Decided {
  readonly decision: Decision;
  readonly values: Readonly<Record<string, unknown>>;
}

interface ViolationContext {
  readonly context: PolicyContext;
  readonly rules: readonly Rule[];
  readonly decide: (exchange: Exchange) => Decided;
}

/** Returns whether an exchange violates a claim, without the solver. */
export function violationOf(
  claim: Claim,
  { context, rules, decide }: ViolationContext,
): (exchange: Exchange) => boolean {
  const evaluation = invariantContext(context.profile, context.endpoint);
  switch (claim.kind) {
    case 'unreachable':
      return exchange => decide(exchange).decision.rules[rules.indexOf(claim.rule)]!.status === 'matched';
    case 'never_fails':
      return exchange => decide(exchange).decision.rules[rules.indexOf(claim.rule)]!.status === 'failed';
    case 'never': {
      const evaluate = exchangeExpression(claim.typed, evaluation);
      return exchange => evaluate(exchange, decide(exchange).values) === true;
    }
    case 'always': {
      const evaluate = exchangeExpression(claim.typed, evaluation);
      return exchange => isOtherThanTrue(evaluate(exchange, decide(exchange).values));
    }
    case 'implies': {
      const when = exchangeExpression(claim.when, evaluation);
      const evaluate = exchangeExpression(claim.typed, evaluation);
      return exchange => {
        const { values } = decide(exchange);
        return when(exchange, values) === true && isOtherThanTrue(evaluate(exchange, values));
      };
    }
  }
}

/** What is unknown violates nothing. */
function isOtherThanTrue(value: unknown): boolean {
  return value !== true && !(value instanceof Unknown);
}
