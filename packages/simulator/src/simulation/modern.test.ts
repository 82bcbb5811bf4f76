import { EDGE_V2, type EndpointKind, extendProfile, MODERN, type ProfileSwitches } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { type Decision, loggedBy } from './decision.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';

const EXCHANGE: Exchange = {
  place: { file: 'a.har', number: 1, unit: 'entry' },
  time: Date.UTC(2026, 2, 2, 10, 15, 30),
  clientIp: '203.0.113.7',
  tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: 'e.co' },
  method: 'GET',
  target: '/v0/user/12?a=$1',
  url: 'https://u:p@e.co:8443/v0/user/12?a=$1',
  protocol: 'HTTP/2.0',
  requestHeaders: {
    fields: [
      { name: 'Host', value: 'e.co' },
      { name: 'Cookie', value: 'id=1; id=2' },
      { name: 'Authorization', value: 'Basic YWRhOmNvcnJlY3QtaG9yc2U=' },
    ],
    absent: [],
    complete: true,
    withheld: [],
  },
  response: {
    status: 404,
    headers: {
      fields: [
        { name: 'Content-Type', value: 'Text/HTML; Charset="utf-8"' },
        { name: 'Set-Cookie', value: 'id=1; Max-Age=60; SameSite=lax; Priority=High' },
      ],
      absent: [],
      complete: true,
      withheld: [],
    },
    bodySize: 5,
  },
};

interface Setting extends Pick<SimulationOptions, 'now' | 'seed'> {
  readonly exchange?: Exchange;
  readonly endpoint?: EndpointKind;
  readonly switches?: Partial<ProfileSwitches>;
}

