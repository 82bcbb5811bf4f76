import assert from 'node:assert/strict';
import { LIMITS, type OperationId, type RecordKindName, SERVER_RULES } from '@tollgate/edge-api';
import { REFUSAL_CASES, type RefusalCase } from '../../refusals/refusal-cases.ts';
import type { ApiFixture } from '../api-fixture.ts';
import { assertError, type ServerCase } from '../server-case.ts';

type RuleId = (typeof SERVER_RULES)[number]['id'];

const OIDC = { issuer: 'https://idp.example.com', client_id: 'a', client_secret: 'b' };
const OAUTH = { provider: { google: {} } };

/** The claims about rules between records. Rules that a setting enables are disabled here, which is claimed as well. */
export function serverRuleCases(): readonly ServerCase[] {
  return [...RULE_CASES, ...policyCases(), ...deletionCases()];
}

const RULE_CASES: readonly ServerCase[] = [
  rule('reference-exists', 'refuses a record that names what has just been deleted', async api => {
    const { id, path } = await api.make('static_backend');
    await api.call('StaticBackendsDelete', { path });
    const body = { backend: { backend_id: id } };
    assertError(await api.call('EdgesTcpCreate', { body }), 400, 6501, 'backend.backend_id');
  }),
  rule('hostport-unused', 'refuses a hostport that another edge has', async api => {
    const hostports = [`h${crypto.randomUUID()}.example.com:443`];
    await api.make('tls_edge', { hostports });
    assertError(await api.call('EdgesHttpsCreate', { body: { hostports } }), 400, 7122, 'hostports[0]');
  }),
  rule('hostport-unused', 'takes a hostport again after its edge is gone', async api => {
    const hostports = [`h${crypto.randomUUID()}.example.com:443`];
    const { path } = await api.make('https_edge', { hostports });
    await api.call('EdgesHttpsDelete', { path });
    assert.equal((await api.call('EdgesTcpCreate', { body: { hostports } })).status, 201);
  }),
  rule('hostport-unused', 'takes an edge’s own hostport in its update', async api => {
    const hostports = [`h${crypto.randomUUID()}.example.com:443`];
    const { path } = await api.make('https_edge', { hostports });
    assert.equal((await api.call('EdgesHttpsUpdate', { path, body: { hostports } })).status, 200);
  }),
  rule('route-of-edge', 'finds no route through another edge', async api => {
    const { path } = await api.make('https_edge_route');
    const { id } = await api.make('https_edge');
    const answer = await api.call('EdgesHttpsRoutesGet', { path: { ...path, edge_id: id } });
    assert.ok([400, 404].includes(answer.status), answer.text);
  }),
  rule('route-match-unused', 'refuses a second route with the same match', async api => {
    const { path } = await api.make('https_edge_route', { match_type: 'exact_path', match: '/same' });
    const body = { match_type: 'exact_path', match: '/same' };
    assertError(await api.call('EdgesHttpsRoutesCreate', { path, body }), 400, 7126, 'match');
  }),
  rule('one-sign-on-module', 'refuses a second module that signs users on', async api => {
    const { path } = await api.make('https_edge_route');
    assert.equal((await api.call('EdgeRouteOidcModuleReplace', { path, body: OIDC })).status, 200);
    assertError(await api.call('EdgeRouteOAuthModuleReplace', { path, body: OAUTH }), 400, 7079);
  }),
  rule('one-sign-on-module', 'takes a second one that is not enabled', async api => {
    const { path } = await api.make('https_edge_route');
    await api.call('EdgeRouteOidcModuleReplace', { path, body: OIDC });
    assert.equal(
      (await api.call('EdgeRouteOAuthModuleReplace', { path, body: { ...OAUTH, enabled: false } })).status,
      200,
    );
  }),
  rule('one-sign-on-route', 'refuses to sign users on by a second route of an edge', async api => {
    const one = await api.make('https_edge_route', { match_type: 'exact_path', match: '/one', oidc: OIDC });
    const body = { match_type: 'exact_path', match: '/two', oauth: OAUTH };
    assertError(await api.call('EdgesHttpsRoutesCreate', { path: { edge_id: one.path.edge_id! }, body }), 400, 7155);
  }),
  rule('sign-on-needs-path', 'refuses to sign users on by a route that matches a host', async api => {
    const { id } = await api.make('https_edge');
    const body = { match_type: 'exact_path', match: 'shop.example.com', oidc: OIDC };
    assertError(await api.call('EdgesHttpsRoutesCreate', { path: { edge_id: id }, body }), 400, 7134);
  }),
  rule('mutual-tls-needs-termination', 'refuses to pass TLS through on an edge with mutual TLS', async api => {
    const ca = await api.shared('certificate_authority');
    const { path } = await api.make('tls_edge', {
      tls_termination: { terminate_at: 'edge' },
      mutual_tls: { certificate_authority_ids: [ca] },
    });
    const answer = await api.call('TlsEdgeTlsTerminationModuleReplace', { path, body: { terminate_at: 'upstream' } });
    assertError(answer, 400, 1694);
  }),
  rule('mutual-tls-needs-termination', 'refuses mutual TLS on an edge that passes TLS through', async api => {
    const ca = await api.shared('certificate_authority');
    const body = { tls_termination: { terminate_at: 'upstream' }, mutual_tls: { certificate_authority_ids: [ca] } };
    assertError(await api.call('EdgesTlsCreate', { body }), 400, 1694);
  }),
  rule('cidr-unused', 'refuses a second rule for the same range', async api => {
    const { id } = await api.make('ip_policy');
    const body = { cidr: '10.0.0.0/8', ip_policy_id: id };
    await api.make('ip_policy_rule', body);
    assertError(await api.call('IpPolicyRulesCreate', { body }), 400, 1408, 'cidr');
  }),
  rule('routes-bounded', `refuses more than ${LIMITS.routes} routes of an edge`, async api => {
    const { id } = await api.make('https_edge');
    const create = (index: number) =>
      api.call('EdgesHttpsRoutesCreate', {
        path: { edge_id: id },
        body: { match_type: 'exact_path', match: `/${index}` },
      });
    for (let index = 0; index < LIMITS.routes; index++) assert.equal((await create(index)).status, 201);
    assertError(await create(LIMITS.routes), 400, 7128);
  }),
  rule('cidrs-bounded', `refuses more than ${LIMITS.rulesOfIpPolicy} rules of an IP policy`, async api => {
    const { id } = await api.make('ip_policy');
    const create = (index: number) =>
      api.call('IpPolicyRulesCreate', { body: { cidr: `10.${index >> 8}.${index & 255}.0/24`, ip_policy_id: id } });
    for (let index = 0; index < LIMITS.rulesOfIpPolicy; index++) assert.equal((await create(index)).status, 201);
    assertError(await create(LIMITS.rulesOfIpPolicy), 400, 1411);
  }),
  rule('source-unused', 'refuses a source that the subscription has', async api => {
    const { id } = await api.make('event_subscription');
    const request = { path: { subscription_id: id }, body: { type: 'ip_policy_created.v0' } };
    assertError(await api.call('EventSourcesCreate', request), 400, 5127);
  }),
  rule('target-kind-kept', 'refuses another kind of target in an update', async api => {
    const { path } = await api.make('event_destination');
    const body = { target: { http: { url: 'https://events.example.com' } } };
    assertError(await api.call('EventDestinationsUpdate', { path, body }), 400, 5108);
  }),
  rule('domain-unused', 'refuses a domain that is reserved already', async api => {
    const domain = `d${crypto.randomUUID()}.example.com`;
    await api.make('reserved_domain', { domain });
    assertError(await api.call('ReservedDomainsCreate', { body: { domain } }), 400, 414);
  }),
  rule('domain-reserved', 'is off: takes a hostport of a domain that is not reserved', takesAnyHostport),
  rule('domain-port', 'is off: takes a domain with another port than 443', takesAnyHostport),
  rule('address-reserved', 'is off: takes an address that is not reserved', async api => {
    const hostports = [`h${crypto.randomUUID()}.example.com:20001`];
    assert.equal((await api.call('EdgesTcpCreate', { body: { hostports } })).status, 201);
  }),
];

