// The interface description (part A of the contract), sentence by sentence, as a client sees it: requests written by hand, sent with
// `fetch`, and nothing of the package that defines the contract but a sample certificate, so that the two cannot agree on the same
// mistake.

import { EXAMPLES } from '@tollgate/edge-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Started, startForTest } from './start.ts';

type Json = Readonly<Record<string, unknown>>;

let started: Started;
let ids: Readonly<
  Record<
    'backend' | 'secondBackend' | 'policy' | 'secondPolicy' | 'authority' | 'edge' | 'tls' | 'tcp' | 'subscription',
    string
  >
>;

beforeAll(async () => {
  started = await startForTest();
  const backend = await idOf('/backends/static', { address: 'a.example.com:443', tls: { enabled: true } });
  ids = {
    backend,
    secondBackend: await idOf('/backends/static', { address: 'b.example.com:443' }),
    policy: await idOf('/ip_policies', { description: 'office' }),
    secondPolicy: await idOf('/ip_policies', { description: 'home' }),
    authority: await idOf('/certificate_authorities', { ca_pem: EXAMPLES.CertificateAuthority?.ca_pem }),
    edge: await idOf('/edges/https', {}),
    tls: await idOf('/edges/tls', {}),
    tcp: await idOf('/edges/tcp', {}),
    subscription: await idOf('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: [await idOf('/event_destinations', DESTINATION)],
    }),
  };
});

