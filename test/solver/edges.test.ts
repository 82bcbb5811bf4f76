import type { Policy } from '@tollgate/policy';
import { beginEdgeRun, type Edge, type Route, readEdge } from '@tollgate/simulator';
import { EdgeProver, type Proof } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { claimsOf, INVARIANT, valuesOf, violationOf } from './claims.ts';
import { CONTEXT, policyOf, RULES } from './random-policies.ts';

// Asks whether random invariants hold for random edges. What is proved is attacked with exchanges; what is refuted comes with an exchange,
// which the edge decides again.

/** Number of edges; 20,000 with `TOLLGATE_SOLVER_CASES=20000`. */
const CASES = runs(3, 300, 'TOLLGATE_SOLVER_CASES');
/** Fixed unless `TOLLGATE_SOLVER_SEED` is set. */
const SEED = seed(20_261_126, 'TOLLGATE_SOLVER_SEED');
const ATTACKS = 120;

const MATCHES = ['/', '/a', '/admin', '/admin/', 'example.com', 'EXAMPLE.com/a', 'a.example/', 'b.example:80/x'];

const MODULES: readonly object[] = [
  {},
  {},
  { user_agent_filter: { allow: [], deny: ['(?i)bot', '('] } },
  { user_agent_filter: { allow: ['^a', 'x$'], deny: [] } },
  { request_headers: { add: { X: '1' }, remove: ['Y'] } },
  { response_headers: { add: { X: '1' } }, compression: {} },
  { circuit_breaker: { error_threshold_percentage: 0.5 } },
  { websocket_tcp_converter: {} },
  { ip_restriction: { ip_policy_ids: ['ipp_1'] } },
  { oidc: { options_passthrough: true } },
  { webhook_verification: { provider: 'github' } },
];

const ROUTE = fc.record({
  match: fc.constantFrom(...MATCHES),
  match_type: fc.constantFrom('path_prefix', 'exact_path'),
  modules: fc.constantFrom(...MODULES),
  rules: fc.option(RULES, { nil: undefined }),
});

const CASE = fc.record({
  routes: fc.array(ROUTE, { minLength: 1, maxLength: 4 }),
  invariants: fc.array(
    INVARIANT.filter(one => !('unreachable' in one || 'never_fails' in one)),
    { minLength: 3, maxLength: 6 },
  ),
  at: fc.nat(EXCHANGES.length - 1),
});

it(`proves of edges only what no exchange refutes (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const counts: Record<Proof['kind'], number> = { proved: 0, refuted: 0, unknown: 0 };
  fc.assert(
    fc.property(CASE, ({ routes, invariants, at }) => {
      const read = readEdge({ routes: routes.map(({ modules, rules: _, ...route }) => ({ ...route, ...modules })) });
      const edge = 'edge' in read ? read.edge : expect.fail(read.faults.join());
      const policies = new Map(
        edge.routes.flatMap((route, index): [Route, Policy][] => {
          const { rules } = routes[index]!;
          return rules === undefined ? [] : [[route, policyOf(rules)]];
        }),
      );
      const prover = new EdgeProver(edge, policies, CONTEXT);
      for (const { one, claim } of claimsOf(invariants, policyOf([]), CONTEXT)) {
        const isViolated = (exchange: Exchange) => isViolatedBy(exchange, { edge, policies, claim });
        const proof = prover.prove(claim);
        counts[proof.kind]++;
        if (proof.kind === 'refuted')
          expect({ one, isViolated: isViolated(proof.exchange) }).toMatchObject({ isViolated: true });
        if (proof.kind !== 'proved') continue;
        for (let attack = 0; attack < ATTACKS; attack++) {
          const exchange = EXCHANGES[(at + attack * 61) % EXCHANGES.length]!;
          if (isViolated(exchange)) expect({ routes, one, exchange }).toBe('violated by nothing');
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  // Most questions must be decided, or the claims above say little.
  const all = counts.proved + counts.refuted + counts.unknown;
  expect(counts.proved / all).toBeGreaterThan(0.05);
  expect(counts.refuted / all).toBeGreaterThan(0.2);
  expect(counts.unknown / all).toBeLessThan(0.4);
});

interface EdgeClaim {
  readonly edge: Edge;
  readonly policies: ReadonlyMap<Route, Policy>;
  readonly claim: Parameters<typeof violationOf>[0];
}

/** What no route takes violates nothing. */
function isViolatedBy(exchange: Exchange, { edge, policies, claim }: EdgeClaim): boolean {
  const decided = beginEdgeRun(edge, policies, CONTEXT).decide(exchange);
  if (decided.kind !== 'routed') return false;
  const { decision, route } = decided;
  const rules = policies.get(route)?.rules.inbound ?? [];
  const decide = () => ({ decision, values: { decision: valuesOf(decision, rules) } });
  return violationOf(claim, { context: CONTEXT, rules, decide })(exchange);
}
