import assert from 'node:assert/strict';
import {
  OPERATION_IDS,
  type OperationId,
  operationOf,
  RECORD_KINDS,
  type RecordKindName,
  requestFields,
  shapeOf,
} from '@tollgate/edge-api';
import { type ApiFixture, creationOf } from '../api-fixture.ts';
import { assertError, type ServerCase } from '../server-case.ts';

type Members = Readonly<Record<string, unknown>>;

/** The claims about records and modules over more than one request. */
export function behaviourCases(): readonly ServerCase[] {
  return [...identifierCases(), ...moduleCases(), ...emptyCases(), ...policyCases(), ...RECORD_CASES];
}

const RECORD_CASES: readonly ServerCase[] = [
  claim('edge-new', 'A 4.2', 'a new edge has null for modules and no routes', async api => {
    const { body } = await api.make('https_edge');
    assert.deepEqual([body.mutual_tls, body.tls_termination, body.routes, body.hostports], [null, null, [], []]);
  }),
  claim('edge-routes', 'A 2.2', 'an edge holds its routes whole, however they are read', async api => {
    const { path, body: route } = await api.make('https_edge_route');
    const edge = (await api.call('EdgesHttpsGet', { path: { id: path.edge_id! } })).body as Members;
    assert.deepEqual(edge.routes, [route]);
    const listed = (await api.call('EdgesHttpsList')).body as { readonly https_edges: readonly Members[] };
    assert.deepEqual(
      listed.https_edges.find(({ id }) => id === path.edge_id),
      edge,
    );
  }),
  claim('edge-deletion', 'B 10.1', 'an edge takes its routes with it', async api => {
    const { path } = await api.make('https_edge_route');
    assert.equal((await api.call('EdgesHttpsDelete', { path: { id: path.edge_id! } })).status, 204);
    assertError(await api.call('EdgesHttpsRoutesGet', { path }), 404, null);
  }),
  claim('deletion', 'B 1.6', 'a record is gone after its deletion, and cannot be deleted twice', async api => {
    const { path } = await api.make('ip_policy');
    assert.equal((await api.call('IpPoliciesDelete', { path })).status, 204);
    assertError(await api.call('IpPoliciesGet', { path }), 404, null);
    assertError(await api.call('IpPoliciesDelete', { path }), 404, null);
  }),
  claim('update-absent', 'A 4.5.1', 'a module that an update does not hold is left alone', async api => {
    const ca = await api.shared('certificate_authority');
    const { path } = await api.make('https_edge', { mutual_tls: { certificate_authority_ids: [ca] } });
    const { body } = await api.call('EdgesHttpsUpdate', { path, body: { description: 'new' } });
    const { description, mutual_tls: mutualTls } = body as Members;
    assert.equal(description, 'new');
    assert.deepEqual(
      (mutualTls as { readonly certificate_authorities: readonly Members[] }).certificate_authorities[0]!.id,
      ca,
    );
  }),
  claim('update-present', 'A 4.5.2', 'a module that an update holds replaces the former one whole', async api => {
    const { path } = await api.make('https_edge_route', {
      match_type: 'exact_path',
      match: '/a',
      request_headers: { add: { a: '1' }, remove: ['b'] },
    });
    const { body } = await api.call('EdgesHttpsRoutesUpdate', { path, body: { request_headers: { remove: ['c'] } } });
    assert.deepEqual((body as Members).request_headers, { enabled: true, add: {}, remove: ['c'] });
  }),
  claim('update-null', 'A 4.5.3, B 1.6', 'null in an update deletes no module', async api => {
    const { path } = await api.make('https_edge', { tls_termination: { min_version: '1.3' } });
    const { body } = await api.call('EdgesHttpsUpdate', { path, body: { tls_termination: null, hostports: null } });
    assert.deepEqual((body as Members).tls_termination, { enabled: true, terminate_at: 'edge', min_version: '1.3' });
  }),
  claim('update-texts', 'B 1.6', 'an update keeps what it does not hold, of routes and backends, too', async api => {
    const route = await api.make('https_edge_route', {
      match_type: 'exact_path',
      match: '/a',
      description: 'd',
      metadata: 'm',
    });
    const changed = (await api.call('EdgesHttpsRoutesUpdate', { path: route.path, body: { match: '/b' } }))
      .body as Members;
    assert.deepEqual(
      [changed.match, changed.match_type, changed.description, changed.metadata],
      ['/b', 'exact_path', 'd', 'm'],
    );
    const child = await api.shared('static_backend');
    const backend = await api.make('failover_backend', { backends: [child] });
    const kept = (await api.call('FailoverBackendsUpdate', { path: backend.path, body: { description: 'x' } }))
      .body as Members;
    assert.deepEqual(kept.backends, [child]);
  }),
  claim(
    'last-writer',
    'B 1.6',
    'the last writer of a module wins, and changes at the same time lose no other module',
    async api => {
      const { path } = await api.make('https_edge_route');
      await Promise.all([
        api.call('EdgeRouteCompressionModuleReplace', { path, body: { enabled: false } }),
        api.call('EdgeRouteUserAgentFilterModuleReplace', { path, body: { deny: ['curl'] } }),
        api.call('EdgesHttpsRoutesUpdate', { path, body: { description: 'both' } }),
      ]);
      const { body } = await api.call('EdgesHttpsRoutesGet', { path });
      const { compression, user_agent_filter: filter, description } = body as Members;
      assert.deepEqual(
        { compression, filter, description },
        {
          compression: { enabled: false },
          filter: { enabled: true, allow: [], deny: ['curl'] },
          description: 'both',
        },
      );
    },
  ),
  claim(
    'policy-nulls',
    'A 4.8',
    'a policy without outbound rules is answered with null, an action without configuration, too',
    async api => {
      const { path } = await api.make('tcp_edge');
      const inbound = [{ name: 'n', expressions: ["conn.ClientIP == '192.0.2.1'"], actions: [{ type: 'deny' }] }];
      const { body } = await api.call('TcpEdgePolicyModuleReplace', { path, body: { enabled: false, inbound } });
      const rule = { ...inbound[0], actions: [{ type: 'deny', config: null }] };
      assert.deepEqual(body, { enabled: false, inbound: [rule], outbound: null });
    },
  ),
  claim(
    'policy-seen',
    'A 2.13',
    'every action and input that part A shows is accepted on every kind of edge',
    async api => {
      const seen = ["conn.Geo.CountryCode in ['XX']", "conn.ClientIP == '192.0.2.1'", "conn.TLS.Version != '1.3'"];
      const actions = [
        { type: 'log', config: { metadata: { a: 'b' } } },
        { type: 'deny', config: { status_code: 403 } },
      ];
      const inbound = [{ name: 'n', expressions: seen, actions }];
      for (const [kind, put] of [
        ['https_edge_route', 'EdgeRoutePolicyModuleReplace'],
        ['tls_edge', 'TlsEdgePolicyModuleReplace'],
        ['tcp_edge', 'TcpEdgePolicyModuleReplace'],
      ] as const) {
        const { path } = await api.make(kind);
        const answer = await api.call(put, { path, body: { inbound } });
        assert.deepEqual([answer.status, answer.body], [200, { enabled: true, inbound, outbound: null }], answer.text);
      }
    },
  ),
  claim('empty-body', 'A 4.6', 'a deletion may have an empty object as its body, and nothing else', async api => {
    const { path } = await api.make('https_edge_route');
    const remove = (body: unknown) => api.call('EdgeRoutePolicyModuleDelete', { path, body });
    assert.deepEqual([(await remove({})).status, (await remove(undefined)).status], [204, 204]);
    assertError(await remove({ enabled: false }), 400, 211);
    assertError(await remove([]), 400, 211);
  }),
  claim('policy-order', 'B 1.6', 'rules, expressions and actions keep their order', async api => {
    const { path } = await api.make('https_edge_route');
    const actions = [
      { type: 'log', config: { metadata: { b: '1', a: '2' } } },
      { type: 'deny', config: { status_code: 404 } },
    ];
    const inbound = ['z', 'a'].map(name => ({
      name,
      expressions: ["req.Method == 'A'", "conn.ClientIP != '192.0.2.1'"],
      actions,
    }));
    const { body } = await api.call('EdgeRoutePolicyModuleReplace', { path, body: { inbound } });
    assert.deepEqual((body as Members).inbound, inbound);
  }),
  claim('policy-spellings', 'B 1.2', 'both spellings of a policy are over the same one', async api => {
    const { path } = await api.make('tls_edge');
    const inbound = [{ name: 'n', expressions: [], actions: [{ type: 'deny', config: null }] }];
    await api.call('TlsEdgePolicyModuleReplace', { path, body: { inbound } });
    const text = (await api.call('TlsEdgeTrafficPolicyModuleGet', { path })).body as Members;
    assert.equal(text.enabled, true);
    assert.match(String(text.value), /deny/);
    const value = 'inbound:\n  - name: other\n    actions:\n      - type: deny\n';
    assert.equal((await api.call('TlsEdgeTrafficPolicyModuleReplace', { path, body: { value } })).status, 200);
    const object = (await api.call('TlsEdgePolicyModuleGet', { path })).body as {
      readonly inbound: readonly Members[];
    };
    assert.equal(object.inbound[0]!.name, 'other');
    await api.call('TlsEdgeTrafficPolicyModuleDelete', { path });
    assertError(await api.call('TlsEdgePolicyModuleGet', { path }), 404, null);
  }),
  claim('ip-order', 'A 4.9', 'IP policies of a restriction are answered in the order sent', async api => {
    const ids = [await api.make('ip_policy'), await api.make('ip_policy'), await api.make('ip_policy')].map(
      ({ id }) => id,
    );
    const sent = [ids[2]!, ids[0]!, ids[1]!];
    const { path } = await api.make('tls_edge');
    const { body } = await api.call('TlsEdgeIpRestrictionModuleReplace', { path, body: { ip_policy_ids: sent } });
    const { ip_policies: refs } = body as { readonly ip_policies: readonly Members[] };
    assert.deepEqual(
      refs,
      sent.map(id => ({ id, uri: `${api.server.baseUrl}/ip_policies/${id}` })),
    );
  }),
  claim('child-order', 'A 2.15', 'children of a failover backend are answered in the order sent', async api => {
    const ids = [await api.make('static_backend'), await api.make('http_response_backend')]
      .map(({ id }) => id)
      .toReversed();
    const { body } = await api.make('failover_backend', { backends: ids });
    assert.deepEqual(body.backends, ids);
  }),
  claim('secrets-clear', 'B 1.6', 'the secrets of modules are answered in clear', async api => {
    const { path } = await api.make('https_edge_route');
    const sent = { enabled: true, provider: 'TWILIO', secret: 'a secret' };
    await api.call('EdgeRouteWebhookVerificationModuleReplace', { path, body: sent });
    assert.deepEqual((await api.call('EdgeRouteWebhookVerificationModuleGet', { path })).body, sent);
  }),
  claim(
    'secrets-hidden',
    'B 1.6',
    'the secrets of event destinations are not answered, and kept by an update without them',
    async api => {
      const target = { http: { url: 'https://events.example.com', secret: 'hunter2hunter2' } };
      const { path, body } = await api.make('event_destination', { format: 'json', target });
      const { text } = await api.call('EventDestinationsGet', { path });
      assert.ok(!JSON.stringify(body).includes('hunter2') && !text.includes('hunter2'));
    },
  ),
  claim('token-once', 'B 1.6', 'the token of a key is answered at its creation, and null after', async api => {
    const { path, body } = await api.make('api_key');
    assert.match(String(body.token), /^[0-9A-Za-z]{27}_[0-9A-Za-z]{21}$/);
    assert.equal(((await api.call('ApiKeysGet', { path })).body as Members).token, null);
  }),
  claim('header-case', 'B 1.5', 'names of headers are answered in lower case', async api => {
    const { path } = await api.make('https_edge_route');
    const body = { add: { 'X-Frontend': 'Edge' }, remove: ['Server'] };
    const answer = await api.call('EdgeRouteResponseHeadersModuleReplace', { path, body });
    assert.deepEqual(answer.body, { enabled: true, add: { 'x-frontend': 'Edge' }, remove: ['server'] });
  }),
  claim(
    'source-uri',
    'A 2.16',
    'the URI of a source ends with its subscription, `/sources/` and its type',
    async api => {
      const { id } = await api.make('event_subscription');
      const answer = await api.call('EventSourcesCreate', {
        path: { subscription_id: id },
        body: { type: 'ip_policy_deleted.v0' },
      });
      const uri = `${api.server.baseUrl}/event_subscriptions/${id}/sources/ip_policy_deleted.v0`;
      assert.deepEqual(answer.body, { type: 'ip_policy_deleted.v0', uri });
      assert.deepEqual((await api.call('EventSourcesList', { path: { subscription_id: id } })).body, {
        sources: [
          {
            type: 'ip_policy_created.v0',
            uri: `${api.server.baseUrl}/event_subscriptions/${id}/sources/ip_policy_created.v0`,
          },
          { type: 'ip_policy_deleted.v0', uri },
        ],
        uri: `${api.server.baseUrl}/event_subscriptions/${id}/sources`,
      });
    },
  ),
  claim('source-update', 'B 8.2', 'the update of a source changes nothing, and answers it', async api => {
    const { id } = await api.make('event_subscription');
    const path = { subscription_id: id, type: 'ip_policy_created.v0' };
    const answer = await api.call('EventSourcesUpdate', {
      path,
      body: { subscription_id: id, type: 'ip_policy_created.v0' },
    });
    assert.deepEqual(answer.body, (await api.call('EventSourcesGet', { path })).body);
  }),
  claim(
    'saml-made',
    'B 1.3',
    'the service makes the addresses of SAML, and the entity id is the metadata URL',
    async api => {
      const { path } = await api.make('https_edge_route');
      const body = { idp_metadata: '<EntityDescriptor entityID="x"></EntityDescriptor>' };
      const saml = (await api.call('EdgeRouteSamlModuleReplace', { path, body })).body as Members;
      assert.equal(saml.entity_id, saml.metadata_url);
      for (const key of ['entity_id', 'assertion_consumer_service_url', 'single_logout_url']) {
        assert.ok(URL.canParse(String(saml[key])), key);
      }
    },
  ),
  claim('ca-facts', 'B 1.3', 'a certificate authority is answered with what its certificate says', async api => {
    const { body } = await api.make('certificate_authority');
    const { subject_common_name: name, not_before: from, not_after: to, key_usages: usages } = body;
    assert.deepEqual([name, from, to], ['Example Authority', '2026-11-21T04:03:18Z', '2126-10-28T04:03:18Z']);
    assert.ok(Array.isArray(usages));
  }),
  claim('body-ids', 'B 8.7', 'a body may repeat the identifiers of its path, and no others', async api => {
    const { path } = await api.make('https_edge_route');
    const module = { enabled: false };
    const wrapped = await api.call('EdgeRouteCompressionModuleReplace', { path, body: { ...path, module } });
    assert.deepEqual(wrapped.body, module);
    const other = { ...path, id: `edghtsrt_${'0'.repeat(27)}`, module };
    assertError(await api.call('EdgeRouteCompressionModuleReplace', { path, body: other }), 400, 7110, 'id');
  }),
  claim('all-faults', 'B 2.6', 'an error names every fault of a body, a line each', async api => {
    const answer = await api.call('EdgesHttpsCreate', {
      body: { description: 'x'.repeat(256), hostports: ['a'], surprise: 1 },
    });
    const { msg, details } = answer.body as {
      readonly msg: string;
      readonly details: Readonly<Record<string, string>>;
    };
    assertError(answer, 400, 214, 'surprise');
    assert.equal(msg.split('\n').length, 3);
    const faults = JSON.parse(details.faults!) as readonly { readonly code: string }[];
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['ERR_EDGE_214', 'ERR_EDGE_7073', 'ERR_EDGE_7104'],
    );
  }),
];

