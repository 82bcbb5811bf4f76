import { EDGE_V2, isAvailable, type Place, type Profile, sampleActivation } from '@tollgate/catalog';
import { type Activation, compileClosures, type Environment } from '@tollgate/cel';
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

function evaluate(source: string, place: Place, environment: Environment): unknown {
  const { typed, diagnostics } = checkCondition(source, { profile: PROFILE, place, environment });
  expect(diagnostics).toEqual([]);
  return compileClosures(typed!, environment).evaluate(sampleActivation(PROFILE, place) as Activation);
}

describe('the examples of the catalog', () => {
  it.each(EXAMPLES.map(one => [one.example.expression, one] as const))(
    'have the value that is stated, wherever they are available: %s',
    (_, { fact, example }) => {
      const places = PLACES.filter(({ place }) => isAvailable(fact, place));
      expect(places.length).toBeGreaterThan(0);
      for (const { place, environment } of places) {
        expect(evaluate(`(${example.expression}) == (${example.value})`, place, environment)).toBe(true);
      }
    },
  );

  it.each(PROFILE.variables.map(fact => [fact.path, fact] as const))(
    'have a sample of the declared type: %s',
    (path, fact) => {
      const { place, environment } = PLACES.find(one => isAvailable(fact, one.place))!;
      // Reading a value that is not of its type is an evaluation error, and then this is not true.
      const type = fact.type.replace(/\(.*/, '');
      expect(evaluate(`type(${path}) == ${type}`, place, environment)).toBe(true);
    },
  );
});

describe('a missing value', () => {
  const { environment, place } = PLACES.find(one => one.place.endpoint === 'https-route')!;

  it.each([
    ["getReqCookie('none').Value == ''", 'eval/index-out-of-range'],
    ["req.Headers['None'][0] == ''", 'eval/no-such-key'],
  ])('makes an expression fail: %s', (source, code) => {
    expect(evaluate(source, place, environment)).toMatchObject({ code });
  });
});
