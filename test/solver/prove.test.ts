import { EDGE_V2, extendProfile, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision } from '@tollgate/simulator';
import { exchangeText, PolicyProver, type Proof } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES, MODERN_CONDITIONS } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { claimsOf, INVARIANT, invariantsOver, valuesOf, violationOf } from './claims.ts';
import { CONTEXT, RULES, type RuleDocument, relatedRules } from './random-policies.ts';

// Asks whether random invariants hold for random policies, half of them in the modern profile. What is proved is attacked with exchanges;
// what is refuted comes with an exchange, on which the invariant is evaluated again, with a decision that is read without the solver.

/** Number of policies of each kind; 100,000 with `TOLLGATE_SOLVER_CASES=100000`. */
const CASES = runs(2, 600, 'TOLLGATE_SOLVER_CASES');
/** Fixed unless `TOLLGATE_SOLVER_SEED` is set. */
const SEED = seed(20_261_124, 'TOLLGATE_SOLVER_SEED');
const ATTACKS = runs(120, 120, 'TOLLGATE_SOLVER_ATTACKS');

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

const LIMIT = { name: 'a', algorithm: 'sliding_window', capacity: 2, rate: '60s', bucket_key: ['conn.client_ip'] };

/** Also actions that keep counters, set variables, or end the policy elsewhere. */
const MODERN_ACTIONS = [
  ...MORE_ACTIONS,
  [{ type: 'rate-limit', config: LIMIT }],
  [{ type: 'set-vars', config: { vars: [{ a: '1' }] } }],
  [{ type: 'forward-internal', config: { url: 'https://a.internal' } }],
  [{ type: 'forward-internal', config: { url: 'https://a.internal', on_error: 'continue' } }, { type: 'deny' }],
  [{ type: 'redirect', config: { to: 'https://e.co/x' } }],
  [{ type: 'redirect', config: { to: 'https://e.co${req.url.uri}' } }],
  [{ type: 'redirect', config: { to: '${req.url}' } }, { type: 'deny' }],
  [{ type: 'close-connection' }],
];

const RESPONSES: readonly (readonly RuleDocument[])[] = [
  [],
  [{ expressions: ["res.StatusCode == '500'"], actions: [{ type: 'custom-response' }] }],
  [{ expressions: ["req.Method == 'GET'"], actions: [{ type: 'log' }] }],
];

const MODERN_RESPONSES: readonly (readonly RuleDocument[])[] = [
  [],
  [{ expressions: ['res.status_code >= 400'], actions: [{ type: 'custom-response' }] }],
  [{ expressions: ["req.method == 'GET'"], actions: [{ type: 'log' }] }],
  [{ expressions: [], actions: [{ type: 'log' }] }],
  [{ expressions: ["'a' in vars"], actions: [{ type: 'log' }] }],
];

/** Also on variables, which belong to a phase. */
const LATER_CONDITIONS = [...MODERN_CONDITIONS, "'a' in vars", "vars.a == '1'", "'a' in vars && vars.a == req.method"];

const CHOICES = { actions: fc.array(fc.nat(20), { minLength: 6, maxLength: 6 }), at: fc.nat(EXCHANGES.length - 1) };
const SEVERAL = { minLength: 4, maxLength: 8 };

const OLDER = fc.record({
  ...CHOICES,
  rules: RULES,
  more: fc.constant<readonly (readonly object[])[]>(MORE_ACTIONS),
  responses: fc.constantFrom(...RESPONSES),
  profile: fc.constantFrom<Profile>(...PROFILES),
  invariants: fc.array<object>(INVARIANT, SEVERAL),
});

const LATER = fc.record({
  ...CHOICES,
  rules: relatedRules(LATER_CONDITIONS),
  more: fc.constant<readonly (readonly object[])[]>(MODERN_ACTIONS),
  responses: fc.constantFrom(...MODERN_RESPONSES),
  profile: fc.constant<Profile>(MODERN),
  invariants: fc.array<object>(invariantsOver(LATER_CONDITIONS, ['on_http_request', 'on_http_response']), SEVERAL),
});

