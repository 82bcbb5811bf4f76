import { EDGE_V2, isAvailable, type Place, type Profile } from '@tollgate/catalog';
import type { Environment } from '@tollgate/cel';
import { describe, expect, it } from 'vitest';
import { checkCondition } from './check-expression.ts';
import { createPhaseEnvironments } from './place-environment.ts';

const PROFILE: Profile = EDGE_V2;

const PLACES: readonly { place: Place; environment: Environment }[] = PROFILE.endpoints.flatMap(endpoint => {
  const environments = createPhaseEnvironments(PROFILE, endpoint);
  return PROFILE.phases.map(phase => ({ place: { endpoint, phase }, environment: environments[phase] }));
});

const EXAMPLES = [
  ...PROFILE.variables.map(fact => ({ fact, example: fact.example })),
  ...PROFILE.functions.flatMap(fact => fact.examples.map(example => ({ fact, example }))),
];

describe('the examples of the catalog', () => {
  it.each(EXAMPLES.map(one => [one.example.expression, one] as const))(
    'check where they are available: %s',
    (_, { fact, example }) => {
      for (const { place, environment } of PLACES) {
        if (!isAvailable(fact, place)) continue;
        // Values may be of any type; as a condition, each is compared with the value that is stated.
        const source = `(${example.expression}) == (${example.value})`;
        expect(checkCondition(source, { profile: PROFILE, place, environment }).diagnostics).toEqual([]);
      }
    },
  );
});
