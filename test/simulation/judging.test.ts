import { EDGE_V2, PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, verdictOf } from '@tollgate/simulator';
import { type Exchange, type HeaderField, TLS_UNKNOWN } from '@tollgate/traffic';
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
      { numRuns: runs(3, 60) },
    );
  });
});

it('tells a rule that ends the evaluation from the same rule where it fails', () => {
  const profile = { ...EDGE_V2, switches: { ...EDGE_V2.switches, ...OTHERWISE } };
  const policy = {
    outbound: [{ expressions: ["res.Headers['X-A'][0] == '1'"], actions: [{ type: 'custom-response' }] }],
  };
  const source = new SourceText('policy.json', JSON.stringify(policy));
  const { policy: read, environments } = analyzePolicy(source, { profile, endpoint: 'https-route' });
  const run = createSimulation(read!, { profile, environments }).begin();
  const headers = { absent: [], complete: true, withheld: [] };
  const exchangeWith = (...fields: readonly HeaderField[]): Exchange => ({
    place: { file: 'a', number: 1, unit: 'entry' },
    ...{ time: 0, clientIp: '192.0.2.1', tls: TLS_UNKNOWN, method: 'GET', target: '/', url: 'https://e.co/' },
    ...{ protocol: 'HTTP/1.1', requestHeaders: { ...headers, fields: [] } },
    response: { status: 200, headers: { ...headers, fields }, bodySize: 0 },
  });
  const kinds = [
    exchangeWith({ name: 'X-A', value: '1' }),
    exchangeWith(),
    exchangeWith({ name: 'X-A', value: '1' }),
  ].map(exchange => run.judge(exchange).outcomes.map(({ kind }) => kind));
  expect(kinds).toEqual([['replaced'], ['failed'], ['replaced']]);
});