function claim(row: string, source: string, name: string, run: ServerCase['run']): ServerCase {
  return { name, row: `behaviour ${row}`, source, run };
}

/**
 * What clients send with every update, whatever their caller gives: `ngrok-api` 0.12.0 to 0.19.0 from PyPI, as their `services.py` defines it.
 * `ngrok-api-go` 5.4.1, 7.6.0, 7.8.0 and 9.0.0, and `@ngrok/ngrok-api` 0.11.0, leave these out.
 */
const ALWAYS_SENT: Readonly<Partial<Record<OperationId, Members>>> = {
  EdgesHttpsRoutesUpdate: { match_type: '', match: '', description: '', metadata: '' },
  FailoverBackendsUpdate: { backends: [] },
  IpRestrictionsUpdate: { ip_policy_ids: [] },
  StaticBackendsUpdate: { address: '' },
  TunnelGroupBackendsUpdate: { labels: {} },
  WeightedBackendsUpdate: { backends: {} },
};

/** Empty values of updates that are not given: those that clients are known to send, and all others that the contract treats so. */
function emptyCases(): readonly ServerCase[] {
  return OPERATION_IDS.filter(id => operationOf(id).kind === 'update').flatMap(id => {
    const { record, request } = operationOf(id);
    const marked = requestFields(shapeOf(request!), 'update').filter(([, { emptyIsAbsent }]) => emptyIsAbsent);
    const empty = {
      ...Object.fromEntries(marked.map(([key, { type }]) => [key, EMPTY[type.kind]])),
      ...ALWAYS_SENT[id],
    };
    if (record === 'event_source' || Object.keys(empty).length === 0) return [];
    return [
      claim(
        `empty ${id}`,
        'B 8.4',
        `${id} changes nothing where ${Object.keys(empty).join(', ')} are empty`,
        async api => {
          const texts = { description: 'first', metadata: 'first' };
          const domain = { domain: 'empty.example.com', resolves_to: [{ value: 'eu' }] };
          const own = record === 'reserved_domain' ? domain : await api.example(id);
          const { path, body } = await api.make(record, { ...(own as Members), ...texts });
          const { token, ...before } = body;
          assert.ok(Object.keys(empty).some(key => !isEmpty(before[key] ?? before.ip_policies ?? null)));
          const answer = await api.call(id, { path, body: empty });
          assert.equal(answer.status, 200, answer.text);
          assert.deepEqual({ ...(answer.body as Members), updated_at: 0 }, { ...before, updated_at: 0 });
        },
      ),
    ];
  });
}

