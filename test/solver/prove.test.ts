import { EDGE_V2, extendProfile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { PolicyProver, type Proof } from '@tollgate/solver';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { claimsOf, INVARIANT, valuesOf, violationOf } from './claims.ts';
import { CONTEXT, RULES, type RuleDocument } from './random-policies.ts';

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

const CASE = fc.record({
  rules: RULES,
  actions: fc.array(fc.nat(12), { minLength: 6, maxLength: 6 }),
  outbound: fc.constantFrom(...OUTBOUND),
  profile: fc.constantFrom(...PROFILES),
  invariants: fc.array(INVARIANT, { minLength: 4, maxLength: 8 }),
  at: fc.nat(EXCHANGES.length - 1),
});

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
      for (const { one, claim } of claimsOf(invariants, policy, context)) {
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
