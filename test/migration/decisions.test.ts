import { EDGE_V2, EDGE_V2_SNAKE, type EndpointKind, MODERN, type Phase, type Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, migratePolicy, type PhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, type HeaderMap, type Simulation } from '@tollgate/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, policies } from '../schemas/generated-policy.ts';
import { MASK, masked, WHOLE } from '../simulation/generated-exchange.ts';
import { conditionsIn, meaningfulPolicies } from '../simulation/generated-rules.ts';
import { runs } from '../support/runs.ts';

interface Environed {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
}

function simulationOf(text: string, endpoint: EndpointKind, { profile, environments }: Environed): Simulation {
  const { policy, diagnostics } = analyzePolicy(new SourceText('p', text), { profile, endpoint, environments });
  expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  return createSimulation(policy!, { profile, environments });
}

/** What a decision says that does not hang on the names of a dialect. */
function gist(decision: Decision): unknown {
  const { outcomes, needs, rules, upstream, response } = decision;
  return {
    outcomes: outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`).sort(),
    isOpen: needs.length > 0,
    rules: rules.map(rule => ('actions' in rule ? [rule.status, rule.actions.map(one => one.result)] : [rule.status])),
    upstream: { isAsked: upstream.isAsked, url: known(upstream.request.url), host: known(upstream.request.host) },
    request: knownHeaders(upstream.request.headers),
    response: response && { status: known(response.status), headers: knownHeaders(response.headers) },
    body: response && known(response.body),
  };
}

function known(value: unknown): unknown {
  return value instanceof Unknown ? 'unknown' : value;
}

function knownHeaders(headers: HeaderMap): readonly unknown[] {
  const entries = Object.entries(headers).flatMap(([name, values]) => {
    if (values === undefined || values instanceof Unknown) return [];
    return [[name.toLowerCase(), values.map(known)] as const];
  });
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Policies of every shape of configuration, with conditions that mean something. */
function shapedPolicies(profile: Profile, endpoint: EndpointKind): fc.Arbitrary<Json> {
  const numbers = fc.array(fc.nat(1000), { minLength: 5, maxLength: 9 });
  return fc.tuple(policies(profile, endpoint), numbers).map(([policy, chosen]) => {
    let at = 0;
    const phaseNames: readonly string[] = profile.phases;
    let phase: Phase | undefined;
    return JSON.parse(JSON.stringify(policy), (key, value) => {
      if (phaseNames.includes(key)) phase = undefined;
      if (key !== 'expressions' || !Array.isArray(value)) return value;
      phase ??= profile.phases[0]!;
      const conditions = conditionsIn(profile, { endpoint, phase });
      at += 1;
      return value.map(() => conditions[chosen[at % chosen.length]! % conditions.length]);
    }) as Json;
  });
}

/** Without what is known to lose something, so that not too many are left out. */
function withoutKnownLosses(policy: Json, endpoint: EndpointKind): Json {
  const isHttp = endpoint === 'https-route';
  return JSON.parse(JSON.stringify(policy), (key, value) => {
    if (key === 'outbound' && !isHttp) return undefined;
    if (value?.type === 'deny' && isHttp) return { type: 'deny', config: { status_code: 403 } };
    return value?.type === 'compress-response' ? { type: 'log' } : value;
  }) as Json;
}

/** That any connection can lead to. */
const STATUSES = ['matched', 'not-matched', 'not-reached', 'undetermined'] as const;

const CASES = [
  ...EDGE_V2.endpoints.map(endpoint => [EDGE_V2, endpoint] as const),
  ...EDGE_V2_SNAKE.endpoints.map(endpoint => [EDGE_V2_SNAKE, endpoint] as const),
].map(([profile, endpoint]) => ({ name: `${profile.name}, ${endpoint}`, profile, endpoint }));

describe.each(CASES)('a policy of $name', ({ profile, endpoint }) => {
  const before = { profile, environments: createPhaseEnvironments(profile, endpoint) };
  const after = { profile: MODERN, environments: createPhaseEnvironments(MODERN, endpoint) };
  const meaningful = meaningfulPolicies(profile, endpoint);
  const document = fc.oneof(
    meaningful,
    { weight: 3, arbitrary: meaningful.map(policy => withoutKnownLosses(policy, endpoint)) },
    { weight: 2, arbitrary: shapedPolicies(profile, endpoint).map(policy => withoutKnownLosses(policy, endpoint)) },
  );

  it('decides the same after migration, unless a loss was reported', () => {
    const compared = new Map<string, number>();
    fc.assert(
      fc.property(document, fc.array(fc.tuple(WHOLE, MASK), { minLength: 4, maxLength: 4 }), (policy, traffic) => {
        const text = JSON.stringify(policy);
        const migrated = migratePolicy(new SourceText('p', text), { from: profile, to: MODERN, endpoint });
        if (migrated.text === undefined || migrated.diagnostics.length > 0) return;
        const [old, now] = [simulationOf(text, endpoint, before), simulationOf(migrated.text, endpoint, after)];
        for (const [whole, mask] of traffic) {
          for (const exchange of [whole, masked(whole, mask)]) {
            const decision = old.decide(exchange);
            expect({ text, gist: gist(now.decide(exchange)) }).toEqual({ text, gist: gist(decision) });
            for (const { status } of decision.rules) compared.set(status, (compared.get(status) ?? 0) + 1);
          }
        }
      }),
      { numRuns: runs(10, 110) },
    );
    for (const status of STATUSES)
      expect({ status, count: compared.get(status) ?? 0 }).toSatisfy(({ count }) => count > 0);
  });
});
