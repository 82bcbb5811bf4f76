import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type PhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../schemas/generated-policy.ts';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { conditionsIn } from './generated-rules.ts';

const ENVIRONMENTS = new Map(
  [EDGE_V2, MODERN].map(profile => [profile.name, createPhaseEnvironments(profile, 'https-route')]),
);

function runOf(policy: Json, profile: Profile) {
  const environments: PhaseEnvironments = ENVIRONMENTS.get(profile.name)!;
  const source = new SourceText('p', JSON.stringify(policy));
  const analysis = analyzePolicy(source, { profile, endpoint: 'https-route', environments });
  expect(analysis.diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  return createSimulation(analysis.policy!, { profile, environments }).begin();
}

function limit(capacity: number, key: string): Json {
  const config = { name: 'a', algorithm: 'sliding_window', capacity, rate: '60s', bucket_key: [key] };
  return { type: 'rate-limit', config };
}

const BREAKER: Json = {
  type: 'circuit-breaker',
  config: { error_threshold: 0.5, volume_threshold: 3, window_duration: '10s', tripped_duration: '5s' },
};

/** Seconds at which requests come from one address, and what becomes of them. */
function ends(decisions: readonly Decision[]): string[] {
  return decisions.map(({ outcomes }) =>
    outcomes.map(({ kind, status }) => `${kind} ${status ?? ''}`.trim()).join(' or '),
  );
}

const AT_NOON: Exchange = {
  place: { file: 'a', number: 1, unit: 'line' },
  time: 0,
  clientIp: '192.0.2.1',
  tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
  method: 'GET',
  target: '/',
  url: 'https://e.co/',
  protocol: 'HTTP/1.1',
  requestHeaders: { fields: [], absent: [], complete: true, withheld: [] },
  response: { status: 200, headers: { fields: [], absent: [], complete: true, withheld: [] }, bodySize: 0 },
};

describe('limits in a run', () => {
  it('refuse who comes too often, and say when there is room again', () => {
    const run = runOf({ on_http_request: [{ actions: [limit(2, 'conn.client_ip')] }] }, MODERN);
    const decisions = [0, 1, 2, 30, 60].map(second => run.decide({ ...AT_NOON, time: second * 1000 }));
    expect(ends(decisions)).toEqual(['passed', 'passed', 'refused 429', 'refused 429', 'passed']);
    expect(decisions[3]!.response!.headers['retry-after']).toEqual(['30']);
    expect(decisions[3]!.upstream.isAsked).toBe(false);
    expect(ends([run.decide({ ...AT_NOON, time: 61_000, clientIp: '192.0.2.2' })])).toEqual(['passed']);
  });

  it('refuse while the circuit is open', () => {
    const run = runOf({ on_http_request: [{ actions: [BREAKER] }] }, MODERN);
    const failing = { ...AT_NOON, response: { ...AT_NOON.response!, status: 502 } };
    const times = [0, 1, 2, 3, 6, 7, 8];
    const decisions = times.map(second => run.decide({ ...(second < 3 ? failing : AT_NOON), time: second * 1000 }));
    expect(ends(decisions)).toEqual([...Array(3).fill('passed'), 'refused 503', 'refused 503', 'passed', 'passed']);
  });

  it('take exchanges that come late to come at the time of the last', () => {
    const run = runOf({ on_http_request: [{ actions: [limit(1, 'conn.client_ip')] }] }, MODERN);
    expect(ends([60, 59, 119, 120].map(second => run.decide({ ...AT_NOON, time: second * 1000 })))).toEqual([
      ...['passed', 'refused 429', 'refused 429', 'passed'],
    ]);
    expect(run.late()).toBe(1);
  });

  it('are not known where exchanges are decided individually', () => {
    const policy = { on_http_request: [{ actions: [limit(1, 'conn.client_ip'), BREAKER] }] };
    const environments = ENVIRONMENTS.get('modern')!;
    const source = new SourceText('p', JSON.stringify(policy));
    const analysis = analyzePolicy(source, { profile: MODERN, endpoint: 'https-route', environments });
    const decision = createSimulation(analysis.policy!, { profile: MODERN, environments }).decide(AT_NOON);
    expect(ends([decision])).toEqual(['refused 429 or refused 503 or passed']);
    expect(decision.needs).toEqual(['the counters of the rate limit `a`', 'whether the circuit breaker has tripped']);
  });

  it.each([
    [EDGE_V2, 'inbound', [limit(1, 'conn.ClientIP'), limit(2, "req.Headers['X-A']"), limit(3, 'req.Host')]],
    [MODERN, 'on_http_request', [limit(1, 'conn.client_ip'), limit(2, "getReqHeader('x-a')"), BREAKER]],
  ] as const)('of $name never contradict on partial records what whole ones give', (profile, phase, limits) => {
    const conditions = conditionsIn(profile, { endpoint: 'https-route', phase });
    const rule = fc.record({
      expressions: fc.array(fc.constantFrom(...conditions), { maxLength: 1 }),
      actions: fc.tuple(fc.constantFrom<Json>(...limits, ...limits, { type: 'deny', config: { status_code: 403 } })),
    });
    const policy = fc.record({ [phase]: fc.array(rule, { minLength: 1, maxLength: 4 }) }) as fc.Arbitrary<Json>;
    const traffic = fc.array(fc.tuple(WHOLE, fc.option(MASK)), { minLength: 6, maxLength: 25 });
    fc.assert(
      fc.property(policy, traffic, (document, all) => {
        const [whole, partial] = [runOf(document, profile), runOf(document, profile)];
        const inOrder = all.toSorted(([a], [b]) => a.time! - b.time!);
        for (const [exchange, mask] of inOrder) {
          const truth = outcomesOf(whole.decide(exchange));
          const claim = outcomesOf(partial.decide(mask === null ? exchange : masked(exchange, mask)));
          expect(claim).toEqual(expect.arrayContaining(truth));
        }
      }),
      { numRuns: runs(20, 150) },
    );
  });
});

function outcomesOf({ outcomes }: Decision): string[] {
  return outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`);
}