function rule(id: RuleId, claim: string, run: ServerCase['run']): ServerCase {
  const { code, source } = SERVER_RULES.find(one => one.id === id)!;
  return { name: `${id} (${code}): ${claim}`, row: id, source, run };
}

async function takesAnyHostport(api: ApiFixture): Promise<void> {
  const hostports = [`h${crypto.randomUUID()}.example.com:8443`];
  assert.equal((await api.call('EdgesHttpsCreate', { body: { hostports } })).status, 201);
}

const WRONG_POLICIES: readonly (readonly [claim: string, rule: object, number: number])[] = [
  ['an expression that does not compile', { expressions: ['req.'], actions: [{ type: 'deny' }] }, 2200],
  ['an unknown name', { expressions: ['nobody.home'], actions: [{ type: 'deny' }] }, 2200],
  ['an unknown action', { actions: [{ type: 'explode' }] }, 2201],
  ['a number out of range', { actions: [{ type: 'deny', config: { status_code: 99 } }] }, 2215],
  ['an action after a terminating one', { actions: [{ type: 'deny' }, { type: 'log' }] }, 2207],
  ['an action of a rule over the limit', { actions: Array.from({ length: 1001 }, () => ({ type: 'log' })) }, 2265],
  ['a configuration with an unknown key', { actions: [{ type: 'deny', config: { surprise: 1 } }] }, 2203],
];

