import { EDGE_V2, PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Simulation, verdictOf } from '@tollgate/simulator';
import { type Exchange, type HeaderFacts, type HeaderField, TLS_UNKNOWN } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const TRAFFIC = fc
  .array(fc.tuple(WHOLE, fc.option(MASK)), { minLength: 1, maxLength: 16 })
  .map(all => all.map(([whole, mask]): Exchange => (mask === null ? whole : masked(whole, mask))));

/** With the answers to open questions that end the evaluation earlier, or go on after it. */
const OTHERWISE = { evaluationError: 'fail-request', responsePhaseAfterAnswer: 'run' } as const;

const PLACES = PROFILES.flatMap(profile =>
  [profile, { ...profile, switches: { ...profile.switches, ...OTHERWISE } }].flatMap((variant: Profile, index) =>
    profile.endpoints.map(endpoint => {
      const title = `${profile.name}, ${endpoint}${index === 0 ? '' : ', other switches'}`;
      return [title, { profile: variant, endpoint }] as const;
    }),
  ),
);

describe.each(PLACES)('a verdict of %s', (_, { profile, endpoint }) => {
  const environments = createPhaseEnvironments(profile, endpoint);

  it('says what the decision on the exchange says, whatever came before it', () => {
    fc.assert(
      fc.property(meaningfulPolicies(profile, endpoint), TRAFFIC, (document, traffic) => {
        const source = new SourceText('policy.json', JSON.stringify(document));
        const analysis = analyzePolicy(source, { profile, endpoint, environments });
        const simulation = createSimulation(analysis.policy!, { profile, environments });
        const [judging, reaching, deciding] = [simulation.begin(), simulation.begin(), simulation.begin()];
        for (const exchange of traffic) {
          const { number: _, ...judged } = judging.judge(exchange);
          expect(judged).toEqual(verdictOf(deciding.decide(exchange)));
          const { hits, notReached } = judged;
          expect(reaching.reach(exchange)).toMatchObject({ hits, notReached });
        }
      }),
      { numRuns: runs(2, 60) },
    );
  });

  it('follows from the results of the conditions, divided by what they read', () => {
    fc.assert(
      fc.property(meaningfulPolicies(profile, endpoint), TRAFFIC, (document, traffic) => {
        const source = new SourceText('policy.json', JSON.stringify(document));
        const analysis = analyzePolicy(source, { profile, endpoint, environments });
        expectFromLeaves(createSimulation(analysis.policy!, { profile, environments }), traffic);
      }),
      { numRuns: runs(2, 60) },
    );
  });
});

/** Checks the verdicts that are shared by exchanges with the same results in all leaves. */
function expectFromLeaves(simulation: Simulation, traffic: readonly Exchange[]): void {
  const leaves = simulation.begin().leaves();
  if (leaves === undefined) return;
  const classes = traffic.map(exchange => leaves.leaves.map(classOf => classOf(exchange)));
  const combination = leaves.combination();
  for (const [at, exchange] of traffic.entries()) {
    const state = combination.stateOf(classes[at]!);
    const early = combination.verdictOf(state);
    const found = typeof early === 'object' && 'need' in early ? combination.verdictOf(state, exchange) : early;
    if (found === 'varied' || 'need' in found || found.number === undefined) continue;
    const { number: _, ...verdict } = found;
    expect(verdict).toEqual(verdictOf(simulation.decide(exchange)));
  }
}

const HEADERS = { absent: [], complete: true, withheld: [] };

function exchangeWith(...fields: readonly HeaderField[]): Exchange {
  return exchangeOf({ ...HEADERS, fields });
}

/** @param headers those of the response */
function exchangeOf(headers: HeaderFacts): Exchange {
  return {
    place: { file: 'a', number: 1, unit: 'entry' },
    ...{ time: 0, clientIp: '192.0.2.1', tls: TLS_UNKNOWN, method: 'GET', target: '/', url: 'https://e.co/' },
    ...{ protocol: 'HTTP/1.1', requestHeaders: { ...HEADERS, fields: [] } },
    response: { status: 200, headers, bodySize: 0 },
  };
}

function simulationOf(profile: Profile, ...rules: readonly object[]): Simulation {
  const source = new SourceText('policy.json', JSON.stringify({ outbound: rules }));
  const { policy, environments } = analyzePolicy(source, { profile, endpoint: 'https-route' });
  return createSimulation(policy!, { profile, environments });
}

const [FIRST, SECOND] = ["res.Headers['X-A'][0] == '1'", "res.Headers['X-B'][1] == '1'"];

it.each<[string, Exchange]>([
  ['two errors, in the order of each condition', exchangeWith({ name: 'X-B', value: '1' })],
  ['an error', exchangeWith({ name: 'X-A', value: '1' })],
  ['an unknown instead of an error', exchangeOf({ fields: [], absent: ['x-a'], complete: false, withheld: [] })],
])('tells what a condition fails with: %s', (_, exchange) => {
  const action = { actions: [{ type: 'log', config: { metadata: { a: '1' } } }] };
  const rules = [
    { expressions: [FIRST, SECOND], ...action },
    { expressions: [SECOND, FIRST], ...action },
  ];
  // The other exchange ends in the same way.
  expectFromLeaves(simulationOf(EDGE_V2, ...rules), [exchangeWith({ name: 'X-A', value: '2' }), exchange]);
});

it('tells a rule that ends the evaluation from the same rule where it fails', () => {
  const profile = { ...EDGE_V2, switches: { ...EDGE_V2.switches, ...OTHERWISE } };
  const run = simulationOf(profile, { expressions: [FIRST], actions: [{ type: 'custom-response' }] }).begin();
  const kinds = [
    exchangeWith({ name: 'X-A', value: '1' }),
    exchangeWith(),
    exchangeWith({ name: 'X-A', value: '1' }),
  ].map(exchange => run.judge(exchange).outcomes.map(({ kind }) => kind));
  expect(kinds).toEqual([['replaced'], ['failed'], ['replaced']]);
});
