import { EDGE_V2, type EndpointKind } from '@tollgate/catalog';
import { EvaluationError } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import type { Assumptions } from '../exchange-state/traffic-state.ts';
import type { Decision, RuleResult } from './decision.ts';
import { createSimulation } from './simulation.ts';

/** A complete recording of a browser's request. */
const WHOLE: Exchange = {
  place: { file: 'a.har', number: 1, unit: 'entry' },
  time: 0,
  clientIp: '203.0.113.7',
  tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: 'e.co' },
  method: 'GET',
  target: '/v0/user/12?a=b',
  url: 'https://e.co/v0/user/12?a=b',
  protocol: 'HTTP/1.1',
  requestHeaders: {
    fields: [
      { name: 'Host', value: 'e.co' },
      { name: 'cookie', value: 'id=1' },
      { name: 'user-agent', value: 'Firefox' },
    ],
    absent: [],
    complete: true,
    withheld: [],
  },
  response: {
    status: 404,
    headers: { fields: [{ name: 'Content-Type', value: 'text/html' }], absent: [], complete: true, withheld: [] },
    bodySize: 5,
  },
};

/** The same request in an access log. */
const LOGGED: Exchange = {
  ...WHOLE,
  tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
  url: undefined,
  requestHeaders: {
    fields: [{ name: 'User-Agent', value: 'Firefox' }],
    absent: ['referer'],
    complete: false,
    withheld: [],
  },
  response: { status: 404, headers: { fields: [], absent: [], complete: false, withheld: [] }, bodySize: 5 },
};

interface Setting {
  readonly exchange?: Exchange;
  readonly endpoint?: EndpointKind;
  readonly assumptions?: Assumptions;
}

function decide(
  policy: object,
  { exchange = WHOLE, endpoint = 'https-route', assumptions = {} }: Setting = {},
): Decision {
  const source = new SourceText('policy.json', JSON.stringify(policy));
  const analysis = analyzePolicy(source, { profile: EDGE_V2, endpoint });
  expect(analysis.diagnostics).toEqual([]);
  const { environments } = analysis;
  return createSimulation(analysis.policy!, { profile: EDGE_V2, environments, assumptions }).decide(exchange);
}

function when(expression: string, ...actions: readonly (string | readonly [type: string, config: object])[]) {
  return {
    expressions: expression === '' ? [] : [expression],
    actions: actions.map(action =>
      typeof action === 'string' ? { type: action } : { type: action[0], config: action[1] },
    ),
  };
}

const LOG = ['log', { metadata: {} }] as const;

/** `matched`, `undetermined req.Host`, `failed eval/…`. */
function shortly(result: RuleResult): string {
  if (result.status === 'undetermined') return `undetermined ${result.needs.join(' ')}`;
  return result.status === 'failed' ? `failed ${result.error.code}` : result.status;
}

function statuses(decision: Decision): string[] {
  return decision.rules.map(shortly);
}

