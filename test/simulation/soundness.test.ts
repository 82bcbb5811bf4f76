import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, type RuleResult } from '@tollgate/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { meaningfulPolicies } from './generated-rules.ts';

/** What the rule may have done on the whole record, by what is said of it on the masked one. */
const POSSIBLE: Readonly<Record<RuleResult['status'], readonly RuleResult['status'][]>> = {
  matched: ['matched', 'undetermined'],
  'not-matched': ['not-matched', 'not-reached'],
  failed: ['failed', 'not-reached'],
  'not-reached': ['not-reached'],
  undetermined: ['matched', 'not-matched', 'failed', 'not-reached', 'undetermined'],
};

function outcomeKeys(decision: Decision): string[] {
  return decision.outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`);
}

const PLACES = PROFILES.flatMap(profile => profile.endpoints.map(endpoint => ({ profile, endpoint })));

describe.each(PLACES.map(place => [`${place.profile.name}, ${place.endpoint}`, place] as const))(
  'a decision of %s',
  (_, { profile, endpoint }) => {
    const environments = createPhaseEnvironments(profile, endpoint);

    it('on a partial record never contradicts that on the whole one', () => {
      fc.assert(
        fc.property(meaningfulPolicies(profile, endpoint), WHOLE, MASK, (document, whole, mask) => {
          const source = new SourceText('policy.json', JSON.stringify(document));
          const analysis = analyzePolicy(source, { profile, endpoint, environments });
          expect(analysis.diagnostics.filter(one => one.severity === 'error')).toEqual([]);
          const simulation = createSimulation(analysis.policy!, { profile, environments });
          const [known, partial] = [simulation.decide(whole), simulation.decide(masked(whole, mask))];
          expect(outcomeKeys(partial)).toEqual(expect.arrayContaining(outcomeKeys(known)));
          known.rules.forEach(({ status }, index) => {
            expect(POSSIBLE[partial.rules[index]!.status]).toContain(status);
          });
          expect(partial.outcomes.length > 1).toBe(partial.needs.length > 0);
        }),
        { numRuns: 200 },
      );
    });
  },
);
