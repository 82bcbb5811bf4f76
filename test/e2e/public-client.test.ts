import { createRequire } from 'node:module';
import type { Ngrok as NgrokClient } from '@ngrok/ngrok-api';
import { createClient, EXAMPLES } from '@tollgate/edge-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Started, startForTest } from '../edge-api/start.ts';

/**
 * The published client of a compatible service, run against the server with nothing but its base URL changed. It has habits: camel-case
 * keys, path parameters repeated in bodies, wrapped modules, `beforeId` in queries, and a required body in the response to a deletion, for
 * which the server has a setting.
 */
const require = createRequire(import.meta.url);
const { Ngrok } = require('@ngrok/ngrok-api') as { readonly Ngrok: typeof NgrokClient };
const services = require('@ngrok/ngrok-api/lib/services') as Readonly<Record<string, new (http: unknown) => Module>>;

type Members = Readonly<Record<string, unknown>>;

/** The methods of the client for every record kind. */
interface Records {
  readonly create: (body: Members) => Promise<Members>;
  readonly get: (id: string) => Promise<Members>;
  readonly list: (beforeId?: string, limit?: string) => Promise<readonly Members[]>;
  readonly update: (body: Members) => Promise<Members>;
  readonly delete: (id: string) => Promise<unknown>;
}

/** The methods for every module; for a route, both identifiers are given. */
interface Module {
  readonly replace: (body: Members) => Promise<Members>;
  readonly get: (id: unknown) => Promise<Members>;
  readonly delete: (id: unknown) => Promise<unknown>;
}

/** The methods for records with more than one identifier. */
interface Placed {
  readonly create: (body: Members) => Promise<Members>;
  readonly get: (place: Members) => Promise<Members>;
  readonly list: (place: Members) => Promise<Members>;
  readonly update: (body: Members) => Promise<Members>;
  readonly delete: (place: Members) => Promise<unknown>;
}

/** The error responses of the service. */
interface Refusal {
  readonly errorCode?: string;
  readonly statusCode: number;
  readonly details: ReadonlyMap<string, string>;
}

let server: Started;
let client: Record<string, Records> & { readonly httpClient: unknown };
let backends: Readonly<Record<string, Records>>;
let edges: Readonly<Record<string, Records>>;
let modules: Readonly<Record<string, Module>>;
let routes: Placed;
let sources: Placed;

function clientOf({ baseUrl, token }: Started): NgrokClient {
  return new Ngrok({ apiToken: token, baseUrl });
}

beforeAll(async () => {
  server = await startForTest({
    versionHeaders: 'Service-Version,Ngrok-Version',
    operationIdHeader: 'Ngrok-Operation-Id',
    errorPrefix: 'ERR_NGROK_',
    answerDeletes: true,
  });
  // The types of the client require fields that its service does not; this test is about what it sends.
  const raw: object = clientOf(server);
  client = raw as typeof client;
  sources = (raw as { readonly eventSources: Placed }).eventSources;
  routes = (raw as { readonly edges: { readonly edgesHttpsRoutes: Placed } }).edges.edgesHttpsRoutes;
  ({
    backends,
    edges,
    edgeModules: modules,
  } = raw as {
    readonly backends: typeof backends;
    readonly edges: typeof edges;
    readonly edgeModules: typeof modules;
  });
});

afterAll(() => server?.stop());

async function idOf(made: Promise<Members>): Promise<string> {
  return String((await made).id);
}

function fieldsOf(record: Members, like: Members): Members {
  return Object.fromEntries(Object.keys(like).map(key => [key, record[key]]));
}

/** Creates, reads, updates, pages and deletes two records of one kind. */
async function life(
  records: Records,
  body: (index: number) => Members | Promise<Members>,
  answered: Members = {},
): Promise<void> {
  const before = await records.list();
  const first = await records.create(await body(1));
  const second = await records.create(await body(2));
  expect(fieldsOf(first, answered)).toEqual(answered);
  const id = String(first.id);
  const read = await records.get(id);
  expect({ ...read, token: undefined }).toEqual({ ...first, token: undefined });
  const updated = await records.update({ id, description: 'new', metadata: 'changed' });
  expect(fieldsOf(updated, { description: 0, metadata: 0 })).toEqual({ description: 'new', metadata: 'changed' });
  const paged = await records.list(undefined, '1');
  expect(paged.map(record => record.id).slice(0, 2)).toEqual([second.id, first.id]);
  expect(paged).toHaveLength(before.length + 2);
  expect((await records.list(String(second.id))).map(record => record.id)).not.toContain(second.id);
  for (const made of [first, second]) await records.delete(String(made.id));
  expect(await records.list()).toHaveLength(before.length);
  const refusal = await records.get(id).then(
    () => undefined,
    (error: Refusal) => error,
  );
  expect([refusal?.statusCode, refusal?.errorCode]).toEqual([404, undefined]);
  expect(refusal?.details.get('operationId')).toMatch(/^op_/);
}

