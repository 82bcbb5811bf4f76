import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import type { Exchange, HeaderFacts, HeaderField } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Decision, RuleResult } from './decision.ts';
import { createSimulation } from './simulation.ts';

const ENVIRONMENTS = createPhaseEnvironments(EDGE_V2, 'https-route');

const INBOUND_CONDITIONS = [
  'true',
  "req.Method == 'GET'",
  "req.URL.contains('/a')",
  "req.Path.startsWith('/a')",
  "hasQueryParam('q')",
  "req.Host == 'e.co'",
  "req.Headers['X-A'][0] == '1'",
  "'X-A' in req.Headers",
  "getReqHeader('X-B') == ['1', '2']",
  'size(req.Headers) > 2',
  "hasReqCookie('id') && getReqCookie('id').Value == '1'",
  "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
  "req.Protocol == 'HTTP/1.1' ? req.ContentLength == 0 : 'X-A' in req.Headers",
  "conn.Geo.CountryCode == 'DE' || req.Method == 'GET'",
  "req.Headers.exists(name, name.startsWith('X-'))",
];

const OUTBOUND_CONDITIONS = [
  ...INBOUND_CONDITIONS,
  'res.StatusCode >= 400',
  "res.Headers['X-A'][0] == '1'",
  "hasResHeader('X-B')",
  'size(res.Headers) == 1',
];

const INBOUND_ACTIONS = [
  { type: 'deny', config: { status_code: 403 } },
  { type: 'deny', config: { status_code: 404 } },
  { type: 'custom-response', config: { status_code: 503 } },
  { type: 'redirect', config: { from: '/a', to: '/b' } },
  { type: 'url-rewrite', config: { from: '/a', to: '/b?$args' } },
  { type: 'url-rewrite', config: { from: '^https://[^/]*', to: 'http://f.co' } },
  { type: 'add-headers', config: { headers: { 'X-A': '1' } } },
  { type: 'add-headers', config: { headers: { 'X-B': '${.http.request.method}', Host: 'f.co' } } },
  { type: 'remove-headers', config: { headers: ['X-A', 'Cookie'] } },
  { type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } },
  { type: 'log', config: { metadata: {} } },
];

const OUTBOUND_ACTIONS = [
  { type: 'custom-response', config: { status_code: 500 } },
  { type: 'add-headers', config: { headers: { 'X-A': '1' } } },
  { type: 'remove-headers', config: { headers: ['X-B'] } },
  { type: 'compress-response', config: { algorithms: ['gzip'] } },
];

function rules(conditions: readonly string[], actions: readonly object[]) {
  const rule = fc.record({
    expressions: fc.array(fc.constantFrom(...conditions), { maxLength: 2 }),
    // One that ends the policy may not stand before others in its rule.
    actions: fc.tuple(fc.constantFrom(...actions)),
  });
  return fc.array(rule, { maxLength: 6 });
}

const POLICY = fc.record({
  inbound: rules(INBOUND_CONDITIONS, INBOUND_ACTIONS),
  outbound: rules(OUTBOUND_CONDITIONS, OUTBOUND_ACTIONS),
});

function headers(...first: HeaderField[]): fc.Arbitrary<HeaderFacts> {
  const field = fc.record({ name: fc.constantFrom('X-A', 'x-b', 'Vary'), value: fc.constantFrom('1', '2') });
  const cookie = fc.constant<HeaderField>({ name: 'cookie', value: 'id=1' });
  return fc
    .array(fc.oneof(field, cookie), { maxLength: 4 })
    .map(fields => ({ fields: [...first, ...fields], absent: [], complete: true, withheld: [] }));
}