const EMPTY: Readonly<Record<string, unknown>> = { text: '', list: [], map: {} };

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Both forms of a policy in every record that has one: at its creation, in updates, and however it is read. */
function policyCases(): readonly ServerCase[] {
  const kinds = ['https_edge_route', 'tls_edge', 'tcp_edge'] as const;
  const rule = { name: 'n', expressions: ["conn.ClientIP == '192.0.2.1'"], actions: [{ type: 'deny', config: null }] };
  const object = (enabled: boolean) => ({ enabled, inbound: [rule], outbound: null });
  const text = (enabled: boolean) => ({ enabled, value: JSON.stringify({ inbound: [rule] }) });
  return kinds.flatMap(kind =>
    (['policy', 'traffic_policy'] as const).map(form =>
      claim(
        `policy of ${kind} as ${form}`,
        'A 2.7, B 1.2',
        `a ${kind} takes \`${form}\`, and returns the policy in both forms`,
        async api => {
          const give = (enabled: boolean) => ({ [form]: form === 'policy' ? object(enabled) : text(enabled) });
          const update = creationOf(kind)!.replace(/Create$/, 'Update') as OperationId;
          const get = creationOf(kind)!.replace(/Create$/, 'Get') as OperationId;
          const example = kind === 'https_edge_route' ? { match_type: 'exact_path', match: '/' } : {};
          const { path, body } = await api.make(kind, { ...example, ...give(true) });
          const changed = await api.call(update, { path, body: give(false) });
          const kept = await api.call(update, { path, body: { description: 'other' } });
          const read = await api.call(get, { path });
          const listed = await inList(api, kind, path);
          const policies = [body, changed.body, kept.body, read.body, listed].map(found => policiesIn(found));
          const off = [object(false), false, { inbound: [rule] }];
          assert.deepEqual(policies, [[object(true), true, { inbound: [rule] }], off, off, off, off]);
        },
      ),
    ),
  );
}

