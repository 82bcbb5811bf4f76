import { describe, expect, it } from 'vitest';
import { exampleId } from '../contract/examples.ts';
import type { OperationId } from '../contract/operations.ts';
import { createValidator, type Validation, validateQuery } from './validator.ts';

const { body } = createValidator();

function faults(result: Validation): readonly string[] {
  return result.ok ? [] : result.faults.map(({ field, code }) => `${field} ${code}`);
}

function messages(result: Validation): readonly string[] {
  return result.ok ? [] : result.faults.map(({ message }) => message);
}

describe('body validation', () => {
  it('reports all faults: unknown fields first, then the others in the order of the contract', () => {
    const result = body('EdgesHttpsCreate', {
      hostports: ['a.example:443', 'A.example:443', 'b', 5],
      surprise: 1,
      description: 'é'.repeat(128),
      tls_termination: { terminate_at: 'edge', min_version: '2' },
    });
    expect(faults(result)).toEqual([
      'tls_termination.terminate_at 7109',
      'surprise 214',
      'description 7073',
      'hostports[2] 7104',
      'hostports[3] 215',
      'hostports[1] 7122',
      'tls_termination.min_version 219',
    ]);
  });

  it('quotes the value and describes what is expected', () => {
    const result = body('EdgeRouteCircuitBreakerModuleReplace', { num_buckets: 129, rolling_window: '5' });
    expect(messages(result)).toEqual([
      "The field 'rolling_window' must be a whole number, found '\"5\"'.",
      "The number of buckets '129' must be from 1 to 128.",
    ]);
  });

  it.each<readonly [field: string, OperationId, body: object, message: string]>([
    ['backend_id', 'EdgeRouteBackendModuleReplace', {}, "The field 'backend_id' is missing; expected an identifier."],
    ['type', 'EventSourcesCreate', {}, "The field 'type' is missing; expected a string."],
    ['empty type', 'EventSourcesCreate', { type: '' }, "The field 'type' is missing; expected a string."],
    [
      'match_type',
      'EdgesHttpsRoutesCreate',
      { match: '/' },
      "The field 'match_type' is missing; expected 'exact_path', 'path_prefix'.",
    ],
    ['cidr', 'IpPolicyRulesCreate', { ip_policy_id: exampleId('ip_policy') }, "The field 'cidr' is missing."],
    [
      'provider',
      'EdgeRouteWebhookVerificationModuleReplace',
      { secret: 's' },
      "The field 'provider' is missing: the webhook provider.",
    ],
  ])('reports that `%s` is missing', (_, operation, value, message) => {
    expect(messages(body(operation, value))).toEqual([message]);
  });

  it.each([
    ['a list', ['s']],
    ['an object', { s: 1 }],
    ['a number', 5],
  ])('reports only the type of %s in place of a secret', (kind, secret) => {
    const result = body('EdgeRouteWebhookVerificationModuleReplace', { provider: 'github', secret });
    expect(messages(result)).toEqual([`The field 'secret' must be a string, found '${kind}'.`]);
  });

  it('counts bytes, not characters', () => {
    expect(faults(body('IpPoliciesCreate', { description: '€'.repeat(85) }))).toEqual([]);
    expect(messages(body('IpPoliciesCreate', { description: `${'€'.repeat(85)}a` }))).toEqual([
      "The field 'description' has 256 bytes; at most 255 are allowed.",
    ]);
  });

  it('never repeats a secret', () => {
    const secret = 'hunter2-hunter2';
    const oidc = { issuer: 'https://a.example', client_id: 'a', client_secret: [secret] };
    const results = [
      body('EdgeRouteOidcModuleReplace', oidc),
      body('EdgeRouteWebhookVerificationModuleReplace', { provider: 'sns', secret }),
      body('EdgeRouteWebhookVerificationModuleReplace', { provider: 'sendgrid', secret }),
      body('EdgeRouteWebhookVerificationModuleReplace', { provider: 'github', secret: secret.repeat(500) }),
      body('EdgeRouteOAuthModuleReplace', { provider: { google: { client_secret: secret } } }),
    ];
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, false, false]);
    expect(results.flatMap(messages).join('\n')).not.toContain('hunter2');
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['a string', 'x'],
    ['nothing', undefined],
  ])('rejects %s as not an object', (name, value) => {
    expect(messages(body('IpPoliciesCreate', value))).toEqual([`The body must be a JSON object: found ${name}.`]);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('does not know a field `%s`', key => {
    const value: unknown = JSON.parse(`{"${key}":{"x":1}}`);
    expect(faults(body('IpPoliciesCreate', value))).toEqual([`${key} 214`]);
    expect(faults(body('IpPoliciesUpdate', value))).toEqual([`${key} 214`]);
  });
});

describe('a key `__proto__`', () => {
  it.each<readonly [OperationId, string]>([
    ['IpPoliciesCreate', '{"__proto__":{"x":1}}'],
    ['TunnelGroupBackendsCreate', '{"labels":{"__proto__":"x"}}'],
    ['TcpEdgePolicyModuleReplace', '{"inbound":[{"actions":[{"type":"log","config":{"a":[{"__proto__":1}]}}]}]}'],
  ])('is rejected anywhere in a body of %s', (operation, text) => {
    expect(messages(body(operation, JSON.parse(text)))).toEqual([
      "The body must be a JSON object: the key '__proto__' is not allowed.",
    ]);
  });
});