/** Policies that the linter rejects. */
const LINTED: readonly RefusalCase[] = [
  {
    number: 2211,
    code: 'header/value-invalid',
    bad: 'on_http_request: [{ actions: [{ type: add-headers, config: { headers: { x-a: "b\\nc" } } }] }]',
    good: '',
  },
  {
    number: 2219,
    code: 'header/reserved',
    bad: 'on_http_request: [{ actions: [{ type: remove-headers, config: { headers: [user-agent] } }] }]',
    good: '',
  },
];

/** Without the endpoint kinds that are not edges, or whose body has tens of thousands of rules. */
const REFUSED = [...LINTED, ...REFUSAL_CASES].filter(
  ({ endpoint, number }, index, all) =>
    endpoint === undefined && number !== 2264 && all.findIndex(one => one.number === number) === index,
);

/** The same for a TCP edge, which offers less. */
const WRONG_CONNECTION_POLICIES: typeof WRONG_POLICIES = [
  [
    'an action that the endpoint does not have',
    { actions: [{ type: 'custom-response', config: { status_code: 200, content: 'x' } }] },
    2205,
  ],
  [
    'a name that the endpoint does not have',
    { expressions: ["req.Method == 'GET'"], actions: [{ type: 'deny' }] },
    2200,
  ],
];

function policyCases(): readonly ServerCase[] {
  return [...routePolicyCases(), ...connectionPolicyCases(), ...otherPolicyCases()];
}

function connectionPolicyCases(): readonly ServerCase[] {
  return WRONG_CONNECTION_POLICIES.map(([claim, broken, number]) =>
    rule('policy-is-valid', `refuses ${claim} with ${number}`, async api => {
      const { path } = await api.make('tcp_edge');
      assertError(await api.call('TcpEdgePolicyModuleReplace', { path, body: { inbound: [broken] } }), 400, number);
    }),
  );
}

