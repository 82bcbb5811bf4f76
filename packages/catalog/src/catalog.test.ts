import { describe, expect, it } from 'vitest';
import { declarationsAt, STRING_KEY, sampleActivation } from './declarations.ts';
import { EDGE_V2 } from './edge-v2/edge-v2.ts';
import { ADDRESS_CATEGORIES } from './modern/address-categories.ts';
import { MODERN } from './modern/modern.ts';
import { PROFILES, SOURCE_DATES } from './profiles.ts';
import type { ConfigField, ConfigType } from './schema/action-fact.ts';
import type { Availability, EvaluationContext } from './schema/fact.ts';
import { type Profile, phasesAt } from './schema/profile.ts';

function contextsOf(profile: Profile): readonly EvaluationContext[] {
  return profile.endpoints.flatMap(endpoint => phasesAt(profile, endpoint).map(phase => ({ endpoint, phase })));
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** Types of the fields and all that is inside them. */
function fieldsWithin(fields: readonly ConfigField[]): readonly ConfigField[] {
  return fields.flatMap(field => [field, ...fieldsOfType(field.type)]);
}

function fieldsOfType(type: ConfigType): readonly ConfigField[] {
  if (type.kind === 'object') return fieldsWithin(type.fields);
  if (type.kind === 'list') return fieldsOfType(type.of);
  return type.kind === 'map' ? fieldsOfType(type.value) : [];
}

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('the catalog of %s', (_, profile) => {
  it('names each variable, object, function, action and limit only once', () => {
    expect(repeated(profile.objects.map(fact => fact.name))).toEqual([]);
    expect(repeated(profile.functions.map(fact => fact.overloadId))).toEqual([]);
    expect(repeated(profile.actions.map(fact => fact.type))).toEqual([]);
    expect(repeated(profile.limits.map(fact => fact.name))).toEqual([]);
    for (const context of contextsOf(profile)) {
      expect(repeated(declarationsAt(profile, context).objects.map(fact => fact.name))).toEqual([]);
    }
    expect(repeated(profile.variables.map(fact => fact.path))).toEqual([]);
    for (const action of profile.actions) expect(repeated(action.config.map(field => field.name))).toEqual([]);
  });

  it('documents every object that contains a variable, and every other fact', () => {
    const described = new Set(profile.objects.map(object => object.name));
    const owners = profile.variables.flatMap(({ path }) =>
      path.split('.').flatMap((_, depth, parts) => (depth > 0 ? [parts.slice(0, depth).join('.')] : [])),
    );
    expect(owners.filter(owner => !described.has(owner))).toEqual([]);
    const facts = [...profile.variables, ...profile.objects, ...profile.functions, ...profile.actions];
    const fields = profile.actions.flatMap(action => fieldsWithin(action.config));
    expect([...facts, ...fields].filter(fact => fact.doc === '')).toEqual([]);
  });

  it('records the date of its sources', () => {
    expect(SOURCE_DATES[profile.name]).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('has an entry for each of its phases and no others', () => {
    expect(Object.keys(profile.phaseFacts)).toEqual([...profile.phases]);
  });

  it('makes every fact available in at least one phase of an endpoint', () => {
    const contexts = contextsOf(profile);
    const isSomewhere = ({ phases, endpoints }: Availability) =>
      contexts.some(({ phase, endpoint }) => phases.includes(phase) && endpoints.includes(endpoint));
    const facts: readonly Availability[] = [...profile.variables, ...profile.functions, ...profile.actions];
    expect(facts.filter(fact => !isSomewhere(fact))).toEqual([]);
    const used = new Set(facts.flatMap(fact => [...fact.phases, ...fact.endpoints]));
    expect([...used].filter(one => ![...profile.phases, ...profile.endpoints].includes(one as never))).toEqual([]);
  });

  it('has either an implementation of each function or a reason for its absence', () => {
    const both = profile.functions.filter(fact => fact.body !== undefined && fact.opaque !== undefined);
    expect(both).toEqual([]);
    const untested = profile.functions.filter(fact => fact.opaque === undefined && fact.examples.length === 0);
    expect(untested).toEqual([]);
  });

  it('looks up names only in maps and lists that exist', () => {
    const looked = profile.functions.flatMap(fact => (fact.looksUp ? [fact.looksUp.in] : []));
    const typesOf = (role: string) => profile.variables.flatMap(fact => (fact.role === role ? [fact.type] : []));
    expect(looked.filter(role => typesOf(role).length !== 1)).toEqual([]);
    expect(looked.flatMap(typesOf).filter(type => !/^(?:map|list)\(/.test(type))).toEqual([]);
  });

  it('spells header names in samples as declared', () => {
    const isWritten = (name: string) =>
      profile.headerNames === 'canonical' ? /^[A-Z][a-z]*(?:-[A-Z][a-z]*)*$/.test(name) : name === name.toLowerCase();
    const headers = profile.variables.filter(fact => fact.role?.endsWith('-headers'));
    expect(headers.map(fact => fact.role)).toEqual(['request-headers', 'response-headers']);
    expect(headers.flatMap(fact => Object.keys(fact.sample ?? {})).filter(name => !isWritten(name))).toEqual([]);
  });

  it('lists only inputs of some profile as changed by actions', () => {
    const paths = PROFILES.flatMap(one => one.variables.map(fact => fact.path));
    const changed = profile.actions.flatMap(action => action.changes ?? []);
    expect(changed.filter(path => !paths.some(one => `${one}.`.startsWith(`${path}.`)))).toEqual([]);
    expect(changed.length).toBeGreaterThan(0);
  });

  it('has variables set only by its own actions', () => {
    const types = profile.actions.map(action => action.type);
    expect(profile.variables.filter(({ setBy }) => setBy !== undefined && !types.includes(setBy))).toEqual([]);
  });
});

describe('the catalog of edge-v2', () => {
  it.each([
    ['https-route', 'inbound', ['conn', 'req'], ['ClientIP', 'Geo']],
    ['https-route', 'outbound', ['conn', 'req', 'res'], ['ClientIP', 'Geo']],
    ['tls-edge', 'inbound', ['conn'], ['ClientIP', 'Geo', 'TLS']],
    ['tls-edge', 'outbound', ['conn'], ['ClientIP', 'Geo', 'TLS']],
    ['tcp-edge', 'inbound', ['conn'], ['ClientIP', 'Geo']],
  ] as const)('declares on %s in %s the variables %j and the conn fields %j', (endpoint, phase, variables, fields) => {
    const { variables: declared, objects } = declarationsAt(EDGE_V2, { endpoint, phase });
    expect(declared.map(variable => variable.name).sort()).toEqual(variables);
    const conn = objects.find(object => object.name === 'conn')!;
    expect(conn.fields.map(field => field.name)).toEqual(fields);
  });

  it('offers only the CIDR functions on TLS and TCP edges', () => {
    const { functions } = declarationsAt(EDGE_V2, { endpoint: 'tcp-edge', phase: 'inbound' });
    expect(functions.map(fact => fact.name)).toEqual(['inCidrRange', 'inCidrRanges']);
  });

  it('nests sample values by path', () => {
    expect(sampleActivation(EDGE_V2, { endpoint: 'tcp-edge', phase: 'inbound' })).toEqual({
      conn: {
        ClientIP: '203.0.113.7',
        Geo: { CountryCode: 'DE', Latitude: '52.5200', Longitude: '13.4050', LatLongRadiusKm: '20' },
      },
    });
  });
});

describe('the address categories', () => {
  it('are the 335 published ids without those of earlier lists', () => {
    expect(ADDRESS_CATEGORIES).toHaveLength(335);
    expect(repeated(ADDRESS_CATEGORIES)).toEqual([]);
    expect(ADDRESS_CATEGORIES.filter(id => !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(id))).toEqual([]);
    expect(ADDRESS_CATEGORIES.filter(id => /^(?:blocklist\.(?:de|co)|org\.firehol)\./.test(id))).toEqual([]);
  });

  it.each([
    ...['blocklist.blocklist_de', 'blocklist.blocklist_de.ssh', 'blocklist.greensnow_co', 'blocklist.stopforumspam'],
    ...['blocklist.firehol_org.webserver', 'proxy.anonymous.firehol_org', 'com.aws', 'net.zscaler.cenr.continent'],
    ...['com.microsoft.azure', 'com.datadog', 'us.zpagov.zpa', 'com.google.googlebot.ipv6'],
  ])('have %s', id => {
    expect(ADDRESS_CATEGORIES).toContain(id);
  });
});

describe('the catalog of modern', () => {
  it.each([
    ['http-endpoint', ['on_tcp_connect', 'on_http_request', 'on_http_response', 'on_event_stream_message']],
    ['https-route', ['on_http_request', 'on_http_response', 'on_event_stream_message']],
    ['internal-http-endpoint', ['on_http_request', 'on_http_response', 'on_event_stream_message']],
    ['tls-edge', ['on_tcp_connect']],
    ['tcp-endpoint', ['on_tcp_connect']],
  ] as const)('has on %s the phases %j', (endpoint, phases) => {
    expect(phasesAt(MODERN, endpoint)).toEqual(phases);
  });

  it('declares a string with fields as an object that is also a string', () => {
    const { objects } = declarationsAt(MODERN, { endpoint: 'http-endpoint', phase: 'on_http_request' });
    expect(objects.filter(object => object.isString).map(object => object.name)).toEqual([
      'conn.client_ip',
      'conn.server_ip',
      ...['client', 'server'].flatMap(side => [
        `conn.tls.${side}.subject`,
        `conn.tls.${side}.issuer`,
        `conn.tls.${side}.san`,
      ]),
      'req.user_agent',
      'req.url',
      'req.content_type',
      ...['client', 'server'].flatMap(side => [
        `actions.ngrok.terminate_tls.${side}.subject`,
        `actions.ngrok.terminate_tls.${side}.issuer`,
        `actions.ngrok.terminate_tls.${side}.san`,
      ]),
    ]);
  });

  it('stores the string of such an object under a reserved key', () => {
    const { req } = sampleActivation(MODERN, { endpoint: 'http-endpoint', phase: 'on_http_request' });
    expect(req).toMatchObject({ content_type: { [STRING_KEY]: '', raw: '', parameters: {} } });
  });

  it('offers neither a request nor a TLS connection on a TCP connection', () => {
    const { variables, objects } = declarationsAt(MODERN, { endpoint: 'tls-endpoint', phase: 'on_tcp_connect' });
    expect(variables.map(variable => variable.name)).toEqual(['conn', 'endpoint', 'time', 'vars', 'actions']);
    expect(objects.some(object => object.name === 'conn.tls')).toBe(false);
  });
});