describe('a valid body', () => {
  const ids = { edge_id: exampleId('https_edge'), id: exampleId('https_edge_route') };

  it.each<readonly [string, OperationId, unknown, unknown]>([
    ['with its defaults', 'EdgeRouteCompressionModuleReplace', {}, { enabled: true }],
    ['without its wrapper', 'EdgeRouteCompressionModuleReplace', { module: { enabled: false } }, { enabled: false }],
    [
      'without the identifiers of its path',
      'EdgeRouteCompressionModuleReplace',
      { ...ids, module: { enabled: false } },
      { enabled: false },
    ],
    [
      'without absent fields, for an update',
      'EdgesHttpsUpdate',
      { metadata: 'm', description: null },
      { metadata: 'm' },
    ],
    [
      'with complete modules, for an update',
      'EdgesTlsUpdate',
      { tls_termination: { terminate_at: 'edge' } },
      { tls_termination: { enabled: true, terminate_at: 'edge', min_version: null } },
    ],
    [
      'with header names in lower case',
      'EdgeRouteRequestHeadersModuleReplace',
      { add: { 'X-Front-End': 'Edge' }, remove: ['X-Old'] },
      { enabled: true, add: { 'x-front-end': 'Edge' }, remove: ['x-old'] },
    ],
    [
      'with arbitrary JSON unchanged',
      'TcpEdgePolicyModuleReplace',
      { inbound: [{ actions: [{ type: 'log', config: { metadata: { edgeId: null } } }] }] },
      {
        enabled: true,
        inbound: [{ name: '', expressions: [], actions: [{ type: 'log', config: { metadata: { edgeId: null } } }] }],
        outbound: null,
      },
    ],
    [
      'that terminates TLS at an HTTPS edge',
      'HttpsEdgeTlsTerminationModuleReplace',
      {},
      { enabled: true, terminate_at: 'edge', min_version: null },
    ],
  ])('is returned %s', (_, operation, value, kept) => {
    expect(body(operation, value, ids)).toEqual({ ok: true, value: kept });
  });

  it('may repeat the identifiers of its path, but no others', () => {
    const other = { edge_id: ids.edge_id, id: exampleId('tls_edge'), module: {} };
    expect(messages(body('EdgeRouteCompressionModuleReplace', other, ids))).toEqual([
      `The identifier '${other.id}' in 'id' is not '${ids.id}'.`,
    ]);
  });

  it('has field paths relative to the body as sent', () => {
    const value = { ...ids, module: { enabled: 'x', y: 1 } };
    expect(faults(body('EdgeRouteCompressionModuleReplace', value, ids))).toEqual([
      'module.y 214',
      'module.enabled 215',
    ]);
  });

  it.each([
    [50, []],
    [100_000, [' 213']],
  ])('may be nested up to a limit: %i more levels', (levels, expected) => {
    const config: unknown = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(faults(body('TcpEdgePolicyModuleReplace', { inbound: [{ actions: [{ type: 'log', config }] }] }))).toEqual(
      expected,
    );
  });
});

const ID = exampleId('ip_policy');

describe('a query', () => {
  it.each([
    ['', { limit: 100, filters: {} }],
    ['limit=1', { limit: 1, filters: {} }],
    ['limit=100', { limit: 100, filters: {} }],
    ['limit=', { limit: 100, filters: {} }],
    [`before_id=${ID}`, { limit: 100, beforeId: ID, filters: {} }],
    [`beforeId=${ID}&limit=7`, { limit: 7, beforeId: ID, filters: {} }],
  ])('`%s` requests a page', (text, asked) => {
    expect(validateQuery('IpPoliciesList', new URLSearchParams(text))).toEqual({ ok: true, ...asked });
  });

  it('returns the filters of endpoints', () => {
    expect(validateQuery('EndpointsList', new URLSearchParams('ids=a,b&urls=c'))).toEqual({
      ok: true,
      limit: 100,
      filters: { ids: 'a,b', urls: 'c' },
    });
  });

  it.each<readonly [OperationId, string, readonly string[]]>([
    ['IpPoliciesList', 'limit=0', ['limit 233']],
    ['IpPoliciesList', 'limit=101', ['limit 233']],
    ['IpPoliciesList', 'limit=-1', ['limit 233']],
    ['IpPoliciesList', 'limit=ten', ['limit 244']],
    ['IpPoliciesList', 'limit=1.5', ['limit 244']],
    ['IpPoliciesList', 'before_id=x', ['before_id 227']],
    ['IpPoliciesList', 'limit=1&limit=1', ['limit 232']],
    ['IpPoliciesList', `before_id=${ID}&beforeId=${ID}`, ['beforeId 232']],
    ['IpPoliciesList', 'offset=1&limit=x', ['offset 231', 'limit 244']],
    ['IpPoliciesGet', 'limit=1', ['limit 231']],
    ['EventSourcesList', 'limit=1', ['limit 231']],
  ])('of %s, `%s`, has all its faults reported', (operation, text, expected) => {
    const result = validateQuery(operation, new URLSearchParams(text));
    expect(result.ok ? [] : result.faults.map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  });
});