function policiesIn(record: unknown): readonly unknown[] {
  const { policy, traffic_policy: text } = record as { readonly policy: unknown; readonly traffic_policy: Members };
  return [policy, text.enabled, JSON.parse(String(text.value))];
}

/** Returns a record as the list of its kind shows it; a route, in the list of edges. */
async function inList(
  api: ApiFixture,
  kind: RecordKindName,
  { id, edge_id: edgeId }: Readonly<Record<string, string>>,
) {
  const list = kind === 'https_edge_route' ? 'EdgesHttpsList' : kind === 'tls_edge' ? 'EdgesTlsList' : 'EdgesTcpList';
  const { body } = await api.call(list);
  const [records] = Object.values(body as object) as [
    readonly { readonly id: string; readonly routes: readonly Members[] }[],
  ];
  const found = records.find(record => record.id === (edgeId ?? id));
  return edgeId === undefined ? found : found?.routes.find(route => route.id === id);
}

/** Identifiers, URIs and times of every record kind that can be created. */
function identifierCases(): readonly ServerCase[] {
  const kinds = (Object.keys(RECORD_KINDS) as RecordKindName[]).filter(kind => creationOf(kind) !== undefined);
  return kinds.map(kind =>
    claim(
      `identifier ${kind}`,
      'B 1.7, 1.8',
      `a ${kind} has an identifier, a URI and a time of the documented form`,
      async api => {
        const { id, path, body } = await api.make(kind);
        const { prefix, path: template } = RECORD_KINDS[kind];
        assert.match(id, new RegExp(`^${prefix}_[0-9A-Za-z]{27}$`));
        const at = template!.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
        assert.equal(body.uri, `${api.server.baseUrl}${at}`);
        assert.match(String(body.created_at), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
        assert.deepEqual((await api.send('GET', at)).status, 200);
      },
    ),
  );
}

/** The life of every module of every parent: it is missing, is put, shows in its parent, and is deleted, twice if necessary. */
function moduleCases(): readonly ServerCase[] {
  const gets = OPERATION_IDS.filter(id => operationOf(id).kind === 'get-module');
  return gets.map(get =>
    claim(
      `module ${get.replace('ModuleGet', '')}`,
      'A 4, B 1.6',
      `the module of ${get} can be put, read in its parent, and deleted`,
      api => moduleLife(api, get),
    ),
  );
}

async function moduleLife(api: ApiFixture, get: OperationId): Promise<void> {
  const { record, field = '' } = operationOf(get);
  const put = get.replace(/Get$/, 'Replace') as OperationId;
  const remove = get.replace(/Get$/, 'Delete') as OperationId;
  const { path } = await api.make(record as RecordKindName);
  assertError(await api.call(get, { path }), 404, null);
  const answer = await api.call(put, { path, body: await api.example(put) });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual((await api.call(get, { path })).body, answer.body);
  const parent = RECORD_KINDS[record as RecordKindName].path!.replace(
    /\{(\w+)\}/g,
    (_, name: string) => path[name] ?? '',
  );
  const shown = (await api.send('GET', parent)).body as Members;
  if (field in shown) assert.deepEqual(shown[field], answer.body);
  assert.equal((await api.call(remove, { path })).status, 204);
  assert.equal((await api.call(remove, { path })).status, 204);
  assertError(await api.call(get, { path }), 404, null);
  const after = (await api.send('GET', parent)).body as Members;
  if (field in after) assert.equal(after[field], null);
}
