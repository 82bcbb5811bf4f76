import { PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { createSimulation, type LocationOf, PolicyTally } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const TRAFFIC = fc.array(fc.tuple(WHOLE, fc.option(MASK)), { minLength: 1, maxLength: 12 }).map(all =>
  all.map(([whole, mask], index): Exchange => {
    const exchange = mask === null ? whole : masked(whole, mask);
    return { ...exchange, place: { file: 'a', number: index + 1, unit: 'line' } };
  }),
);

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('the tally of %s', (_, profile) => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);

  it('is the same when parts of the traffic are counted apart', () => {
    const cuts = fc.array(fc.nat(12), { maxLength: 3 });
    fc.assert(
      fc.property(meaningfulPolicies(profile, endpoint), TRAFFIC, cuts, (document, traffic, at) => {
        const source = new SourceText('policy.json', JSON.stringify(document));
        const policy = analyzePolicy(source, { profile, endpoint, environments }).policy!;
        const simulation = createSimulation(policy, { profile, environments });
        const count = (exchanges: readonly Exchange[]) => {
          const run = simulation.begin();
          const tally = new PolicyTally(policy, { profile, breakdown: { top: 3 } });
          for (const exchange of exchanges) tally.add(exchange, run.judge(exchange));
          return tally;
        };
        const ends = [...at.map(cut => cut % traffic.length).toSorted((a, b) => a - b), traffic.length];
        const parts = ends.map((end, index) => traffic.slice(ends[index - 1] ?? 0, end));
        expect(merged(parts, count, { policy, profile }).summary(0)).toEqual(count(traffic).summary(0));
      }),
      { numRuns: runs(4, 60) },
    );
  });
});

/** The parts, each counted as if it began a file of its own. */
function merged(
  parts: readonly (readonly Exchange[])[],
  count: (exchanges: readonly Exchange[]) => PolicyTally,
  { policy, profile }: { readonly policy: Policy; readonly profile: Profile },
): PolicyTally {
  const whole = new PolicyTally(policy, { profile, breakdown: { top: 3 } });
  let before = 0;
  for (const part of parts) {
    const first = before;
    const apart = part.map((exchange, index) => ({ ...exchange, place: { ...exchange.place, number: index + 1 } }));
    const placeOf: LocationOf = place => ({ ...place, number: place.number + first });
    whole.merge(structuredClone(count(apart).data()), placeOf);
    before += part.length;
  }
  return whole;
}
