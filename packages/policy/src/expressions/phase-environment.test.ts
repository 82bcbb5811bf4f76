import {
  EDGE_V2,
  type EvaluationContext,
  isAvailable,
  PROFILES,
  type Profile,
  phasesAt,
  sampleActivation,
} from '@tollgate/catalog';
import { type Activation, compileClosures, type Environment } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { describe, expect, it } from 'vitest';
import { checkCondition } from '../expressions/check-expression.ts';
import { IMPLEMENTATIONS } from '../expressions/functions.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';

interface CheckedPlace {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
  readonly sample: Activation;
}

function placesOf(profile: Profile): readonly CheckedPlace[] {
  return profile.endpoints.flatMap(endpoint => {
    const environments = createPhaseEnvironments(profile, endpoint);
    return phasesAt(profile, endpoint).map(phase => ({
      profile,
      place: { endpoint, phase },
      environment: environments[phase],
      sample: sampleActivation(profile, { endpoint, phase }) as Activation,
    }));
  });
}

function evaluate(source: string, { profile, place, environment, sample }: CheckedPlace): unknown {
  const { typed, diagnostics } = checkCondition(source, { profile, place, environment });
  expect(diagnostics.filter(one => one.severity !== 'hint')).toEqual([]);
  const program = compileClosures(inlineBodies(typed!, environment), environment);
  return program.evaluate(sample);
}

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('the examples of %s', (_, profile) => {
  const places = placesOf(profile);
  const examples = [
    ...profile.variables.map(fact => ({ fact, example: fact.example })),
    ...profile.functions.flatMap(fact => fact.examples.map(example => ({ fact, example }))),
  ];

  it.each(examples.map(one => [one.example.expression, one] as const))(
    'have the value that is stated, wherever they are available: %s',
    (_, { fact, example }) => {
      const available = places.filter(({ place }) => isAvailable(fact, place));
      expect(available.length).toBeGreaterThan(0);
      for (const place of available) {
        expect(evaluate(`(${example.expression}) == (${example.value})`, place)).toBe(true);
      }
    },
  );

  it.each(profile.variables.map(fact => [fact.path, fact] as const))(
    'have a sample of the declared type: %s',
    (path, fact) => {
      const place = places.find(one => isAvailable(fact, one.place))!;
      // Reading a value that is not of its type is an evaluation error, and then this is not true.
      expect(evaluate(`type(${path}) == ${typeName(fact.type, profile)}`, place)).toBe(true);
    },
  );

  it('implement exactly the functions that are declared as implemented', () => {
    const byHand = profile.functions.filter(fact => fact.body === undefined && fact.opaque === undefined);
    const ids = byHand.map(fact => fact.overloadId).sort();
    expect(ids).toEqual(profile.name === 'edge-v2' ? [] : Object.keys(IMPLEMENTATIONS).sort());
  });
});

/** As an expression names it; the values of object types are maps. */
function typeName(notation: string, profile: Profile): string {
  const name = notation.replace(/\(.*/, '');
  if (name === 'timestamp') return 'google.protobuf.Timestamp';
  return profile.objects.some(object => object.name === name) ? 'map' : name;
}

describe('a missing value', () => {
  const place = placesOf(EDGE_V2).find(one => one.place.endpoint === 'https-route')!;

  it.each([
    ["getReqCookie('none').Value == ''", 'eval/index-out-of-range'],
    ["req.Headers['None'][0] == ''", 'eval/no-such-key'],
  ])('makes an expression fail: %s', (source, code) => {
    expect(evaluate(source, place)).toMatchObject({ code });
  });
});

it('creates the environment of a phase once', () => {
  const environments = createPhaseEnvironments(EDGE_V2, 'https-route');
  expect(environments.inbound).toBe(environments.inbound);
  expect(environments.inbound).not.toBe(environments.outbound);
  expect({ ...environments }.inbound).toBe(environments.inbound);
});

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('the libraries of %s', (_, profile) => {
  const environment = createPhaseEnvironments(profile, profile.endpoints[0]!)[profile.phases[0]!];

  it.each(['base64.encodeUrl', 'base64.decodeUrl', 'json.parse', 'hasAll', 'hasAny', 'hasExactly', 'hasOnly'])(
    'have no %s, which a later cel-go brought',
    name => expect(environment.functions.has(name)).toBe(false),
  );

  it('have no overload that a later cel-go added to a function', () => {
    const overloads = [...environment.functions.values()].flatMap(declaration => declaration.overloads);
    expect(overloads.map(({ id }) => id)).not.toContain('optional_hasValue_value');
  });
});