function ends(decision: Decision): string[] {
  return decision.outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`));
}

describe('the decision', () => {
  it.each([
    ['the address', "conn.ClientIP == '203.0.113.7' && inCidrRange(conn.ClientIP, '203.0.113.0/24')"],
    ['the method', "req.Method == 'GET'"],
    ['the URL', "req.URL == 'https://e.co/v0/user/12?a=b'"],
    ['the path', "req.Path == '/v0/user/12'"],
    ['the parameters', "req.Params == {'a': ['b']} && getQueryParam('a') == ['b'] && !hasQueryParam('b')"],
    ['the protocol', "req.Protocol == 'HTTP/1.1'"],
    ['the host', "req.Host == 'e.co'"],
    ['headers in canonical form', "req.Headers['User-Agent'] == ['Firefox'] && !('user-agent' in req.Headers)"],
    ['that a header is absent', "!hasReqHeader('X-Key') && getReqHeader('X-Key') == []"],
    ['the cookies', "req.Cookies.size() == 1 && getReqCookie('id').Value == '1' && !hasReqCookie('x')"],
    ['the length of no body', 'req.ContentLength == 0'],
    ['that there is no location', "req.Location == ''"],
    ['the TLS version', "req.ClientTLS.Version.contains('1.3') && req.ClientTLS.SNI == 'e.co'"],
  ])('reads %s of a request', (_, expression) => {
    expect(statuses(decide({ inbound: [when(expression, LOG)] }))).toEqual(['matched']);
  });

  it.each([
    ['the status, as text or number', "res.StatusCode == '404' && res.StatusCode == 404 && res.StatusCode < 500"],
    ['its headers', "res.Headers['Content-Type'][0] == 'text/html' && !hasResHeader('Location')"],
    ['the request', "req.Path == '/v0/user/12'"],
    ['that its length is not told', 'res.ContentLength == -1'],
    ['that it sets no cookies', 'size(res.Cookies) == 0'],
  ])('reads %s of a response', (_, expression) => {
    expect(statuses(decide({ outbound: [when(expression, LOG)] }))).toEqual(['matched']);
  });

  it.each([
    ["req.Headers['X-Key'][0] == 'a'", 'req.Headers["X-Key"]'],
    ["'X-Key' in req.Headers", 'req.Headers["X-Key"]'],
    ["req.URL.contains('x')", 'req.URL'],
    ["req.Host == 'e.co'", 'req.Host'],
    ["hasReqCookie('id')", 'req.Headers["Cookie"]'],
    ["conn.Geo.CountryCode == 'DE'", 'conn.Geo.CountryCode'],
    ["req.ClientTLS.Version == ''", 'req.ClientTLS.Version'],
    ['size(req.Headers) > 3', 'req.Headers'],
    ["req.Trailers.exists(name, name == 'a')", 'req.Trailers'],
  ])('is undetermined for %s on a log line, with the inputs that are needed', (expression, need) => {
    const decision = decide({ inbound: [when(expression, LOG)] }, { exchange: LOGGED });
    expect(statuses(decision)).toEqual([`undetermined ${need}`]);
    expect(decision.rules[0]).toMatchObject({ actions: [{ result: 'may-have-fired' }] });
    expect(ends(decision)).toEqual(['passed']);
    expect(decision.needs).toEqual([]);
  });

  it.each([
    ["'Referer' in req.Headers", 'not-matched'],
    ["req.Headers['Referer'][0] == 'a'", 'failed eval/no-such-key'],
    ["req.Host == 'e.co' && req.Method == 'POST'", 'not-matched'],
    ["req.Host == 'e.co' || req.Path.startsWith('/v0')", 'matched'],
  ])('is determined for %s on a log line if the missing input does not matter', (expression, status) => {
    expect(statuses(decide({ inbound: [when(expression, LOG)] }, { exchange: LOGGED }))).toEqual([status]);
  });

  it('keeps an evaluation error and continues', () => {
    const decision = decide({
      inbound: [when("req.Headers['X'][0] == 'a'", 'deny'), when('', ['deny', { status_code: 403 }])],
    });
    expect(statuses(decision)).toEqual(['failed eval/no-such-key', 'matched']);
    expect(decision.rules[0]).toMatchObject({ error: expect.any(EvaluationError) });
    expect(ends(decision)).toEqual(['denied 403']);
  });

  it('joins the expressions of a rule with and', () => {
    const rule = (...expressions: string[]) => ({ expressions, actions: [{ type: 'deny' }] });
    const decision = decide({
      inbound: [rule("req.Headers['X'][0] == 'a'", 'false'), rule('true', "req.Method == 'GET'"), rule('true')],
    });
    expect(statuses(decision)).toEqual(['not-matched', 'matched', 'not-reached']);
    expect(ends(decision)).toEqual(['denied 999']);
  });

  it('ignores a disabled policy', () => {
    const decision = decide({ enabled: false, inbound: [when('', 'deny')] });
    expect([statuses(decision), ends(decision)]).toEqual([['not-reached'], ['passed']]);
  });

  it('runs no outbound rules if the edge has responded', () => {
    const answer = when('', ['custom-response', { status_code: 503 }]);
    const decision = decide({ inbound: [answer], outbound: [when('', LOG)] });
    expect([statuses(decision), ends(decision)]).toEqual([['matched', 'not-reached'], ['answered 503']]);
    expect(ends(decide({ outbound: [answer] }))).toEqual(['replaced 503']);
  });

  it('closes connections of TLS and TCP edges', () => {
    const deny = when("conn.ClientIP == '203.0.113.7'", 'deny');
    expect(ends(decide({ inbound: [deny] }, { endpoint: 'tcp-edge' }))).toEqual(['closed']);
    const tls = when("conn.TLS.Version.contains('1.3')", LOG, 'deny');
    expect(ends(decide({ inbound: [tls] }, { endpoint: 'tls-edge' }))).toEqual(['closed']);
  });
});

describe('a decision in isolation', () => {
  /** Says what is read of the exchange, except within `aside`. */
  const readsOf = (...inbound: readonly object[]) => {
    const analysis = analyzePolicy(new SourceText('policy.json', JSON.stringify({ inbound })), {
      profile: EDGE_V2,
      endpoint: 'https-route',
    });
    const { policy, environments } = analysis;
    const run = createSimulation(policy!, { profile: EDGE_V2, environments }).begin();
    const reads = new Set<string | symbol>();
    const watched = new Proxy(WHOLE, {
      get: (exchange, name) => {
        reads.add(name);
        return exchange[name as keyof Exchange];
      },
    });
    const judged = run.judgedInIsolation(watched, evaluate => evaluate(WHOLE));
    expect(judged.decision().rules.map(({ status }) => status)).toEqual(inbound.map(() => 'matched'));
    return reads;
  };
  const addsHeader = when("req.Method == 'GET'", ['add-headers', { headers: { 'X-A': '1' } }]);

  it('does not read what conditions need, unless an action may have changed their results', () => {
    const reads = readsOf(addsHeader, when("req.Path.startsWith('/v0')", LOG));
    expect(reads).not.toContain('url');
    expect(reads).not.toContain('target');
  });

  it('reads what a condition needs whose result an action may have changed', () => {
    const reads = readsOf(addsHeader, when("'X-A' in req.Headers && req.Path.startsWith('/v0')", LOG));
    expect(reads).toContain('url');
  });
});

describe('a decision that depends on unknown inputs', () => {
  const UNSURE = "req.Host == 'e.co'";

  it('has both outcomes and treats later rules as possible', () => {
    const decision = decide(
      { inbound: [when(UNSURE, ['deny', { status_code: 403 }]), when("req.Method == 'GET'", LOG)] },
      { exchange: LOGGED },
    );
    expect(ends(decision)).toEqual(['denied 403', 'passed']);
    expect(decision.needs).toEqual(['req.Host']);
    expect(statuses(decision)).toEqual(['undetermined req.Host', 'undetermined req.Host']);
  });

  it('is determined if all paths lead to the same outcome', () => {
    const deny = ['deny', { status_code: 403 }] as const;
    const decision = decide({ inbound: [when(UNSURE, deny), when('', deny)] }, { exchange: LOGGED });
    expect([ends(decision), decision.needs]).toEqual([['denied 403'], []]);
  });

  it('makes unknown what the rule may have changed, and nothing else', () => {
    const decision = decide(
      {
        inbound: [
          when(UNSURE, ['add-headers', { headers: { 'X-Tag': 'a' } }], ['remove-headers', { headers: ['User-Agent'] }]),
          when("req.Headers['X-Tag'][0] == 'a'", LOG),
          when("'User-Agent' in req.Headers && req.Path == '/'", LOG),
          when("'User-Agent' in req.Headers", LOG),
          when("'Referer' in req.Headers", LOG),
        ],
      },
      { exchange: { ...LOGGED, requestHeaders: { ...LOGGED.requestHeaders, absent: ['referer', 'x-tag'] } } },
    );
    const open = 'undetermined req.Host';
    expect(statuses(decision)).toEqual([open, open, 'not-matched', open, 'not-matched']);
  });

  it('continues as if not ended after a possible refusal', () => {
    const limit = [
      'rate-limit',
      { name: 'a', algorithm: 'sliding_window', capacity: 9, rate: '60s', bucket_key: ['req.Host'] },
    ] as const;
    const decision = decide({ inbound: [when('', limit, LOG), when("req.Method == 'POST'", 'deny')] });
    expect(ends(decision)).toEqual(['refused 429', 'passed']);
    expect(decision.needs).toEqual(['the counters of the rate limit `a`']);
    expect(decision.rules[0]).toMatchObject({
      status: 'matched',
      actions: [{ result: 'may-have-fired' }, { result: 'may-have-fired' }],
    });
    expect(decision.rules[1]).toEqual({ status: 'not-matched' });
  });
});

describe('actions', () => {
  const REWRITE = ['url-rewrite', { from: 'v0/user/([0-9]+).*', to: 'v1/user?id=$1&$args' }] as const;

  it('rewrite the URL that later rules see, with both values in the trace', () => {
    const decision = decide({
      inbound: [when('', REWRITE), when("req.Path == '/v1/user' && getQueryParam('id') == ['12']", LOG)],
      outbound: [when('res.StatusCode == 404', LOG)],
    });
    expect(statuses(decision)).toEqual(['matched', 'matched', 'undetermined the response to the rewritten request']);
    expect(decision.rules[0]).toMatchObject({
      before: { request: { url: WHOLE.url } },
      after: { request: { url: 'https://e.co/v1/user?id=12&a=b' } },
    });
  });

  it('are idle if there is nothing to rewrite or redirect', () => {
    const nothing = { from: 'nowhere', to: 'x' };
    const decision = decide({ inbound: [when('', ['url-rewrite', nothing], ['redirect', nothing], LOG)] });
    expect(decision.rules[0]).toMatchObject({ actions: [{ result: 'idle' }, { result: 'idle' }, { result: 'fired' }] });
    expect(ends(decision)).toEqual(['passed']);
  });

  it('redirect with the configured status, 302 by default and for null', () => {
    const to = { from: '^http://|^https://', to: 'https://www.' };
    expect(ends(decide({ inbound: [when('', ['redirect', { ...to, status_code: 301 }])] }))).toEqual([
      'redirected 301',
    ]);
    expect(ends(decide({ inbound: [when('', ['redirect', { ...to, status_code: null, headers: null }])] }))).toEqual([
      'redirected 302',
    ]);
  });

  it('leave the redirect of an unrecorded URL undetermined unless the origin is given', () => {
    const policy = { inbound: [when('', ['redirect', { from: '^https://e.co/v0', to: 'https://e.co/v1' }])] };
    expect(ends(decide(policy, { exchange: LOGGED }))).toEqual(['redirected 302', 'passed']);
    expect(ends(decide(policy, { exchange: LOGGED, assumptions: { origin: 'https://e.co' } }))).toEqual([
      'redirected 302',
    ]);
    expect(ends(decide(policy, { exchange: LOGGED, assumptions: { origin: 'https://f.co' } }))).toEqual(['passed']);
  });

  it('know the host of a request if the origin is given', () => {
    const rule = when(
      "req.Host == 'e.co:1' && req.Headers['Host'][0] == 'e.co:1' && req.URL.startsWith('http://e.co:1/v0')",
      LOG,
    );
    const assumptions = { origin: 'http://e.co:1' };
    expect(statuses(decide({ inbound: [rule] }, { exchange: LOGGED, assumptions }))).toEqual(['matched']);
  });

  it.each([
    [
      'add a value to a header',
      ['add-headers', { headers: { 'user-agent': 'b' } }],
      "req.Headers['User-Agent'] == ['Firefox', 'b']",
    ],
    [
      'replace the host',
      ['add-headers', { headers: { host: 'f.co' } }],
      "req.Host == 'f.co' && req.Headers['Host'] == ['f.co']",
    ],
    [
      'fill in templates',
      ['add-headers', { headers: { 'X-A': '${.conn.client_ip} ${.http.request.method}' } }],
      "req.Headers['X-A'] == ['203.0.113.7 GET']",
    ],
    [
      'remove headers in any case',
      ['remove-headers', { headers: ['USER-agent'] }],
      "!('User-Agent' in req.Headers) && size(req.Headers) == 2",
    ],
  ] as const)('%s of the request', (_, action, expression) => {
    expect(statuses(decide({ inbound: [when('', action), when(expression, LOG)] }))).toEqual(['matched', 'matched']);
  });

  it('change the headers of the response in outbound', () => {
    const decision = decide({
      outbound: [
        when('', ['add-headers', { headers: { 'X-A': '1' } }], ['remove-headers', { headers: ['content-type'] }]),
        when("getResHeader('X-A') == ['1'] && !hasResHeader('Content-Type') && !('X-A' in req.Headers)", LOG),
      ],
    });
    expect(statuses(decision)).toEqual(['matched', 'matched']);
  });

  it('leave a header unknown if only the edge knows its value', () => {
    const added = ['add-headers', { headers: { 'X-Id': '${.http.request_id}' } }] as const;
    const decision = decide({
      inbound: [when('', added), when("'X-Id' in req.Headers", LOG), when("getReqHeader('X-Id')[0] == ''", LOG)],
    });
    expect(statuses(decision)).toEqual(['matched', 'matched', 'undetermined ${.http.request_id}']);
  });

  it.each([
    [undefined, ['not-matched', 'not-matched']],
    ['br;q=0, deflate;q=0.5, *;q=0.1', ['matched', 'matched']],
    ['identity', ['not-matched', 'not-matched']],
  ])('compress a response for a client that accepts %j', (accepted, expected) => {
    const compress = ['compress-response', { algorithms: ['br', 'gzip', 'deflate'] }] as const;
    const fields = accepted === undefined ? [] : [{ name: 'accept-encoding', value: accepted }];
    const exchange = { ...WHOLE, requestHeaders: { ...WHOLE.requestHeaders, fields } };
    const outbound = [
      when('', compress),
      when("getResHeader('Content-Encoding') == ['deflate']", LOG),
      when("getResHeader('Vary') == ['Accept-Encoding']", LOG),
    ];
    expect(statuses(decide({ outbound }, { exchange })).slice(1)).toEqual(expected);
  });

  it('leave compression undetermined if it is unknown what the client accepts', () => {
    const outbound = [when('', ['compress-response', {}]), when("hasResHeader('Vary')", LOG)];
    const need = 'undetermined req.Headers["Accept-Encoding"]';
    const response = WHOLE.response!;
    expect(statuses(decide({ outbound }, { exchange: { ...LOGGED, response } }))).toEqual(['matched', need]);
  });

  it.each([
    [{ allow: ['203.0.113.0/24'] }, ['passed']],
    [{ allow: ['203.0.113.7'] }, ['passed']],
    [{ allow: ['203.0.113.0/24'], deny: ['203.0.113.7/32'] }, ['refused 403']],
    [{ deny: ['10.0.0.0/8'] }, ['refused 403']],
    [{ allow: ['10.0.0.0/8', '::/0'] }, ['refused 403']],
    [{ enforce: false, allow: ['10.0.0.0/8'] }, ['passed']],
    [{ allow: ['0.0.0.0/0'], ip_policies: ['ipp_1'] }, ['refused 403', 'passed']],
  ])('restrict addresses by %j', (config, expected) => {
    expect(ends(decide({ inbound: [when('', ['restrict-ips', config])] }))).toEqual(expected);
  });

  it.each([
    ['is refused without a token', WHOLE, ['refused 401'], []],
    ['is refused with a token of another kind', withToken('Basic x'), ['refused 401'], []],
    [
      'is open with a token',
      withToken(`Bearer ${TOKEN}`),
      ['refused 401', 'passed'],
      ['the keys that tokens are verified with'],
    ],
    ['is open where tokens are not recorded', LOGGED, ['refused 401', 'passed'], ['req.Headers["Authorization"]']],
  ])('validate tokens %s', (_, exchange, expected, needs) => {
    const config = {
      issuer: { allow_list: [{ value: 'https://id.e.co/' }] },
      audience: { allow_list: [{ value: 'https://e.co' }] },
      http: { tokens: [{ type: 'jwt', method: 'header', name: 'authorization', prefix: 'Bearer ' }] },
      jws: { allowed_algorithms: ['RS256'], keys: { sources: { additional_jkus: ['https://id.e.co/keys'] } } },
    };
    const decision = decide({ inbound: [when('', ['jwt-validation', config])] }, { exchange });
    expect([ends(decision), decision.needs]).toEqual([expected, needs]);
  });
});

const TOKEN = [{ alg: 'RS256' }, { iss: 'https://id.e.co/', aud: 'https://e.co' }, {}]
  .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

function withToken(value: string): Exchange {
  const { requestHeaders } = WHOLE;
  return {
    ...WHOLE,
    requestHeaders: { ...requestHeaders, fields: [...requestHeaders.fields, { name: 'authorization', value }] },
  };
}
