import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { type Exchange, exchangeOf, NO_HEADER_KNOWN, type ResponseFacts } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from './decision-log.ts';
import { createEnforcer, type EnforcerOptions, type EnforcerResult } from './enforcer.ts';
import { DECIDED_ACTIONS, LOCATION_FIELDS } from './host.ts';
import { NODE_HOST } from './node.ts';

const ENVIRONMENTS = createPhaseEnvironments(MODERN, 'http-endpoint');

function enforcing(text: string, options: Partial<EnforcerOptions> = {}): EnforcerResult {
  const source = new SourceText('policy.yaml', text);
  const { policy, diagnostics } = analyzePolicy(source, {
    profile: MODERN,
    endpoint: 'http-endpoint',
    environments: ENVIRONMENTS,
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return createEnforcer(policy!, { profile: MODERN, environments: ENVIRONMENTS, host: NODE_HOST, ...options });
}

function enforcer(text: string, options: Partial<EnforcerOptions> = {}) {
  const result = enforcing(text, options);
  if ('refusals' in result) throw new Error(result.refusals.map(({ message }) => message).join('\n'));
  return result.enforcer;
}

function exchange(target = '/', time = 0): Exchange {
  const request = { method: 'GET', url: target, httpVersion: '1.1', rawHeaders: ['Host', 'a.example'] };
  return { ...exchangeOf(request, { clientIp: '192.0.2.1', scheme: 'http' }), time };
}

function response(status: number): ResponseFacts {
  return { status, headers: { ...NO_HEADER_KNOWN, complete: true }, bodySize: undefined };
}

describe('what a server cannot know or do is refused', () => {
  it.each([
    [
      'on_http_request: [{ expressions: ["conn.geo.country_code == \'DE\'"], actions: [{ type: deny }] }]',
      '`conn.geo.country_code` is not known to a server on Node',
      'conn.geo',
    ],
    [
      'on_http_request: [{ actions: [{ type: oauth, config: { provider: github } }] }]',
      '`oauth` is not carried out by a server on Node',
      'oauth',
    ],
    [
      "on_http_request: [{ actions: [{ type: add-headers, config: { headers: { x: '${conn.tls.ja4_fingerprint}' } } }] }]",
      '`conn.tls.ja4_fingerprint` is not known to a server on Node',
      'add-headers',
    ],
    [
      'on_http_request: [{ actions: [{ type: add-headers, config: { headers: { Content-Length: "1" } } }] }]',
      '`Content-Length` frames a message, and is left to a server on Node',
      'add-headers',
    ],
    [
      'on_http_response: [{ actions: [{ type: remove-headers, config: { headers: [x-a, transfer-encoding] } }] }]',
      '`transfer-encoding` frames a message, and is left to a server on Node',
      'remove-headers',
    ],
    [
      'on_http_request: [{ actions: [{ type: custom-response, config: { status_code: 100 } }] }]',
      'status 100 cannot be sent by a server on Node',
      'custom-response',
    ],
    [
      'on_http_request: [{ actions: [{ type: restrict-ips, config: { enforce: true, ip_policies: [ipp_1] } }] }]',
      'the IP policy `ipp_1` is not known to a server on Node',
      'restrict-ips',
    ],
    [
      'on_event_stream_message: [{ actions: [{ type: sse-find-replace, config: { replacements: [{ field: data, from: a, to: b }] } }] }]',
      'rules for the messages of a stream are not enforced',
      '{ actions',
    ],
  ])('%s', (text, message, place) => {
    const result = enforcing(text);
    const refusals = 'refusals' in result ? result.refusals : [];
    expect(refusals.map(refusal => refusal.message)).toEqual([message]);
    expect(text.slice(refusals[0]!.range.start)).toContain(place);
    expect(text.slice(0, refusals[0]!.range.end)).toContain(place);
  });

  it('knows what its options say', () => {
    const text = 'on_http_request: [{ expressions: ["conn.geo.country_code == \'DE\'"], actions: [{ type: deny }] }]';
    const host = { ...NODE_HOST, fields: new Set([...NODE_HOST.fields, ...LOCATION_FIELDS]) };
    const one = enforcer(text, { host }).begin({ ...exchange(), geo: { countryCode: 'DE' } });
    expect(one.request).toEqual({
      kind: 'respond',
      response: { kind: 'answer', answer: { status: 403, fields: [], body: '' } },
    });
  });
});

it('answers 500 where a decision depends on what is not known after all', () => {
  const records: DecisionRecord[] = [];
  const host = { ...NODE_HOST, fields: new Set([...NODE_HOST.fields, ...LOCATION_FIELDS]), actions: DECIDED_ACTIONS };
  const text = 'on_http_request: [{ expressions: ["conn.geo.country_code == \'DE\'"], actions: [{ type: deny }] }]';
  const { request } = enforcer(text, { host, onDecision: record => void records.push(record) }).begin(exchange());
  expect(request).toMatchObject({ kind: 'respond', response: { kind: 'answer', answer: { status: 500 } } });
  expect(records[0]!.decision).toMatchObject({
    outcome: 'undetermined',
    status: 500,
    needs: ['conn.geo.country_code'],
  });
});

it('decides exchanges whose responses arrive in another order, each with its own counters and time', () => {
  const breaker = { error_threshold: 0.5, volume_threshold: 2, window_duration: '10s', tripped_duration: '1m' };
  const limit = { name: 'all', algorithm: 'sliding_window', capacity: 4, rate: '60s', bucket_key: ['conn.client_ip'] };
  const policy = {
    on_http_request: [
      {
        actions: [
          { type: 'rate-limit', config: limit },
          { type: 'circuit-breaker', config: breaker },
        ],
      },
    ],
  };
  const one = enforcer(JSON.stringify(policy));
  const [first, second, third] = [
    one.begin(exchange('/1', 1000)),
    one.begin(exchange('/2', 1500)),
    one.begin(exchange('/3', 2000)),
  ];
  expect([first, second, third].map(({ request }) => request.kind)).toEqual(['forward', 'forward', 'forward']);
  second.respond(response(500));
  first.respond(response(502));
  expect(one.begin(exchange('/4', 3000)).request).toMatchObject({ response: { answer: { status: 503 } } });
  third.respond(response(200));
  expect(one.begin(exchange('/5', 3500)).request).toMatchObject({ response: { answer: { status: 429 } } });
});

it('draws other random numbers for each exchange, and the same with a seed', () => {
  const policy = "on_http_request: [{ expressions: ['rand.double() < 0.5'], actions: [{ type: deny }] }]";
  const decided = (seed?: number) => {
    const one = enforcer(policy, seed === undefined ? {} : { seed });
    return Array.from({ length: 64 }, () => one.begin(exchange()).request.kind).join(' ');
  };
  expect(decided(1)).toContain('forward');
  expect(decided(1)).toContain('respond');
  expect(decided(1)).toBe(decided(1));
  expect(decided()).not.toBe(decided());
});

it('changes nothing in shadow mode, and reports what it would have done', () => {
  const records: DecisionRecord[] = [];
  const policy = {
    on_http_request: [
      { expressions: ["req.url.path == '/admin'"], actions: [{ type: 'deny' }] },
      {
        actions: [
          { type: 'add-headers', config: { headers: { x: '1' } } },
          { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
        ],
      },
    ],
    on_http_response: [{ actions: [{ type: 'remove-headers', config: { headers: ['server'] } }] }],
  };
  const one = enforcer(JSON.stringify(policy), { mode: 'shadow', onDecision: record => void records.push(record) });
  for (const target of ['/admin', '/a', '/']) {
    const begun = one.begin(exchange(target));
    expect(begun.request).toEqual({ kind: 'forward', request: { target: undefined, headers: new Map() } });
    expect(begun.respond(response(200))).toEqual({ kind: 'passed', status: 200, headers: new Map() });
  }
  expect(records.map(({ decision }) => [decision.mode, decision.outcome])).toEqual([
    ['shadow', 'denied'],
    ['shadow', 'passed'],
    ['shadow', 'passed'],
  ]);
});