afterAll(() => started?.stop());

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const reply = await fetch(`${started.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${started.token}`,
      'service-version': '2',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, text, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

async function idOf(path: string, body: unknown): Promise<string> {
  const { status, body: made, text } = await send('POST', path, body);
  expect(status, `${path}: ${text}`).toBe(201);
  return String(made.id);
}

/** Creates an edge, and returns its answer. */
const edge = async (body: Json = {}): Promise<Json> => (await send('POST', '/edges/https', body)).body;

let routes = 0;

/**
 * Creates a route with modules, and returns the reply. A route that signs users on gets an edge of its own, since the service documents
 * that an edge has one such route (part B 2.5, error 7155).
 */
async function route(body: Json = {}): Promise<Reply> {
  routes += 1;
  const owner = SIGN_ON.some(name => name in body) ? (await edge()).id : ids.edge;
  return await send('POST', `/edges/https/${owner}/routes`, {
    match_type: 'exact_path',
    match: `/r${routes}`,
    ...body,
  });
}

/** Creates a route with one module, and returns the module as the route has it. */
async function moduleOf(name: string, sent: Json): Promise<unknown> {
  const { status, body, text } = await route({ [name]: sent });
  expect(status, text).toBe(201);
  return body[name];
}

/** Expects that a route with a module is refused, and that the error names the place. */
async function refused(name: string, sent: Json, where: string): Promise<void> {
  const { status, text } = await route({ [name]: sent });
  expect([status, text]).toEqual([400, expect.stringContaining(where)]);
}

const SIGN_ON = ['oauth', 'saml', 'oidc'];
const RULE = { name: 'no scanners', expressions: ["'x' in req.Headers"], actions: [{ type: 'deny' }] };
const CONN_RULE = { name: 'old TLS', expressions: ["conn.ClientIP == '10.0.0.1'"], actions: [{ type: 'deny' }] };
const OWN_APP = { client_id: 'id', client_secret: 'secret' };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const DESTINATION = { format: 'json', target: { http: { url: 'https://events.example.com/hook' } } };
const SAML =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"></EntityDescriptor>';

/** The sentences of each section, each with its proof. */
const SENTENCES: Readonly<Record<string, Readonly<Record<string, () => Promise<unknown>>>>> = {
  '2 conventions': {
    '`enabled` of a module defaults to true': async () => {
      for (const name of ['compression', 'request_headers', 'response_headers', 'websocket_tcp_converter', 'policy']) {
        expect(await moduleOf(name, {}), name).toMatchObject({ enabled: true });
      }
      expect(await moduleOf('compression', { enabled: false })).toEqual({ enabled: false });
    },
    'a module that is not configured is returned as null': async () => {
      const { body } = await route();
      const modules = [
        'backend',
        'ip_restriction',
        'circuit_breaker',
        'compression',
        'request_headers',
        'response_headers',
      ];
      const more = [
        'webhook_verification',
        'oauth',
        'saml',
        'oidc',
        'websocket_tcp_converter',
        'user_agent_filter',
        'policy',
      ];
      for (const name of [...modules, ...more]) expect(body[name], name).toBeNull();
    },
    'timestamps are RFC 3339': async () => {
      expect((await edge()).created_at).toMatch(TIME);
      expect((await route()).body.created_at).toMatch(TIME);
    },
    'identifiers are strings that the service assigns': async () => {
      const [one, two] = [await edge(), await edge()];
      expect([typeof one.id, one.id === two.id]).toEqual(['string', false]);
    },
  },
  '2.1 Ref': {
    'has an id and a URI, which locates the resource': async () => {
      const { backend } = (await moduleOf('backend', { backend_id: ids.backend })) as { backend: Json };
      expect(Object.keys(backend).sort()).toEqual(['id', 'uri']);
      expect(backend.id).toBe(ids.backend);
      const found = await fetch(String(backend.uri), {
        headers: { authorization: `Bearer ${started.token}`, 'service-version': '2' },
      });
      expect(((await found.json()) as Json).id).toBe(ids.backend);
    },
  },
  '2.2 HTTPSEdge': {
    'has exactly the fields listed': async () => {
      const listed = [
        'created_at',
        'description',
        'hostports',
        'id',
        'metadata',
        'mutual_tls',
        'routes',
        'tls_termination',
        'uri',
      ];
      expect(Object.keys(await edge()).sort()).toEqual(listed);
    },
    '`description` is optional, of at most 255 bytes': async () => {
      const longest = `${'é'.repeat(127)}x`;
      expect((await edge({ description: longest })).description).toBe(longest);
      expect((await send('POST', '/edges/https', { description: 'é'.repeat(128) })).status).toBe(400);
    },
    '`metadata` is optional, of at most 4096 bytes': async () => {
      const longest = 'm'.repeat(4096);
      expect((await edge({ metadata: longest })).metadata).toBe(longest);
      expect((await send('POST', '/edges/https', { metadata: `${longest}m` })).status).toBe(400);
    },
    '`uri` locates the edge': async () => {
      const { id, uri } = await edge();
      expect(uri).toBe(`${started.baseUrl}/edges/https/${id}`);
    },
    '`hostports` are those served': async () => {
      const hostports = ['interface.example.com:443', 'other.interface.example.com:8443'];
      expect((await edge({ hostports })).hostports).toEqual(hostports);
    },
    '`routes` lists the routes of the edge': async () => {
      const made = (await route()).body;
      const { routes: listed } = (await send('GET', `/edges/https/${ids.edge}`)).body as { routes: readonly Json[] };
      expect(listed.find(one => one.id === made.id)).toEqual(made);
    },
  },
  '2.3, 2.4 mutual TLS': {
    'takes ids of authorities, and returns references': async () => {
      const made = await edge({ mutual_tls: { certificate_authority_ids: [ids.authority] } });
      const uri = `${started.baseUrl}/certificate_authorities/${ids.authority}`;
      expect(made.mutual_tls).toEqual({ enabled: true, certificate_authorities: [{ id: ids.authority, uri }] });
    },
    'may be disabled': async () => {
      const made = await edge({ mutual_tls: { enabled: false, certificate_authority_ids: [ids.authority] } });
      expect(made.mutual_tls).toMatchObject({ enabled: false });
    },
  },
  '2.5, 2.6 TLS termination': {
    'of a request has `enabled` and `min_version`, and is returned with `terminate_at`': async () => {
      const made = await edge({ tls_termination: { min_version: '1.3' } });
      expect(made.tls_termination).toEqual({ enabled: true, terminate_at: 'edge', min_version: '1.3' });
    },
    'without `min_version`, the service picks a default': async () => {
      const made = await edge({ tls_termination: {} });
      expect(made.tls_termination).toMatchObject({ enabled: true, terminate_at: 'edge' });
    },
    '`min_version` must be null if `terminate_at` is `upstream`': async () => {
      const given = (min_version: string | null) =>
        send('POST', '/edges/tls', { tls_termination: { terminate_at: 'upstream', min_version } });
      expect((await given(null)).body.tls_termination).toEqual({
        enabled: true,
        terminate_at: 'upstream',
        min_version: null,
      });
      expect((await given('1.3')).status).toBe(400);
    },
    'at the upstream disallows modules that need the traffic': async () => {
      const mutual_tls = { certificate_authority_ids: [ids.authority] };
      const { status } = await send('POST', '/edges/tls', {
        tls_termination: { terminate_at: 'upstream' },
        mutual_tls,
      });
      expect(status).toBe(400);
    },
  },
  '2.7 HTTPSEdgeRoute': {
    'has the fields listed': async () => {
      const { body } = await route();
      const listed = ['edge_id', 'id', 'created_at', 'match_type', 'match', 'uri', 'description', 'metadata', 'policy'];
      for (const name of listed) expect(Object.keys(body)).toContain(name);
    },
    '`edge_id` is the owning edge': async () => expect((await route()).body.edge_id).toBe(ids.edge),
    '`match_type` is `exact_path` or `path_prefix`': async () => {
      expect((await route({ match_type: 'path_prefix' })).body.match_type).toBe('path_prefix');
      expect((await route({ match_type: 'glob' })).status).toBe(400);
    },
    '`match` is a path, a host, or a host and a path': async () => {
      for (const match of ['/only/path', 'host.example.com', 'host.example.com/path']) {
        expect((await route({ match, match_type: 'path_prefix' })).body.match).toBe(match);
      }
    },
    '`uri` locates the route': async () => {
      const { body } = await route();
      expect(body.uri).toBe(`${started.baseUrl}/edges/https/${ids.edge}/routes/${body.id}`);
    },
    '`description` has at most 255 bytes, `metadata` at most 4096': async () => {
      const most = { description: 'd'.repeat(255), metadata: 'm'.repeat(4096) };
      expect((await route(most)).body).toMatchObject(most);
      expect((await route({ description: 'd'.repeat(256) })).status).toBe(400);
      expect((await route({ metadata: 'm'.repeat(4097) })).status).toBe(400);
    },
  },
  '2.8 route modules': {
    backend: async () => {
      const uri = `${started.baseUrl}/backends/static/${ids.backend}`;
      const backend = { id: ids.backend, uri };
      expect(await moduleOf('backend', { backend_id: ids.backend })).toEqual({ enabled: true, backend });
    },
    'IP restriction': async () => {
      const sent = { ip_policy_ids: [ids.secondPolicy, ids.policy] };
      const answered = (await moduleOf('ip_restriction', sent)) as { ip_policies: readonly Json[] };
      expect(answered.ip_policies.map(one => one.id)).toEqual(sent.ip_policy_ids);
    },
    'circuit breaker': async () => {
      const sent = {
        tripped_duration: 60,
        rolling_window: 30,
        num_buckets: 12,
        volume_threshold: 20,
        error_threshold_percentage: 0.25,
      };
      expect(await moduleOf('circuit_breaker', sent)).toEqual({ enabled: true, ...sent });
    },
    '`num_buckets` is at most 128': async () => {
      const rest = {
        tripped_duration: 60,
        rolling_window: 300,
        volume_threshold: 20,
        error_threshold_percentage: 0.25,
      };
      expect(await moduleOf('circuit_breaker', { ...rest, num_buckets: 128 })).toMatchObject({ num_buckets: 128 });
      await refused('circuit_breaker', { ...rest, num_buckets: 129 }, 'num_buckets');
    },
    '`error_threshold_percentage` is a fraction between 0 and 1': async () => {
      const rest = { tripped_duration: 60, rolling_window: 300, volume_threshold: 20, num_buckets: 10 };
      for (const edgeCase of [0, 1]) {
        const answered = await moduleOf('circuit_breaker', { ...rest, error_threshold_percentage: edgeCase });
        expect(answered).toMatchObject({ error_threshold_percentage: edgeCase });
      }
      for (const outside of [1.01, 100, -0.1]) {
        await refused(
          'circuit_breaker',
          { ...rest, error_threshold_percentage: outside },
          'error_threshold_percentage',
        );
      }
    },
    'whole numbers are 32 bits without a sign': async () => {
      for (const outside of [-1, 1.5, 2 ** 32])
        await refused('circuit_breaker', { tripped_duration: outside }, 'tripped_duration');
    },
    compression: async () => expect(await moduleOf('compression', {})).toEqual({ enabled: true }),
    'request headers': async () => {
      const sent = { add: { 'x-front': 'edge' }, remove: ['x-secret'] };
      expect(await moduleOf('request_headers', sent)).toEqual({ enabled: true, ...sent });
    },
    'response headers': async () => {
      const sent = { add: { 'x-served-by': 'edge' }, remove: ['server'] };
      expect(await moduleOf('response_headers', sent)).toEqual({ enabled: true, ...sent });
    },
    'webhook verification': async () => {
      const sent = { provider: 'github', secret: 'hush' };
      expect(await moduleOf('webhook_verification', sent)).toEqual({ enabled: true, ...sent });
    },
    'a webhook provider must be supported': () =>
      refused('webhook_verification', { provider: 'nobody', secret: 'x' }, 'provider'),
    'a webhook secret is required, but for the one provider': async () => {
      await refused('webhook_verification', { provider: 'github' }, 'secret');
      expect(await moduleOf('webhook_verification', { provider: 'sns' })).toMatchObject({ provider: 'sns' });
    },
    'websocket to TCP converter': async () => {
      expect(await moduleOf('websocket_tcp_converter', { enabled: false })).toEqual({ enabled: false });
    },
    'user agent filter': async () => {
      const sent = { enabled: true, allow: ['Firefox/.*'], deny: ['curl/.*'] };
      expect(await moduleOf('user_agent_filter', sent)).toEqual(sent);
    },
  },
  '2.9, 2.10 OAuth': {
    'has the session fields and `auth_check_interval`': async () => {
      const sent = {
        options_passthrough: true,
        cookie_prefix: 'shop.',
        inactivity_timeout: 600,
        maximum_duration: 3600,
        auth_check_interval: 300,
        provider: { github: { ...OWN_APP } },
      };
      const { provider, ...session } = sent;
      const answered = (await moduleOf('oauth', sent)) as { provider: Json };
      expect(answered).toMatchObject({ enabled: true, ...session });
      expect(answered.provider.github).toMatchObject({ client_id: provider.github.client_id });
    },
    '`cookie_prefix` defaults to the name of the service and a dot': async () => {
      expect(await moduleOf('oauth', { provider: { google: {} } })).toMatchObject({
        cookie_prefix: expect.stringMatching(/^\w+\.$/),
      });
    },
    'has one optional member for each provider': async () => {
      for (const name of ['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon']) {
        const { status, text } = await route({
          oauth: { provider: { [name]: { ...OWN_APP, email_addresses: ['a@example.com'] } } },
        });
        expect(status, `${name}: ${text}`).toBe(201);
      }
    },
    'of a provider, `client_secret` must be present if `client_id` is': () =>
      refused('oauth', { provider: { github: { client_id: 'id' } } }, 'client_secret'),
    '`scopes` need both': async () => {
      await refused('oauth', { provider: { github: { scopes: ['read:org'] } } }, 'scopes');
      const answered = await moduleOf('oauth', { provider: { github: { ...OWN_APP, scopes: ['read:org'] } } });
      expect(answered).toMatchObject({ provider: { github: { scopes: ['read:org'] } } });
    },
    'without `client_id`, the managed application is used': async () => {
      const answered = await moduleOf('oauth', { provider: { google: { email_domains: ['example.com'] } } });
      expect(answered).toMatchObject({ provider: { google: { email_domains: ['example.com'] } } });
    },
    'of GitHub has teams and organizations': async () => {
      const github = { teams: ['org/team'], organizations: ['org'] };
      expect(await moduleOf('oauth', { provider: { github } })).toMatchObject({ provider: { github } });
    },
    'of others has neither': () => refused('oauth', { provider: { google: { teams: ['org/team'] } } }, 'teams'),
  },
  '2.11 SAML': {
    'returns what was sent, and what the service computes': async () => {
      const sent = {
        idp_metadata: SAML,
        force_authn: true,
        allow_idp_initiated: true,
        authorized_groups: ['ops'],
        maximum_duration: 600,
      };
      const answered = (await moduleOf('saml', sent)) as Json;
      expect(answered).toMatchObject({ enabled: true, ...sent });
      for (const name of ['entity_id', 'assertion_consumer_service_url', 'single_logout_url', 'metadata_url']) {
        expect(URL.canParse(String(answered[name])), name).toBe(true);
      }
      expect(answered.entity_id).toBe(answered.metadata_url);
      // This service signs no requests, and says so in the reference.
      expect(answered.request_signing_certificate_pem).toBe('');
    },
    '`nameid_format` defaults to persistent': async () => {
      const nameid_format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
      expect(await moduleOf('saml', { idp_metadata: SAML })).toMatchObject({ nameid_format });
    },
    'has no `auth_check_interval`': () =>
      refused('saml', { idp_metadata: SAML, auth_check_interval: 60 }, 'auth_check_interval'),
  },
  '2.12 OIDC': {
    'returns what was sent': async () => {
      const sent = { issuer: 'https://idp.example.com', ...OWN_APP, scopes: ['email'], inactivity_timeout: 60 };
      expect(await moduleOf('oidc', sent)).toMatchObject({ enabled: true, ...sent });
    },
    'has no `auth_check_interval`': () =>
      refused(
        'oidc',
        { issuer: 'https://idp.example.com', ...OWN_APP, auth_check_interval: 60 },
        'auth_check_interval',
      ),
  },
  '2.13 EndpointPolicy': {
    '`inbound` and `outbound` are null when there are none': async () => {
      expect(await moduleOf('policy', { inbound: [RULE] })).toMatchObject({ enabled: true, outbound: null });
      expect(await moduleOf('policy', {})).toEqual({ enabled: true, inbound: null, outbound: null });
    },
    'a rule has a name, expressions and actions': async () => {
      const answered = (await moduleOf('policy', { inbound: [RULE] })) as { inbound: readonly Json[] };
      expect(answered.inbound[0]).toEqual({ ...RULE, actions: [{ type: 'deny', config: null }] });
    },
    '`url-rewrite` has `from` and `to`': () =>
      acceptsAction({ type: 'url-rewrite', config: { from: '/a/(.*)', to: '/b/$1?id=1' } }),
    '`custom-response` has `content`, `headers` and `status_code`': () =>
      acceptsAction({
        type: 'custom-response',
        config: { content: 'x', headers: { 'content-type': 'text/plain' }, status_code: 503 },
      }),
    '`deny` may have `status_code`': () => acceptsAction({ type: 'deny', config: { status_code: 404 } }),
    '`log` has `metadata`': () => acceptsAction({ type: 'log', config: { metadata: { rule: 'one' } } }),
    'expressions read the inputs that were seen': async () => {
      const inputs = [
        "req.URL.contains('/admin')",
        "req.Method == 'POST' || req.Method in ['PUT', 'PATCH']",
        'req.ContentLength > 100',
        "'x-key' in req.Headers && req.Headers['x-key'][0] == 'a'",
        "conn.Geo.CountryCode != 'FR'",
        "conn.ClientIP == '10.0.0.1'",
        "conn.TLS.Version < '1.2'",
      ];
      const inbound = inputs.map(expression => ({ ...RULE, expressions: [expression] }));
      const outbound = [
        {
          ...RULE,
          expressions: ['res.StatusCode >= 500'],
          actions: [{ type: 'log', config: { metadata: { a: 'b' } } }],
        },
      ];
      const { status, text } = await route({ policy: { inbound, outbound } });
      expect(status, text).toBe(201);
    },
  },
  '2.15 FailoverBackend': {
    'has the fields listed, and its children in order': async () => {
      const backends = [ids.secondBackend, ids.backend];
      const { status, body } = await send('POST', '/backends/failover', { description: 'd', metadata: 'm', backends });
      expect([status, body]).toEqual([
        201,
        {
          id: body.id,
          uri: `${started.baseUrl}/backends/failover/${body.id}`,
          created_at: expect.stringMatching(TIME),
          description: 'd',
          metadata: 'm',
          backends,
        },
      ]);
    },
  },
  '2.16 EventSource': {
    'has a type and a URI that ends with subscription, `/sources/` and type': async () => {
      const { status, body } = await send('POST', `/event_subscriptions/${ids.subscription}/sources`, {
        type: 'ip_policy_deleted.v0',
      });
      expect([status, Object.keys(body).sort(), body.type]).toEqual([201, ['type', 'uri'], 'ip_policy_deleted.v0']);
      expect(String(body.uri)).toMatch(new RegExp(`${ids.subscription}/sources/ip_policy_deleted\\.v0$`));
    },
  },
  '4.2 create an edge': {
    'all fields are optional': async () => {
      const { status, body } = await send('POST', '/edges/https', {});
      expect([status, body]).toMatchObject([201, { mutual_tls: null, tls_termination: null, routes: [] }]);
    },
  },
  '4.3 get an edge': {
    'answers the edge with 200': async () => {
      const made = await edge({ description: 'one' });
      expect(await send('GET', `/edges/https/${made.id}`)).toMatchObject({ status: 200, body: made });
    },
  },
  '4.4 list edges': {
    'answers all edges, the URI of the list and that of the next page': async () => {
      const made = await edge();
      const seen: unknown[] = [];
      let path: string | null = '/edges/https?limit=20';
      while (path !== null) {
        const { status, body } = await send('GET', path);
        const page = body as { https_edges: readonly Json[]; uri: string; next_page_uri: string | null };
        expect([status, URL.canParse(page.uri)]).toEqual([200, true]);
        seen.push(...page.https_edges.map(one => one.id));
        path = page.next_page_uri?.slice(started.baseUrl.length) ?? null;
      }
      expect(seen).toEqual(expect.arrayContaining([made.id, ids.edge]));
      expect(new Set(seen).size).toBe(seen.length);
    },
    '`next_page_uri` is null on the last page': async () => {
      expect((await send('GET', '/edges/tcp')).body).toMatchObject({ next_page_uri: null });
    },
  },
  '4.5 update an edge': {
    'a module that is not in the body is unchanged': async () => {
      const made = await edge({ tls_termination: { min_version: '1.3' } });
      const { body } = await send('PATCH', `/edges/https/${made.id}`, { description: 'changed' });
      expect(body).toEqual({ ...made, description: 'changed' });
    },
    'a module in the body replaces the whole module': async () => {
      const made = await edge({ tls_termination: { enabled: false, min_version: '1.3' } });
      const { body } = await send('PATCH', `/edges/https/${made.id}`, { tls_termination: { min_version: '1.2' } });
      expect(body.tls_termination).toMatchObject({ enabled: true, min_version: '1.2' });
    },
    'no module can be deleted by it': async () => {
      const made = await edge({ tls_termination: { min_version: '1.3' } });
      const { body } = await send('PATCH', `/edges/https/${made.id}`, { tls_termination: null });
      expect(body.tls_termination ?? made.tls_termination).toEqual(made.tls_termination);
      expect((await send('GET', `/edges/https/${made.id}`)).body.tls_termination).toEqual(made.tls_termination);
    },
    'takes all five fields': async () => {
      const { id } = await edge();
      const sent = { description: 'd', metadata: 'm', hostports: ['five.example.com:443'] };
      const modules = {
        mutual_tls: { certificate_authority_ids: [ids.authority] },
        tls_termination: { min_version: '1.2' },
      };
      const { status, body } = await send('PATCH', `/edges/https/${id}`, { ...sent, ...modules });
      expect([status, body]).toMatchObject([
        200,
        { ...sent, mutual_tls: { enabled: true }, tls_termination: { min_version: '1.2' } },
      ]);
    },
  },
  '4.6 to 4.8 modules with their own paths': {
    'webhook verification of a route': async () => {
      const at = `/edges/https/${ids.edge}/routes/${(await route()).body.id}/webhook_verification`;
      await replacesReadsAndDeletes(
        at,
        { provider: 'github', secret: 'hush' },
        { enabled: true, provider: 'github', secret: 'hush' },
      );
    },
    'policy of a route': async () => {
      const at = `/edges/https/${ids.edge}/routes/${(await route()).body.id}/policy`;
      await replacesReadsAndDeletes(
        at,
        { enabled: false, inbound: [RULE], outbound: [] },
        { enabled: false, inbound: [answeredRule(RULE)] },
      );
    },
    'policy of a TLS edge': () =>
      replacesReadsAndDeletes(
        `/edges/tls/${ids.tls}/policy`,
        { inbound: [CONN_RULE] },
        { enabled: true, inbound: [answeredRule(CONN_RULE)], outbound: null },
      ),
    'policy of a TCP edge': () =>
      replacesReadsAndDeletes(
        `/edges/tcp/${ids.tcp}/policy`,
        { inbound: [CONN_RULE] },
        { enabled: true, inbound: [answeredRule(CONN_RULE)], outbound: null },
      ),
    'an expression of a TLS edge reads the TLS version': async () => {
      const inbound = [{ ...CONN_RULE, expressions: ["conn.TLS.Version == '1.2'"] }];
      expect((await send('PUT', `/edges/tls/${ids.tls}/policy`, { inbound })).status).toBe(200);
    },
  },
  '4.9 IP restriction of a TLS edge': {
    'answers references in the order sent': async () => {
      const at = `/edges/tls/${ids.tls}/ip_restriction`;
      const order = [ids.secondPolicy, ids.policy];
      const { status, body } = await send('PUT', at, { ip_policy_ids: order });
      const ip_policies = order.map(id => ({ id, uri: `${started.baseUrl}/ip_policies/${id}` }));
      expect([status, body]).toEqual([200, { enabled: true, ip_policies }]);
      expect(await send('GET', at)).toMatchObject({ status: 200, body });
    },
  },
  '4.10, 4.11 failover backends': {
    'description and metadata are optional': async () => {
      expect((await send('POST', '/backends/failover', { backends: [ids.backend] })).status).toBe(201);
    },
    'are deleted by id, without a body': async () => {
      const id = await idOf('/backends/failover', { backends: [ids.backend] });
      expect(await send('DELETE', `/backends/failover/${id}`)).toMatchObject({ status: 204, text: '' });
      expect((await send('GET', `/backends/failover/${id}`)).status).toBe(404);
    },
  },
  '4.12, 4.13 event sources': {
    'are added and removed by type': async () => {
      const at = `/event_subscriptions/${ids.subscription}`;
      const types = async () =>
        ((await send('GET', at)).body as { sources: readonly Json[] }).sources.map(one => one.type);
      expect((await send('POST', `${at}/sources`, { type: 'tcp_edge_created.v0' })).status).toBe(201);
      expect(await types()).toContain('tcp_edge_created.v0');
      expect(await send('DELETE', `${at}/sources/tcp_edge_created.v0`)).toMatchObject({ status: 204, text: '' });
      expect(await types()).not.toContain('tcp_edge_created.v0');
    },
  },
  '5 authentication': {
    'every request carries a key': async () => {
      const { status } = await send('GET', '/edges/https', undefined, { authorization: '' });
      expect(status).toBe(403);
    },
    'every request carries the version': async () => {
      expect((await send('GET', '/edges/https', undefined, { 'service-version': '' })).status).toBe(400);
    },
    'a request with a body carries its type': async () => {
      expect((await send('POST', '/edges/https', {}, { 'content-type': 'text/plain' })).status).toBe(415);
    },
  },
  '6 events': {
    'a type has the form `<resource>_<change>.v<number>`': async () => {
      expect(
        (await send('POST', `/event_subscriptions/${ids.subscription}/sources`, { type: 'nonsense' })).status,
      ).toBe(400);
    },
  },
};

/** Sends an action within a policy of a route, and expects it back. */
async function acceptsAction(action: Json): Promise<void> {
  const answered = await moduleOf('policy', { inbound: [{ ...RULE, actions: [action] }] });
  expect(answered).toMatchObject({ inbound: [{ actions: [action] }] });
}

const answeredRule = (rule: typeof RULE): Json => ({ ...rule, actions: [{ type: 'deny', config: null }] });

/** Replaces a module, reads and deletes it. */
async function replacesReadsAndDeletes(at: string, sent: Json, answered: Json): Promise<void> {
  const replaced = await send('PUT', at, sent);
  expect([replaced.status, replaced.body]).toMatchObject([200, answered]);
  expect(await send('GET', at)).toMatchObject({ status: 200, body: replaced.body });
  expect(await send('DELETE', at)).toMatchObject({ status: 204, text: '' });
}

for (const [section, sentences] of Object.entries(SENTENCES)) {
  describe(`part A ${section}`, () => {
    it.each(Object.entries(sentences))('%s', async (_, proof) => {
      await proof();
    });
  });
}