const WHOLE: fc.Arbitrary<Exchange> = fc
  .record({
    target: fc.constantFrom('/', '/a', '/a?q=1', '/b?q'),
    clientIp: fc.constantFrom('10.1.2.3', '192.0.2.1', '::1'),
    method: fc.constantFrom('GET', 'POST'),
    protocol: fc.constantFrom('HTTP/1.1', 'HTTP/2.0'),
    requestHeaders: headers({ name: 'Host', value: 'e.co' }),
    response: fc.record({ status: fc.constantFrom(200, 404), headers: headers(), bodySize: fc.constant(0) }),
  })
  .map(exchange => ({
    ...exchange,
    place: { file: 'a', number: 1, unit: 'entry' },
    time: 0,
    tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: 'e.co' },
    url: `https://e.co${exchange.target}`,
  }));

/** What is left out of a recording. */
const MASK = fc.record({
  clientIp: fc.boolean(),
  method: fc.boolean(),
  url: fc.boolean(),
  target: fc.boolean(),
  protocol: fc.boolean(),
  response: fc.boolean(),
  status: fc.boolean(),
  headers: fc.uniqueArray(fc.constantFrom('host', 'x-a', 'x-b', 'cookie', 'vary')),
  withheld: fc.boolean(),
});

type Mask = typeof MASK extends fc.Arbitrary<infer T> ? T : never;

function masked(whole: Exchange, mask: Mask): Exchange {
  const keep = <T>(value: T, isMasked: boolean) => (isMasked ? undefined : value);
  const { status, ...response } = whole.response!;
  return {
    ...whole,
    clientIp: keep(whole.clientIp, mask.clientIp),
    method: keep(whole.method, mask.method),
    url: keep(whole.url, mask.url || mask.target),
    target: keep(whole.target, mask.target),
    protocol: keep(whole.protocol, mask.protocol),
    requestHeaders: maskedHeaders(whole.requestHeaders, mask),
    response: keep(
      { ...response, status: keep(status, mask.status), headers: maskedHeaders(response.headers, mask) },
      mask.response,
    ),
  };
}

function maskedHeaders(facts: HeaderFacts, mask: Mask): HeaderFacts {
  if (mask.headers.length === 0) return facts;
  const isKept = (name: string) => !mask.headers.some(hidden => hidden === name.toLowerCase());
  const fields = facts.fields.filter(({ name }) => isKept(name));
  if (mask.withheld) return { ...facts, fields, withheld: mask.headers };
  const present = new Set(facts.fields.map(({ name }) => name.toLowerCase()));
  const absent = ['x-a', 'x-b', 'cookie', 'vary'].filter(name => !present.has(name) && isKept(name));
  return { fields, absent, complete: false, withheld: [] };
}

/** What the rule may have done on the whole record, by what is said of it on the masked one. */
const POSSIBLE: Readonly<Record<RuleResult['status'], readonly RuleResult['status'][]>> = {
  matched: ['matched'],
  'not-matched': ['not-matched', 'not-reached'],
  failed: ['failed', 'not-reached'],
  'not-reached': ['not-reached'],
  undetermined: ['matched', 'not-matched', 'failed', 'not-reached', 'undetermined'],
};

function outcomeKeys(decision: Decision): string[] {
  return decision.outcomes.map(({ kind, status, action }) => `${kind} ${status} ${action}`);
}

it('never contradicts on a partial record what the whole record gives', () => {
  fc.assert(
    fc.property(POLICY, WHOLE, MASK, (document, whole, mask) => {
      const source = new SourceText('policy.json', JSON.stringify(document));
      const analysis = analyzePolicy(source, { profile: EDGE_V2, endpoint: 'https-route', environments: ENVIRONMENTS });
      expect(analysis.diagnostics).toEqual([]);
      const simulation = createSimulation(analysis.policy!, { profile: EDGE_V2, environments: ENVIRONMENTS });
      const [known, partial] = [simulation.decide(whole), simulation.decide(masked(whole, mask))];
      expect(outcomeKeys(partial)).toEqual(expect.arrayContaining(outcomeKeys(known)));
      known.rules.forEach(({ status }, index) => {
        expect(POSSIBLE[partial.rules[index]!.status]).toContain(status);
      });
      expect(partial.outcomes.length > 1).toBe(partial.needs.length > 0);
    }),
    { numRuns: 300 },
  );
});