it.each([
  ['older profiles', OLDER],
  ['the modern profile', LATER],
])(`proves only what no exchange refutes, in %s (seed ${SEED})`, { timeout: 3_600_000 }, (_, cases) => {
  const counts: Record<Proof['kind'], number> = { proved: 0, refuted: 0, unknown: 0 };
  fc.assert(
    fc.property(cases, ({ rules, more, actions, responses, profile, invariants, at }) => {
      const requests = rules.map((rule, index) => ({ ...rule, actions: more[actions[index]! - 1] ?? rule.actions }));
      const [request, response] =
        profile === MODERN ? (['on_http_request', 'on_http_response'] as const) : (['inbound', 'outbound'] as const);
      const { endpoint } = CONTEXT;
      const context = { profile, endpoint, environments: createPhaseEnvironments(profile, endpoint) };
      const document = { [request]: requests, [response]: responses };
      const policy = analyzePolicy(new SourceText('policy.json', JSON.stringify(document)), context).policy!;
      const all = profile.phases.flatMap(phase => policy.rules[phase]);
      const simulation = createSimulation(policy, context);
      const prover = new PolicyProver(policy, context);
      for (const { one, claim } of claimsOf(invariants, policy, context)) {
        const violatedBy = (decide: (exchange: Exchange) => Decision) =>
          violationOf(claim, {
            ...{ context, rules: all },
            decide: exchange => {
              const decision = decide(exchange);
              return { decision, values: { decision: valuesOf(decision, all) } };
            },
          });
        const proof = prover.prove(claim);
        counts[proof.kind]++;
        if (proof.kind === 'refuted') {
          const { exchange, times = 1 } = proof;
          // Decided as the last of equal exchanges, of one as a rule.
          const last = (again: Exchange) => {
            const run = simulation.begin();
            for (let sent = 1; sent < times; sent++) run.decide(again);
            return run.decide(again);
          };
          expect({ document, one, isViolated: violatedBy(last)(exchange) }).toMatchObject({ isViolated: true });
          const { outcomes, rules: results } = last(exchange);
          expect(proof.decision.outcomes).toEqual(outcomes);
          expect(proof.decision.rules.map(({ status }) => status)).toEqual(results.map(({ status }) => status));
        }
        if (proof.kind !== 'proved') continue;
        // Counters see the exchanges one after the other.
        const isViolated = violatedBy(simulation.begin().decide);
        for (let attack = 0; attack < ATTACKS; attack++) {
          const exchange = EXCHANGES[(at + attack * 61) % EXCHANGES.length]!;
          if (isViolated(exchange)) expect({ document, one, exchange }).toBe('violated by nothing');
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  // Most questions must be decided, or the claims above say little.
  const sum = counts.proved + counts.refuted + counts.unknown;
  expect(counts.proved / sum).toBeGreaterThan(0.1);
  expect(counts.refuted / sum).toBeGreaterThan(0.15);
  expect(counts.unknown / sum).toBeLessThan(0.3);
});

// What a rate limit answers has a response phase in the modern profile, so that a rule there is reached although a deny takes all other requests.
it.each([
  [MODERN, 'refuted'],
  [extendProfile(MODERN, { switches: { responsePhaseAfterAnswer: 'skipped' } }), 'proved'],
] as const)('says of a response rule behind a rate limit and a deny what the counter does (%#)', (profile, kind) => {
  const own = "req.url.path.startsWith('/a')";
  const text = JSON.stringify({
    on_http_request: [
      { expressions: [own], actions: [{ type: 'rate-limit', config: LIMIT }] },
      { expressions: [own], actions: [{ type: 'deny' }] },
    ],
    on_http_response: [{ expressions: [own], actions: [{ type: 'log' }] }],
  });
  const environments = createPhaseEnvironments(profile, 'http-endpoint');
  const context = { profile, endpoint: 'http-endpoint', environments } as const;
  const policy = analyzePolicy(new SourceText('p.json', text), context).policy!;
  const [rule] = policy.rules.on_http_response;
  const proof = new PolicyProver(policy, context).prove({ kind: 'unreachable', rule: rule! });
  expect(proof.kind).toBe(kind);
  if (proof.kind !== 'refuted') return;
  expect([proof.times, exchangeText(proof.exchange)]).toEqual([3, 'GET https://example.com/a from 198.51.100.7']);
});