/** Puts, reads and deletes one module. */
async function moduleLife(module: Module, place: Members | string, body: Members): Promise<void> {
  const ids = typeof place === 'string' ? { id: place } : place;
  const put = await module.replace({ ...ids, module: body });
  expect(await module.get(place)).toEqual(put);
  await module.delete(place);
  const refusal = await module.get(place).then(
    () => undefined,
    (error: Refusal) => error,
  );
  expect(refusal?.statusCode).toBe(404);
}

describe('records', () => {
  const ipPolicy = () => idOf(client.ipPolicies!.create({ description: 'made for others' }));

  it('of all backends', async () => {
    const { staticBackends, httpResponseBackends, tunnelGroupBackends, failoverBackends, weightedBackends } = backends;
    await life(staticBackends!, () => ({ address: 'a.example:80', tls: { enabled: true } }), {
      tls: { enabled: true },
    });
    await life(httpResponseBackends!, () => ({ body: 'hi', headers: { server: 'us' }, statusCode: 203 }), {
      statusCode: 203,
    });
    await life(tunnelGroupBackends!, () => ({ labels: { app: 'shop' } }), { labels: { app: 'shop' }, tunnels: [] });
    const child = await idOf(staticBackends!.create({ address: 'b.example:80', tls: {} }));
    await life(failoverBackends!, () => ({ backends: [child] }), { backends: [child] });
    // The client rewrites the keys of maps, which are identifiers here, so it can name no child.
    await life(weightedBackends!, () => ({ backends: {} }), { backends: {} });
  });

  it('of IP policies, rules and restrictions', async () => {
    const { ipPolicies, ipPolicyRules, ipRestrictions } = client;
    await life(ipPolicies!, () => ({}));
    const ipPolicyId = await ipPolicy();
    await life(ipPolicyRules!, index => ({ cidr: `10.${index}.0.0/16`, ipPolicyId, action: 'deny' }), {
      action: 'deny',
      cidr: '10.1.0.0/16',
    });
    await life(ipRestrictions!, async () => ({ type: 'agent', enforced: false, ipPolicyIds: [await ipPolicy()] }), {
      type: 'agent',
    });
  });

  it('of certificate authorities, API keys and reservations', async () => {
    const { certificateAuthorities, apiKeys, reservedAddrs, reservedDomains } = client;
    const { ca_pem: caPem } = EXAMPLES.CertificateAuthority!;
    await life(certificateAuthorities!, () => ({ caPem }), { subjectCommonName: 'Example Authority' });
    await life(apiKeys!, () => ({ description: 'k' }));
    await life(reservedAddrs!, () => ({ region: 'eu' }), { region: 'eu' });
    await life(reservedDomains!, index => ({ domain: `d${index}.example.com`, region: 'eu' }), {
      domain: 'd1.example.com',
    });
  });

  it('of event destinations, subscriptions and their sources', async () => {
    const { eventDestinations, eventSubscriptions } = client;
    const target = { datadog: { apiKey: 'k', ddtags: 'a:b' } };
    await life(eventDestinations!, () => ({ format: 'json', target }), { format: 'json' });
    const destinationIds = [await idOf(eventDestinations!.create({ format: 'json', target }))];
    const body = { sources: [{ type: 'ip_policy_created.v0' }], destinationIds };
    await life(eventSubscriptions!, () => body);
    const subscriptionId = await idOf(eventSubscriptions!.create(body));
    const one = { subscriptionId, type: 'ip_policy_deleted.v0' };
    const made = await sources.create(one);
    expect(made.uri).toBe(`${server.baseUrl}/event_subscriptions/${subscriptionId}/sources/ip_policy_deleted.v0`);
    expect([await sources.get(one), await sources.update(one)]).toEqual([made, made]);
    expect((await sources.list({ subscriptionId })).sources).toHaveLength(2);
    await sources.delete(one);
    expect((await sources.list({ subscriptionId })).sources).toHaveLength(1);
  });

  it('of HTTPS, TLS and TCP edges', async () => {
    const { edgesHttps, edgesTls, edgesTcp } = edges;
    const hostports = (index: number) => [`e${index}.example.com:443`];
    await life(edgesHttps!, index => ({ hostports: hostports(index) }), {
      hostports: hostports(1),
      routes: [],
      mutualTls: null,
    });
    await life(
      edgesTls!,
      index => ({ hostports: hostports(index), tlsTermination: { terminateAt: 'edge', minVersion: '1.3' } }),
      {
        tlsTermination: { enabled: true, terminateAt: 'edge', minVersion: '1.3' },
      },
    );
    await life(edgesTcp!, index => ({ hostports: hostports(index) }), { policy: null });
  });

  it('of routes, found in their edge', async () => {
    const { edgesHttps } = edges;
    const edgeId = await idOf(edgesHttps!.create({}));
    const made = await routes.create({ edgeId, matchType: 'path_prefix', match: '/', compression: {} });
    const place = { edgeId, id: made.id };
    expect(await routes.get(place)).toEqual(made);
    const updated = await routes.update({ ...place, matchType: 'exact_path', match: '/a' });
    expect([updated.match, updated.compression]).toEqual(['/a', { enabled: true }]);
    expect((await edgesHttps!.get(edgeId)).routes).toEqual([updated]);
    await routes.delete(place);
    expect((await edgesHttps!.get(edgeId)).routes).toEqual([]);
  });
});

