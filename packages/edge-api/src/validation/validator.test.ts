import { describe, expect, it } from 'vitest';
import { exampleId } from '../contract/examples.ts';
import type { OperationId } from '../contract/operations.ts';
import { createValidator, type Validation } from './validator.ts';

const { body } = createValidator();

function faults(result: Validation): readonly string[] {
  return result.ok ? [] : result.faults.map(({ field, code }) => `${field} ${code}`);
}

function messages(result: Validation): readonly string[] {
  return result.ok ? [] : result.faults.map(({ message }) => message);
}

describe('the faults of a body', () => {
  it('are all there, unknown fields first, then the others as the contract orders its fields', () => {
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

  it('name the value in single quotes, and what is expected', () => {
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
  ])('say that `%s` is missing, not that nothing does not exist', (_, operation, value, message) => {
    expect(messages(body(operation, value))).toEqual([message]);
  });

  it.each([
    ['a list', ['s']],
    ['an object', { s: 1 }],
    ['a number', 5],
  ])('tell %s in the place of a secret by its kind only', (kind, secret) => {
    const result = body('EdgeRouteWebhookVerificationModuleReplace', { provider: 'github', secret });
    expect(messages(result)).toEqual([`The field 'secret' must be a string, found '${kind}'.`]);
  });

  it('count bytes, not characters', () => {
    expect(faults(body('IpPoliciesCreate', { description: '€'.repeat(85) }))).toEqual([]);
    expect(messages(body('IpPoliciesCreate', { description: `${'€'.repeat(85)}a` }))).toEqual([
      "The field 'description' has 256 bytes; at most 255 are allowed.",
    ]);
  });

  it('never repeat a secret', () => {
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
  ])('say that %s is no object', (name, value) => {
    expect(messages(body('IpPoliciesCreate', value))).toEqual([`The body must be a JSON object: found ${name}.`]);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('know no field `%s`', key => {
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
  ])('is refused in a body of %s, wherever it is', (operation, text) => {
    expect(messages(body(operation, JSON.parse(text)))).toEqual([
      "The body must be a JSON object: the key '__proto__' is not allowed.",
    ]);
  });
});

describe('a valid body', () => {
  const ids = { edge_id: exampleId('https_edge'), id: exampleId('https_edge_route') };

  it.each<readonly [string, OperationId, unknown, unknown]>([
    ['whole, with its defaults', 'EdgeRouteCompressionModuleReplace', {}, { enabled: true }],
    ['without its wrapper', 'EdgeRouteCompressionModuleReplace', { module: { enabled: false } }, { enabled: false }],
    [
      'without the identifiers that its path has',
      'EdgeRouteCompressionModuleReplace',
      { ...ids, module: { enabled: false } },
      { enabled: false },
    ],
    ['as sparse as it came, of an update', 'EdgesHttpsUpdate', { metadata: 'm', description: null }, { metadata: 'm' }],
    [
      'with whole modules, of an update',
      'EdgesTlsUpdate',
      { tls_termination: { terminate_at: 'edge' } },
      { tls_termination: { enabled: true, terminate_at: 'edge', min_version: null } },
    ],
    [
      'with names of headers in lower case',
      'EdgeRouteRequestHeadersModuleReplace',
      { add: { 'X-Front-End': 'Edge' }, remove: ['X-Old'] },
      { enabled: true, add: { 'x-front-end': 'Edge' }, remove: ['x-old'] },
    ],
    [
      'with free JSON as it is',
      'TcpEdgePolicyModuleReplace',
      { inbound: [{ actions: [{ type: 'log', config: { metadata: { edgeId: null } } }] }] },
      {
        enabled: true,
        inbound: [{ name: '', expressions: [], actions: [{ type: 'log', config: { metadata: { edgeId: null } } }] }],
        outbound: null,
      },
    ],
    [
      'that ends TLS at an HTTPS edge',
      'HttpsEdgeTlsTerminationModuleReplace',
      {},
      { enabled: true, terminate_at: 'edge', min_version: null },
    ],
  ])('comes back %s', (_, operation, value, kept) => {
    expect(body(operation, value, ids)).toEqual({ ok: true, value: kept });
  });

  it('may name the identifiers of its path, and no others', () => {
    const other = { edge_id: ids.edge_id, id: exampleId('tls_edge'), module: {} };
    expect(messages(body('EdgeRouteCompressionModuleReplace', other, ids))).toEqual([
      `The identifier '${other.id}' in 'id' is not '${ids.id}'.`,
    ]);
  });

  it('names fields inside a wrapper by their place in the body as sent', () => {
    const value = { ...ids, module: { enabled: 'x', y: 1 } };
    expect(faults(body('EdgeRouteCompressionModuleReplace', value, ids))).toEqual([
      'module.y 214',
      'module.enabled 215',
    ]);
  });

  it.each([
    [50, []],
    [100_000, [' 213']],
  ])('may be nested, but not without bound: %i levels more', (levels, expected) => {
    const config: unknown = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(faults(body('TcpEdgePolicyModuleReplace', { inbound: [{ actions: [{ type: 'log', config }] }] }))).toEqual(
      expected,
    );
  });
});
