import { describe, expect, it } from 'vitest';
import { declarationsAt, sampleActivation } from './declarations.ts';
import { EDGE_V2 } from './edge-v2/edge-v2.ts';
import type { Place } from './fact.ts';
import type { Profile } from './profile.ts';

const PROFILE: Profile = EDGE_V2;
const PLACES: readonly Place[] = PROFILE.endpoints.flatMap(endpoint =>
  PROFILE.phases.map(phase => ({ endpoint, phase })),
);

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe('the catalog of edge-v2', () => {
  it('names each variable, object, function, action and limit once', () => {
    expect(repeated(PROFILE.objects.map(fact => fact.name))).toEqual([]);
    expect(repeated(PROFILE.functions.map(fact => fact.overloadId))).toEqual([]);
    expect(repeated(PROFILE.actions.map(fact => fact.type))).toEqual([]);
    expect(repeated(PROFILE.limits.map(fact => fact.name))).toEqual([]);
    for (const place of PLACES) {
      expect(repeated(declarationsAt(PROFILE, place).objects.map(fact => fact.name))).toEqual([]);
    }
    expect(repeated(PROFILE.variables.map(fact => fact.path))).toEqual([]);
  });

  it('describes every object on the way to a variable', () => {
    const described = new Set(PROFILE.objects.map(object => object.name));
    const owners = PROFILE.variables.flatMap(({ path }) =>
      path.split('.').flatMap((_, depth, parts) => (depth > 0 ? [parts.slice(0, depth).join('.')] : [])),
    );
    expect(owners.filter(owner => !described.has(owner))).toEqual([]);
  });

  it.each([
    ['https-route', 'inbound', ['conn', 'req'], ['ClientIP', 'Geo']],
    ['https-route', 'outbound', ['conn', 'req', 'res'], ['ClientIP', 'Geo']],
    ['tls-edge', 'inbound', ['conn'], ['ClientIP', 'Geo', 'TLS']],
    ['tls-edge', 'outbound', ['conn'], ['ClientIP', 'Geo', 'TLS']],
    ['tcp-edge', 'inbound', ['conn'], ['ClientIP', 'Geo']],
  ] as const)('declares on %s, %s the variables %j and the fields %j of conn', (endpoint, phase, variables, fields) => {
    const { variables: declared, objects } = declarationsAt(PROFILE, { endpoint, phase });
    expect(declared.map(variable => variable.name).sort()).toEqual(variables);
    const conn = objects.find(object => object.name === 'conn')!;
    expect(conn.fields.map(field => field.name)).toEqual(fields);
  });

  it('offers on TLS and TCP edges the CIDR functions only', () => {
    const { functions } = declarationsAt(PROFILE, { endpoint: 'tcp-edge', phase: 'inbound' });
    expect(functions.map(fact => fact.name)).toEqual(['inCidrRange', 'inCidrRanges']);
  });

  it('nests sample values by path', () => {
    expect(sampleActivation(PROFILE, { endpoint: 'tcp-edge', phase: 'inbound' })).toEqual({
      conn: {
        ClientIP: '203.0.113.7',
        Geo: { CountryCode: 'DE', Latitude: '52.5200', Longitude: '13.4050', LatLongRadiusKm: '20' },
      },
    });
  });
});