it('lists and reads endpoints', async () => {
  const ours = createClient({ baseUrl: server.baseUrl, token: server.token });
  const made = await ours.endpointsCreate({ body: { url: 'https://app.example.com' } });
  expect(made.ok).toBe(true);
  const [endpoint] = await client.endpoints!.list();
  expect([endpoint?.id, endpoint?.publicUrl]).toEqual([made.ok && made.value.id, 'https://app.example.com']);
  expect(await client.endpoints!.get(String(endpoint?.id))).toEqual(endpoint);
});

describe('modules', () => {
  const POLICY = {
    inbound: [{ name: 'n', expressions: ["conn.ClientIP == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
  };
  const backendId = () => idOf(backends.staticBackends!.create({ address: 'a.example:80', tls: {} }));
  const ipPolicyIds = async () => [await idOf(client.ipPolicies!.create({}))];
  const certificateAuthorityIds = async () => [
    await idOf(client.certificateAuthorities!.create({ caPem: EXAMPLES.CertificateAuthority!.ca_pem })),
  ];

  it('of routes', async () => {
    const edgeId = await idOf(edges.edgesHttps!.create({}));
    const id = await idOf(routes.create({ edgeId, matchType: 'path_prefix', match: '/' }));
    const bodies: Readonly<Record<string, Members>> = {
      Backend: { backendId: await backendId() },
      IpRestriction: { ipPolicyIds: await ipPolicyIds() },
      RequestHeaders: { add: { frontend: 'edge' }, remove: ['secret'] },
      ResponseHeaders: { add: { server: 'edge' }, remove: ['via'] },
      Compression: { enabled: false },
      CircuitBreaker: {
        trippedDuration: 1,
        rollingWindow: 2,
        numBuckets: 3,
        volumeThreshold: 4,
        errorThresholdPercentage: 0.5,
      },
      WebhookVerification: { provider: 'GitHub', secret: 's' },
      Oauth: { provider: { google: { emailDomains: ['example.com'] } } },
      Saml: { idpMetadata: '<EntityDescriptor></EntityDescriptor>' },
      Oidc: { issuer: 'https://idp.example.com', clientId: 'c', clientSecret: 's' },
      WebsocketTcpConverter: {},
      UserAgentFilter: { allow: ['a'], deny: ['b'] },
    };
    for (const [name, body] of Object.entries(bodies)) {
      const key = `edgeRoute${name === 'Oauth' ? 'OAuth' : name}Module`;
      await moduleLife(modules[key]!, { edgeId, id }, body);
    }
    expect(Object.keys(modules).filter(name => name.startsWith('edgeRoute'))).toHaveLength(Object.keys(bodies).length);
    await moduleLife(new services.EdgeRoutePolicyModule!(client.httpClient), { edgeId, id }, POLICY);
  });

  it('of edges', async () => {
    const https = await idOf(edges.edgesHttps!.create({}));
    const tls = await idOf(edges.edgesTls!.create({ tlsTermination: { terminateAt: 'edge' } }));
    const tcp = await idOf(edges.edgesTcp!.create({}));
    await moduleLife(modules.httpsEdgeMutualTlsModule!, https, {
      certificateAuthorityIds: await certificateAuthorityIds(),
    });
    await moduleLife(modules.httpsEdgeTlsTerminationModule!, https, { minVersion: '1.3' });
    await moduleLife(modules.tlsEdgeMutualTlsModule!, tls, {
      certificateAuthorityIds: await certificateAuthorityIds(),
    });
    await moduleLife(modules.tlsEdgeTlsTerminationModule!, tls, { terminateAt: 'edge', minVersion: '1.2' });
    for (const [id, kind] of [
      [tls, 'tls'],
      [tcp, 'tcp'],
    ] as const) {
      await moduleLife(modules[`${kind}EdgeBackendModule`]!, id, { backendId: await backendId() });
      await moduleLife(modules[`${kind}EdgeIpRestrictionModule`]!, id, { ipPolicyIds: await ipPolicyIds() });
      await moduleLife(new services[`${kind.toUpperCase()}EdgePolicyModule`]!(client.httpClient), id, POLICY);
    }
  });
});

it('returns errors that the client can read, with the codes that it compares', async () => {
  const refusal = await edges.edgesHttps!.create({ description: 'x'.repeat(256) }).then(
    () => undefined,
    (error: Refusal) => error,
  );
  expect([refusal?.statusCode, refusal?.errorCode, refusal?.details.get('field')]).toEqual([
    400,
    'ERR_NGROK_7073',
    'description',
  ]);
});

it('fails to delete without the setting for this client, which rejects empty responses', async () => {
  const strict = await startForTest({ versionHeaders: 'Ngrok-Version' });
  try {
    const raw: object = clientOf(strict);
    const { ipPolicies } = raw as { readonly ipPolicies: Records };
    const id = await idOf(ipPolicies.create({}));
    await expect(ipPolicies.delete(id)).rejects.toBeDefined();
    expect(await ipPolicies.list()).toEqual([]);
  } finally {
    await strict.stop();
  }
});