function otherPolicyCases(): readonly ServerCase[] {
  return [
    rule('policy-is-valid', 'refuses an action in a phase that does not have it with 2202', async api => {
      const { path } = await api.make('https_edge_route');
      const outbound = [{ actions: [{ type: 'url-rewrite', config: { from: 'a', to: 'b' } }] }];
      assertError(await api.call('EdgeRoutePolicyModuleReplace', { path, body: { outbound } }), 400, 2202);
    }),
    rule('policy-is-valid', 'refuses a policy of the later spelling that cannot be parsed with 2236', async api => {
      const { path } = await api.make('https_edge_route');
      assertError(
        await api.call('EdgeRouteTrafficPolicyModuleReplace', { path, body: { value: 'inbound: [' } }),
        400,
        2236,
      );
    }),
    ...REFUSED.map(({ number, code, bad }) =>
      rule('policy-is-valid', `refuses a policy of the later spelling with ${code} with ${number}`, async api => {
        const { path } = await api.make('https_edge_route');
        assertError(await api.call('EdgeRouteTrafficPolicyModuleReplace', { path, body: { value: bad } }), 400, number);
      }),
    ),
    rule('policy-is-valid', 'tells the diagnostics of the command line, with their places in the body', async api => {
      const { path } = await api.make('https_edge_route');
      const raw = '{"inbound":\n  [{"expressions":["req."],"actions":[{"type":"deny"}]}]}';
      const answer = await api.call('EdgeRoutePolicyModuleReplace', { path, raw });
      const { msg, details } = answer.body as {
        readonly msg: string;
        readonly details: Readonly<Record<string, string>>;
      };
      assert.match(msg, /2:\d+/);
      assert.ok(JSON.stringify(JSON.parse(details.diagnostics ?? 'null')).includes('syntax/'), answer.text);
    }),
  ];
}

function routePolicyCases(): readonly ServerCase[] {
  return WRONG_POLICIES.map(([claim, broken, number]) =>
    rule('policy-is-valid', `refuses ${claim} with ${number}`, async api => {
      const { path } = await api.make('https_edge_route');
      assertError(await api.call('EdgeRoutePolicyModuleReplace', { path, body: { inbound: [broken] } }), 400, number);
    }),
  );
}

/** The records that refer to a record, and how to create them. */
const REFERRERS: readonly (readonly [
  kind: RecordKindName,
  number: number,
  refer: (api: ApiFixture, id: string) => Promise<unknown>,
])[] = [
  ['static_backend', 6502, (api, id) => api.make('tcp_edge', { backend: { backend_id: id } })],
  ['http_response_backend', 6502, (api, id) => api.make('failover_backend', { backends: [id] })],
  ['tunnel_group_backend', 6502, (api, id) => api.make('weighted_backend', { backends: { [id]: 1 } })],
  ['weighted_backend', 6502, (api, id) => api.make('failover_backend', { backends: [id] })],
  ['failover_backend', 6502, (api, id) => api.make('tls_edge', { backend: { backend_id: id } })],
  ['ip_policy', 1420, (api, id) => api.make('ip_restriction', { type: 'api', ip_policy_ids: [id] })],
  [
    'certificate_authority',
    7019,
    (api, id) => api.make('https_edge', { mutual_tls: { certificate_authority_ids: [id] } }),
  ],
  ['event_destination', 5112, (api, id) => api.make('event_subscription', { sources: [], destination_ids: [id] })],
];

const DELETIONS: Readonly<Record<string, OperationId>> = {
  static_backend: 'StaticBackendsDelete',
  http_response_backend: 'HttpResponseBackendsDelete',
  tunnel_group_backend: 'TunnelGroupBackendsDelete',
  weighted_backend: 'WeightedBackendsDelete',
  failover_backend: 'FailoverBackendsDelete',
  ip_policy: 'IpPoliciesDelete',
  certificate_authority: 'CertificateAuthoritiesDelete',
  event_destination: 'EventDestinationsDelete',
};

function deletionCases(): readonly ServerCase[] {
  return REFERRERS.map(([kind, number, refer]) => ({
    name: `kept-while-referred-to: refuses to delete a ${kind} that another record names with ${number}`,
    row: `kept-while-referred-to ${kind}`,
    source: 'B 2.5, B 10.1',
    run: async api => {
      const { id, path } = await api.make(kind);
      await refer(api, id);
      assertError(await api.call(DELETIONS[kind]!, { path }), 400, number);
    },
  }));
}
