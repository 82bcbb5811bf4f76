import { EDGE_V2, extendProfile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import {
  analyzePolicy,
  type Claim,
  checkInvariant,
  invariantContext,
  type Rule,
  readInvariants,
} from '@tollgate/policy';
import { createSimulation, type Decision, exchangeExpression } from '@tollgate/simulator';
import { type PolicyContext, PolicyProver, type Proof } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, RULES, type RuleDocument } from './random-policies.ts';
import { SOLVER_CONDITIONS } from './solver-conditions.ts';

// Asks whether random invariants hold for random policies. What is proved is attacked with exchanges; what is refuted comes with an
// exchange, on which the invariant is evaluated again, with a decision that is read without the solver.

/** Number of policies; 100,000 with `TOLLGATE_SOLVER_CASES=100000`. */
const CASES = runs(12, 600, 'TOLLGATE_SOLVER_CASES');
/** Fixed unless `TOLLGATE_SOLVER_SEED` is set. */
const SEED = seed(20_261_124, 'TOLLGATE_SOLVER_SEED');
const ATTACKS = 120;

const PROFILES = [
  EDGE_V2,
  extendProfile(EDGE_V2, { switches: { responsePhaseAfterAnswer: 'run' } }),
  extendProfile(EDGE_V2, { switches: { evaluationError: 'fail-request' } }),
];

const MORE_ACTIONS = [
  [{ type: 'redirect', config: { from: '^http://', to: 'https://' } }],
  [{ type: 'redirect', config: { from: '/a', to: '/b', status_code: 301 } }],
  [{ type: 'custom-response', config: { status_code: 404 } }],
  [
    { type: 'log', config: { metadata: { a: '1' } } },
    { type: 'deny', config: { status_code: 403 } },
  ],
  [{ type: 'restrict-ips', config: { deny: ['10.0.0.0/8'], allow: ['0.0.0.0/0', '::/0'] } }, { type: 'deny' }],
  [{ type: 'restrict-ips', config: { allow: ['10.0.0.0/8'], enforce: true } }],
];

const OUTBOUND: readonly (readonly RuleDocument[])[] = [
  [],
  [{ expressions: ["res.StatusCode == '500'"], actions: [{ type: 'custom-response' }] }],
  [{ expressions: ["req.Method == 'GET'"], actions: [{ type: 'log' }] }],
];

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
  "decision.action in ['deny', 'redirect']",
  "decision.action == '' || 'x' in decision.names",
];

const SENTENCE = fc
  .tuple(fc.constantFrom(...DECISIONS), fc.constantFrom('&&', '||'), fc.constantFrom(...SOLVER_CONDITIONS))
  .map(([decision, operator, condition]) => `${decision} ${operator} (${condition})`);

const INVARIANT = fc.oneof(
  SENTENCE.map(never => ({ never })),
  SENTENCE.map(always => ({ always })),
  fc.tuple(fc.constantFrom(...SOLVER_CONDITIONS), fc.constantFrom(...DECISIONS)).map(([when, implies]) => ({
    when,
    implies,
  })),
  fc.constantFrom({ unreachable: 'inbound 1' }, { never_fails: 'inbound 1' }),
);

const CASE = fc.record({
  rules: RULES,
  actions: fc.array(fc.nat(12), { minLength: 6, maxLength: 6 }),
  outbound: fc.constantFrom(...OUTBOUND),
  profile: fc.constantFrom(...PROFILES),
  invariants: fc.array(INVARIANT, { minLength: 4, maxLength: 8 }),
  at: fc.nat(EXCHANGES.length - 1),
});

/** Reads a decision as the documentation of invariants describes it. */
function valuesOf(decision: Decision, rules: readonly Rule[]) {
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
  readonly decide: (exchange: Exchange) => Decided;
}

/** Returns whether an exchange violates a claim, without the solver. */
function violationOf(claim: Claim, { context, decide }: ViolationContext): (exchange: Exchange) => boolean {
  const evaluation = invariantContext(context.profile, context.endpoint);
  switch (claim.kind) {
    case 'unreachable':
      return exchange => decide(exchange).decision.rules[0]!.status === 'matched';
    case 'never_fails':
      return exchange => decide(exchange).decision.rules[0]!.status === 'failed';
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

it(`proves only what no exchange refutes (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const counts: Record<Proof['kind'], number> = { proved: 0, refuted: 0, unknown: 0 };
  fc.assert(
    fc.property(CASE, ({ rules, actions, outbound, profile, invariants, at }) => {
      const inbound = rules.map((rule, index) => ({
        ...rule,
        actions: MORE_ACTIONS[actions[index]! - 1] ?? rule.actions,
      }));
      const context = { ...CONTEXT, profile };
      const source = new SourceText('policy.json', JSON.stringify({ inbound, outbound }));
      const policy = analyzePolicy(source, context).policy!;
      const all = [...policy.rules.inbound, ...policy.rules.outbound];
      const simulation = createSimulation(policy, context);
      const prover = new PolicyProver(policy, context);
      const document = { policy: 'p.yaml', invariants: invariants.map((one, name) => ({ ...one, name: `${name}` })) };
      const written = new SourceText('p.invariants.json', JSON.stringify(document));
      const { root, value } = readInvariants(written);
      for (const [index, one] of value!.invariants.entries()) {
        const place = { source: written, root: root!, path: ['invariants', index] };
        const { claim } = checkInvariant(one, place, { policy, ...context }).invariant!;
        const isViolated = violationOf(claim, {
          context,
          decide: exchange => {
            const decision = simulation.decide(exchange);
            return { decision, values: { decision: valuesOf(decision, all) } };
          },
        });
        const proof = prover.prove(claim);
        counts[proof.kind]++;
        if (proof.kind === 'refuted')
          expect({ one, isViolated: isViolated(proof.exchange) }).toMatchObject({ isViolated: true });
        if (proof.kind !== 'proved') continue;
        for (let attack = 0; attack < ATTACKS; attack++) {
          const exchange = EXCHANGES[(at + attack * 61) % EXCHANGES.length]!;
          if (isViolated(exchange)) expect({ inbound, outbound, one, exchange }).toBe('violated by nothing');
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  // Most questions must be decided, or the claims above say little.
  const all = counts.proved + counts.refuted + counts.unknown;
  expect(counts.proved / all).toBeGreaterThan(0.1);
  expect(counts.refuted / all).toBeGreaterThan(0.2);
  expect(counts.unknown / all).toBeLessThan(0.25);
});