function simulationOf(policy: object, { endpoint = 'http-endpoint', switches = {}, now, seed }: Setting = {}) {
  const profile = extendProfile('inbound' in policy ? EDGE_V2 : MODERN, { switches });
  const source = new SourceText('policy.json', JSON.stringify(policy));
  const analysis = analyzePolicy(source, { profile, endpoint: 'inbound' in policy ? 'https-route' : endpoint });
  expect(analysis.diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  const { environments } = analysis;
  const options = { profile, environments, ...(now !== undefined && { now }), ...(seed !== undefined && { seed }) };
  return createSimulation(analysis.policy!, options);
}

function decide(policy: object, setting: Setting = {}): Decision {
  return simulationOf(policy, setting).decide(setting.exchange ?? EXCHANGE);
}

type Action = string | readonly [type: string, config: object];

function when(expression: string, ...actions: readonly Action[]) {
  return {
    expressions: expression === '' ? [] : [expression],
    actions: actions.map(action =>
      typeof action === 'string' ? { type: action } : { type: action[0], config: action[1] },
    ),
  };
}

function ends({ outcomes }: Decision): string[] {
  return outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`));
}

function statuses({ rules }: Decision): string[] {
  return rules.map(rule => (rule.status === 'undetermined' ? `undetermined ${rule.needs.join(' ')}` : rule.status));
}

/** Returns the interpolated value of a logged string. */
function filled(text: string, setting: Setting = {}): unknown {
  const rule = when('', ['log', { metadata: { text } }]);
  const [metadata] = loggedBy(decide({ on_http_request: [rule] }, setting)) as readonly { text: unknown }[];
  return metadata!.text;
}

const ANSWER = ['custom-response', { status_code: 503, body: '<p>no ${req.method}', headers: { 'X-A': 'b' } }] as const;

describe('the inputs of rules in the modern profile', () => {
  it.each([
    'req.url == "https://u:p@e.co:8443/v0/user/12?a=$1" && req.url.host == "e.co" && req.url.port == 8443',
    'req.url.authority == "u:p@e.co:8443" && req.url.user_password == "u:p" && req.url.scheme == "https"',
    'req.url.path == "/v0/user/12" && req.url.uri == "/v0/user/12?a=$1" && req.url.query_params["a"] == ["$1"]',
    'req.headers["host"] == ["e.co"] && req.host == "e.co" && !has(req.headers.accept)',
    'req.cookies["id"][1].value == "2" && getReqCookie("id").value == "1"',
    'req.user_agent == "" && !req.user_agent.is_bot && req.content_type == "" && req.content_encoding == []',
    'conn.client_ip == "203.0.113.7" && conn.tls.version == "1.3" && conn.tls.sni == "e.co"',
    'timestamp(time.now) == req.ts.header_received && timestamp(time.now).getMinutes() == 15',
    'vars == {} && !has(actions.ngrok.rate_limit.limited)',
  ])('of a request: %s', expression => {
    expect(statuses(decide({ on_http_request: [when(expression, 'log')] }))).toEqual(['matched']);
  });

  it.each([
    'res.status_code == 404 && res.status_code >= "400"',
    'res.content_type == "text/html" && res.content_type.parameters == {"charset": "utf-8"}',
    'res.cookies["id"][0].max_age == duration("60s") && res.cookies["id"][0].same_site == "Lax"',
    'res.cookies["id"][0].unparsed_attributes == {"Priority": "High"} && !has(res.cookies["id"][0].expires)',
    '!has(res.content_length)',
  ])('of a response: %s', expression => {
    expect(statuses(decide({ on_http_response: [when(expression, 'log')] }))).toEqual(['matched']);
  });

  it.each([
    ['conn.geo.country_code == "DE"', 'conn.geo.country_code'],
    ['conn.client_ip.is_tor_node', 'conn.client_ip.is_tor_node'],
    ['conn.client_ip.categories.exists(c, c == "com.github")', 'conn.client_ip.categories'],
    ['has(conn.tls.client.subject.common_name)', 'conn.tls.client.subject.common_name'],
    ['endpoint.host == "e.co"', 'endpoint.host'],
    ['secrets.get("a", "b") == ""', '`secrets.get()`, because secrets are stored at the edge'],
    ['rand.int(1, 6) == 6', '`rand.int()`, because the edge generates a new number for each call'],
  ])('are unknown for %s', (expression, need) => {
    expect(statuses(decide({ on_http_request: [when(expression, 'log')] }))).toEqual([`undetermined ${need}`]);
  });
});

describe('interpolated strings', () => {
  it.each([
    ['${req.method} of ${conn.client_ip}', 'GET of 203.0.113.7'],
    ['${req.url.port}', 8443],
    ['port ${req.url.port}', 'port 8443'],
    ['${1000000.0 * 2.0} and ${true} // ${"}"}', '2e+06 and true // }'],
    ['${[1, 2]}', [1, 2]],
    ['list ${[1, 2]}', 'list [1,2]'],
    ['$${req.method} costs $1', '${req.method} costs $1'],
    ['x${req.headers["x-none"][0]}y', 'xy'],
    ['${timestamp("2026-01-02T03:04:05Z")}!', '2026-01-02T03:04:05Z!'],
  ])('%s', (text, expected) => {
    expect(filled(text)).toEqual(expected);
  });

  it('are unknown if a part is, and report expressions that failed', () => {
    expect(filled('in ${conn.geo.city}')).toStrictEqual(new Unknown(['conn.geo.city']));
    const decision = decide({ on_http_request: [when('', ['log', { metadata: { a: '${req.headers["x"][0]}-' } }])] });
    expect(decision.rules[0]).toMatchObject({
      actions: [{ notes: [{ kind: 'logged', metadata: { a: '-' } }, { kind: 'failed' }] }],
    });
  });

  it('stay as they are in profiles without interpolation, and follow the escape of the profile', () => {
    const rule = when('', ['log', { metadata: { text: '${req.method}' } }]);
    expect(loggedBy(decide({ inbound: [rule] }))).toEqual([{ text: '${req.method}' }]);
    expect(filled('$${req.method}', { switches: { interpolationEscape: 'none' } })).toBe('$GET');
  });

  const rewrite = (to: string, switches = {}) => {
    const rules = [when('', ['url-rewrite', { from: '/v0/user/([0-9]+).*', to }])];
    return decide({ on_http_request: rules }, { switches }).upstream.request.url;
  };

  it('keep dollar signs of the client out of replacements, unless configured otherwise', () => {
    expect(rewrite('/u/$1?${req.url.query}')).toBe('https://u:p@e.co:8443/u/12?a=$1');
    expect(rewrite('/u/$1?${req.url.query}', { dollarsOfRequest: 'expanded' })).toBe('https://u:p@e.co:8443/u/12?a=12');
    expect(rewrite('/$${x}')).toBe('https://u:p@e.co:8443/${x}');
  });

  it('may be patterns, which may be invalid', () => {
    const replace = (from: string) => when('', ['url-rewrite', { from, to: '/new' }]);
    const url = (from: string) => decide({ on_http_request: [replace(from)] }).upstream.request.url;
    expect(url('${req.url.path}.*')).toBe('https://u:p@e.co:8443/new');
    expect(url('(${req.url.path}')).toBe(EXCHANGE.url);
    expect(
      decide({ on_http_request: [when('', ['url-rewrite', { to: 'https://f.co${req.url.path}' }])] }).upstream.request
        .url,
    ).toBe('https://f.co/v0/user/12');
  });
});

describe('the life of a request', () => {
  it('passes through connection, request and response, with what client and upstream receive', () => {
    const decision = decide({
      on_tcp_connect: [when('conn.client_ip.startsWith("203.")', 'log')],
      on_http_request: [when('', ['add-headers', { headers: { 'x-b': '${req.method}' } }])],
      on_http_response: [
        when('', ['remove-headers', { headers: ['set-cookie'] }], ['add-headers', { headers: { via: 'e' } }]),
      ],
    });
    expect([statuses(decision), ends(decision)]).toEqual([['matched', 'matched', 'matched'], ['passed']]);
    expect(decision.upstream).toMatchObject({ isAsked: true, request: { host: 'e.co', headers: { 'x-b': ['GET'] } } });
    expect(decision.response!.headers).toMatchObject({ via: ['e'], 'set-cookie': undefined });
  });

  it('ends at the connection', () => {
    const decision = decide({ on_tcp_connect: [when('', 'close-connection')], on_http_request: [when('', 'log')] });
    expect([statuses(decision), ends(decision)]).toEqual([['matched', 'not-reached'], ['closed']]);
    expect([decision.response, decision.upstream.isAsked]).toEqual([undefined, false]);
    expect(ends(decide({ on_tcp_connect: [when('', 'deny')] }, { endpoint: 'tcp-endpoint' }))).toEqual(['closed']);
  });

  const answering = {
    on_http_request: [when('', ANSWER), when('', 'log')],
    on_http_response: [
      when('res.status_code == 503 && res.headers["x-a"] == ["b"]', ['add-headers', { headers: { 'x-c': 'd' } }]),
    ],
  };

  it('continues with the rules for responses after a response of the edge', () => {
    const decision = decide(answering);
    expect([statuses(decision), ends(decision)]).toEqual([['matched', 'not-reached', 'matched'], ['answered 503']]);
    expect(decision.response).toMatchObject({
      status: 503,
      headers: { 'x-a': ['b'], 'content-type': ['text/html; charset=utf-8'], 'x-c': ['d'] },
      body: '<p>no GET',
    });
    expect(decision.upstream.isAsked).toBe(false);
  });

  it.each([
    ['skipped', ['matched', 'not-reached', 'not-reached']],
    ['run', ['matched', 'not-reached', 'matched']],
  ] as const)(
    'continues after a response of the edge or not, by the switch: %s',
    (responsePhaseAfterAnswer, expected) => {
      expect(statuses(decide(answering, { switches: { responsePhaseAfterAnswer } }))).toEqual(expected);
    },
  );

  it('continues after a response of the edge in the older profile if the switch says so', () => {
    const policy = {
      inbound: [when('', ['custom-response', { status_code: 503 }])],
      outbound: [when('res.StatusCode == 503', 'log')],
    };
    expect(statuses(decide(policy))).toEqual(['matched', 'not-reached']);
    expect(statuses(decide(policy, { switches: { responsePhaseAfterAnswer: 'run' } }))).toEqual(['matched', 'matched']);
  });

  it.each([
    ['deny', 'not-reached', 'denied 403'],
    [['redirect', { to: 'https://f.co/' }], 'matched', 'redirected 302'],
    [['restrict-ips', { enforce: true, deny: ['203.0.113.0/24'], allow: ['0.0.0.0/0'] }], 'matched', 'refused 403'],
    [['forward-internal', { url: 'https://a.internal' }], 'matched', 'forwarded'],
  ] as const)('after %j has rules for responses %s', (action, status, end) => {
    const decision = decide({ on_http_request: [when('', action)], on_http_response: [when('', 'log')] });
    expect([statuses(decision), ends(decision)]).toEqual([['matched', status], [end]]);
  });

  it('joins the possible responses of the edge with that of the upstream', () => {
    const decision = decide({
      on_http_request: [when('conn.geo.country_code == "DE"', ANSWER)],
      on_http_response: [when('res.status_code >= 400', 'log'), when('"x-a" in res.headers', 'log'), when('', 'log')],
    });
    const open = 'undetermined conn.geo.country_code';
    expect(statuses(decision)).toEqual([open, open, open, 'matched']);
    expect([ends(decision), decision.upstream.isAsked]).toEqual([['answered 503', 'passed'], undefined]);
    const replaced = decide({
      on_http_request: [when('conn.geo.country_code == "DE"', ANSWER)],
      on_http_response: [when('', ['custom-response', { status_code: 200 }])],
    });
    expect([ends(replaced), replaced.needs]).toEqual([['replaced 200'], []]);
  });

  it('has events only if the response may be a stream of them', () => {
    const replace = ['sse-find-replace', { replacements: [{ field: 'data', from: 'a', to: 'b' }] }] as const;
    const policy = { on_event_stream_message: [when('', replace)] };
    const fields = [{ name: 'content-type', value: 'text/event-stream' }];
    const stream = {
      ...EXCHANGE,
      response: { ...EXCHANGE.response!, headers: { ...EXCHANGE.response!.headers, fields } },
    };
    expect(statuses(decide(policy))).toEqual(['not-reached']);
    expect(statuses(decide(policy, { exchange: stream }))).toEqual(['undetermined the events of the stream']);
  });
});

describe('results of actions', () => {
  it.each([
    [['set-vars', { vars: [{ n: '${1 + 1}' }, { twice: '${int(vars.n) * 2}' }] }], 'vars.n == 2 && vars.twice == 4'],
    [['basic-auth', { credentials: ['ada:correct-horse'] }], 'actions.ngrok.basic_auth.credentials.username == "ada"'],
    [
      ['url-rewrite', { from: '/v0', to: '/v1' }],
      'actions.ngrok.url_rewrite.matches == ["/v0"] && req.url.path.startsWith("/v1")',
    ],
    [['restrict-ips', { enforce: false, allow: [] }], 'actions.ngrok.restrict_ips.action == "deny"'],
    [
      ['restrict-ips', { enforce: true, allow: ['${conn.client_ip}/32'] }],
      'actions.ngrok.restrict_ips.matched_cidr == "203.0.113.7/32"',
    ],
    [['add-headers', { headers: { 'X-A': '1' } }], 'actions.ngrok.add_headers.headers_added == {"x-a": ["1"]}'],
    [
      ['remove-headers', { headers: ['Cookie'] }],
      'actions.ngrok.remove_headers.headers_removed == ["cookie"] && size(req.cookies) == 0',
    ],
    [['log', { metadata: { a: '${req.method}' } }], 'actions.ngrok.log.metadata.a == "GET"'],
  ] as const)('are visible to later rules: %j', (action, expression) => {
    expect(statuses(decide({ on_http_request: [when('', action), when(expression, 'log')] }))).toEqual([
      'matched',
      'matched',
    ]);
  });

  it('end with the phase for variables, but not for other results', () => {
    const decision = decide({
      on_http_request: [
        when('', ['set-vars', { vars: [{ a: 1 }] }], ['basic-auth', { credentials: ['ada:correct-horse'] }]),
      ],
      on_http_response: [when('has(vars.a)', 'log'), when('actions.ngrok.basic_auth.credentials.authorized', 'log')],
    });
    expect(statuses(decision)).toEqual(['matched', 'not-matched', 'matched']);
  });

  it('are unknown for what another server responds, and evaluation may end there if configured to halt', () => {
    const ask = (on_error: string) => when('', ['http-request', { url: 'https://a/${req.method}', on_error }]);
    const read = when('actions.ngrok.http_request.res.status_code == 200', 'deny');
    const decision = decide({ on_http_request: [ask('continue'), read] });
    expect(statuses(decision)).toEqual(['matched', 'undetermined the response to `http-request`']);
    expect(decision.rules[0]).toMatchObject({
      actions: [{ notes: [{ kind: 'sent', url: 'https://a/GET' }, { kind: 'opaque' }] }],
    });
    expect(ends(decide({ on_http_request: [ask('halt')] }))).toEqual(['refused', 'passed']);
  });

  it.each([
    [{ credentials: ['ada:correct-horse'] }, ['passed']],
    [{ credentials: ['ada:wrong-horse'] }, ['refused 401']],
    [{ credentials: ['ada:wrong-horse'], enforce: false }, ['passed']],
    [{ credentials: ['${secrets.get("a", "b")}'] }, ['refused 401', 'passed']],
  ])('show who is admitted: basic-auth %j', (config, expected) => {
    expect(ends(decide({ on_http_request: [when('', ['basic-auth', config])] }))).toEqual(expected);
  });
});

describe('time and randomness', () => {
  it('are those of the exchange, or the given ones', () => {
    expect(filled('${time.now}')).toBe('2026-03-02T10:15:30Z');
    expect(filled('${time.now}', { now: 0 })).toBe('1970-01-01T00:00:00Z');
    expect(filled('${time.now}', { exchange: { ...EXCHANGE, time: undefined } })).toStrictEqual(
      new Unknown(['the time of the exchange']),
    );
  });

  it('are drawn for each exchange, the same with the same seed, and within their bounds', () => {
    const { decide: draw } = simulationOf(
      { on_http_request: [when('', ['log', { metadata: { die: '${rand.int(1, 6)}', share: '${rand.double()}' } }])] },
      { seed: 7 },
    );
    const drawn = (number: number) => {
      const place = { ...EXCHANGE.place, number };
      return loggedBy(draw({ ...EXCHANGE, place }))[0] as { readonly die: number; readonly share: number };
    };
    const all = Array.from({ length: 3000 }, (_, number) => drawn(number));
    expect(drawn(5)).toEqual(all[5]);
    expect(all.every(({ share }) => share >= 0 && share < 1)).toBe(true);
    const counts = [1, 2, 3, 4, 5, 6].map(face => all.filter(({ die }) => die === face).length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(3000);
    // Six standard deviations around the mean of 500.
    expect(counts.every(count => Math.abs(count - 500) < 123)).toBe(true);
    const mean = all.reduce((sum, { share }) => sum + share, 0) / all.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.032);
  });

  it('are the same in a trace and in the result of the rule', () => {
    const simulation = simulationOf({ on_http_request: [when('rand.double() < 0.5', 'log')] }, { seed: 1 });
    for (let number = 0; number < 20; number++) {
      const { rules, expressions } = simulation.trace({ ...EXCHANGE, place: { ...EXCHANGE.place, number } });
      expect(expressions[0]![0]!.result).toBe(rules[0]!.status === 'matched');
    }
  });
});
