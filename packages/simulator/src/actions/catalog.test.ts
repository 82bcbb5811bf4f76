import { type ActionFact, type EvaluationContext, PROFILES, type Profile, terminationOf } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from '../simulation/simulation.ts';
import { catalogReader } from '../variables/variable-readers.ts';
import { EFFECTS } from './registry.ts';

const EXCHANGE: Exchange = {
  place: { file: 'a', number: 1, unit: 'entry' },
  time: 0,
  clientIp: '203.0.113.7',
  tls: { version: 'TLS 1.3', cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' },
  method: 'POST',
  target: '/v0/users/1',
  url: 'http://e.co/v0/users/1',
  protocol: 'HTTP/2.0',
  requestHeaders: {
    fields: [
      { name: 'host', value: 'e.co' },
      { name: 'authorization', value: 'Bearer x' },
    ],
    absent: [],
    complete: true,
    withheld: [],
  },
  response: {
    status: 200,
    headers: {
      fields: [{ name: 'content-type', value: 'text/event-stream' }],
      absent: [],
      complete: true,
      withheld: [],
    },
    bodySize: 5,
  },
};

/** Returns all contexts in which an action may be used. */
function placesOf(profile: Profile, { phases, endpoints }: ActionFact): EvaluationContext[] {
  return endpoints
    .filter(endpoint => profile.endpoints.includes(endpoint))
    .flatMap(endpoint => {
      const here = phases.filter(phase => profile.phaseFacts[phase]?.endpoints.includes(endpoint));
      return here.map(phase => ({ endpoint, phase }));
    });
}

/** The possible endings by the termination of the configured action. */
const ENDS = {
  never: ['goes on', 'is open'],
  always: ['ends'],
  sometimes: ['goes on', 'ends', 'is open'],
} as const;

/** Returns the configuration, and variants of it for each key that changes how the action ends. */
function variantsOf(fact: ActionFact, config: object): readonly object[] {
  const having = (name: string) => fact.config.some(field => field.name === name);
  return [
    config,
    ...(having('on_error') ? ['halt', 'continue'].map(on_error => ({ ...config, on_error })) : []),
    ...(having('enforce') ? [true, false].map(enforce => ({ ...config, enforce })) : []),
  ];
}

function endOf(action: { readonly ending: unknown; readonly needs: readonly string[] }): string {
  if (action.ending === undefined) return 'goes on';
  return action.needs.length > 0 ? 'is open' : 'ends';
}

interface ConfiguredCase {
  readonly fact: ActionFact;
  readonly place: EvaluationContext;
  readonly config: object;
}

/** Removes the keys that do not exist at this endpoint or in this phase. */
function exampleAt({ config, example }: ActionFact, { endpoint, phase }: EvaluationContext): object {
  const elsewhere = config.filter(
    field => field.endpoints?.includes(endpoint) === false || field.phases?.includes(phase) === false,
  );
  const entries = Object.entries((example ?? {}) as object);
  return Object.fromEntries(entries.filter(([key]) => !elsewhere.some(field => field.name === key)));
}

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('the catalog of %s', (_, profile) => {
  it('has a value for every variable', () => {
    const without = profile.variables.filter(({ path }) => catalogReader(path, profile) === undefined);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('gives a reason for every opaque action', () => {
    expect(profile.actions.map(action => action.type).filter(type => !(type in EFFECTS))).toEqual([]);
  });

  const cases = profile.actions.flatMap(fact => placesOf(profile, fact).map(place => ({ fact, place })));

  it.each(cases.map(one => [one.fact.type, one.place.endpoint, one.place.phase, one] as const))(
    'has an effect for the example of %s at %s in %s',
    (_, __, ___, { fact, place }) => {
      for (const config of variantsOf(fact, exampleAt(fact, place))) expectEffect({ fact, place, config });
    },
  );

  function expectEffect({ fact, place: { endpoint, phase }, config }: ConfiguredCase): void {
    const { type } = fact;
    const document = { [phase]: [{ actions: [{ type, ...(Object.keys(config).length > 0 && { config }) }] }] };
    const source = new SourceText('p.json', JSON.stringify(document));
    const { policy, diagnostics, environments } = analyzePolicy(source, { profile, endpoint });
    const errors = diagnostics.filter(one => one.severity === 'error').map(({ code }) => code);
    expect(errors.filter(code => code !== 'policy/unhandled-traffic')).toEqual([]);
    const simulation = createSimulation(policy!, { profile, environments });
    for (const decide of [simulation.decide, simulation.begin().decide]) {
      const [rule] = decide(EXCHANGE).rules;
      if (rule?.status !== 'matched' && rule?.status !== 'undetermined') throw new Error(`found ${rule?.status}`);
      const [action] = rule.actions;
      expect(ENDS[terminationOf({ fact, config: { ...config } })!]).toContain(endOf(action!));
      const isOpaque = action!.notes.some(note => note.kind === 'opaque');
      expect(endOf(action!) === 'is open').toBe(isOpaque && action!.ending !== undefined);
    }
  }
});

it('has no effect for an unknown action', () => {
  const types = new Set(PROFILES.flatMap(profile => profile.actions.map(action => action.type)));
  expect(Object.keys(EFFECTS).filter(type => !types.has(type))).toEqual([]);
});
