import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, type Expectation, type PolicyTest, type PolicyTests } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { runTests } from './run-tests.ts';

const POLICY = {
  inbound: [
    {
      name: 'bots',
      expressions: ["getReqHeader('User-Agent').exists(agent, agent == 'bot')"],
      actions: [
        { type: 'log', config: { metadata: { reason: 'bot' } } },
        { type: 'deny', config: { status_code: 403 } },
      ],
    },
    {
      expressions: ["req.Headers['X-Old'][0] == '1'"],
      actions: [{ type: 'redirect', config: { from: '/old', to: '/new' } }],
    },
    {
      name: 'twice',
      expressions: ["req.Path == '/x'"],
      actions: [{ type: 'add-headers', config: { headers: { 'x-a': 'b' } } }],
    },
    { name: 'twice', expressions: ["req.Path == '/y'"], actions: [{ type: 'log', config: { metadata: { n: 1 } } }] },
  ],
  outbound: [{ name: 'server', actions: [{ type: 'remove-headers', config: { headers: ['server'] } }] }],
};

const MODERN_POLICY = {
  on_http_request: [
    { name: 'luck', expressions: ['rand.double() < 0.5'], actions: [{ type: 'log', config: { metadata: { n: 1 } } }] },
    {
      name: 'limit',
      expressions: ["req.url.path == '/limited'"],
      actions: [
        {
          type: 'rate-limit',
          config: { name: 'a', algorithm: 'sliding_window', capacity: 3, rate: '60s', bucket_key: ['conn.client_ip'] },
        },
      ],
    },
  ],
};

function analyzed(written: object, profile: Profile) {
  const options = { profile, endpoint: profile.endpoints[0]! };
  const { policy, environments, diagnostics } = analyzePolicy(
    new SourceText('p.json', JSON.stringify(written)),
    options,
  );
  expect(diagnostics).toEqual([]);
  return { policy: policy!, options: { profile, environments } };
}

const OLD = analyzed(POLICY, EDGE_V2);
const NEW = analyzed(MODERN_POLICY, MODERN);

function run(...tests: readonly Partial<PolicyTest>[]) {
  return runOn(OLD, tests);
}

function runOn({ policy, options }: typeof OLD, tests: readonly Partial<PolicyTest>[]) {
  const file: PolicyTests = {
    policy: 'p.json',
    tests: tests.map((test, index) => ({ name: `test ${index}`, expect: { outcome: 'passed' }, ...test })),
  };
  return runTests(policy, file, options);
}

/** Returns the faults of one test as `kind path: message`. */
function wrongIn(test: Partial<PolicyTest>): readonly string[] {
  const [result] = run(test).results;
  expect(result!.status).toBe(result!.mismatches.length > 0 ? 'failed' : 'passed');
  return result!.mismatches.map(({ kind, path, message }) => `${kind} ${path.slice(3).join('.')}: ${message}`);
}

const BOT: Partial<PolicyTest> = {
  request: { url: '/', headers: { 'user-agent': 'bot' }, no_other_headers: true },
};
const PERSON: Partial<PolicyTest> = {
  request: { url: 'https://e.co/x?a=1', headers: { 'User-Agent': 'person' }, no_other_headers: true },
  response: { status: 200, headers: { Server: 'nginx', 'Set-Cookie': ['a', 'b'] } },
};

describe('an expectation that is met', () => {
  it.each<[string, Partial<PolicyTest>, Expectation]>([
    ['outcome and status', BOT, { outcome: 'denied', status: 403, upstream: { asked: false } }],
    ['rules', BOT, { rules: { bots: 'matched', 'inbound 2': 'not-reached', server: 'not-reached' } }],
    ['rules that fail', PERSON, { rules: { 'inbound 2': 'failed', 'inbound 3': 'matched' } }],
    ['actions and what is logged', BOT, { actions: ['log', 'deny'], logged: [{ reason: 'bot' }] }],
    ['headers to the client', PERSON, { status: 200, headers: { SERVER: null, 'set-cookie': ['a', 'b'] } }],
    [
      'what the upstream gets',
      PERSON,
      { upstream: { asked: true, url: 'https://e.co/x?a=1', headers: { 'X-A': 'b' } } },
    ],
    [
      'where the client is sent',
      { request: { url: 'https://e.co/old', headers: { 'User-Agent': 'p', 'X-Old': '1' } } },
      { outcome: 'redirected', location: 'https://e.co/new' },
    ],
  ])('of %s passes', (_, test, expectation) => {
    expect(wrongIn({ ...test, expect: expectation })).toEqual([]);
  });
});

it.each(['10.0.0.7', '::ffff:10.0.0.7', '[::ffff:a00:7]'])('of %s passes for the client 10.0.0.7', client_ip => {
  const rule = {
    expressions: ["!inCidrRange(conn.ClientIP, '10.0.0.0/8')"],
    actions: [{ type: 'deny', config: { status_code: 403 } }],
  };
  const { results } = runOn(analyzed({ inbound: [rule] }, EDGE_V2), [
    { ...PERSON, connection: { client_ip }, expect: { outcome: 'passed', rules: { 'inbound 1': 'not-matched' } } },
  ]);
  expect(results.map(({ mismatches }) => mismatches)).toEqual([[]]);
});

describe('an expectation that is not met', () => {
  it.each<[Partial<PolicyTest>, Expectation, readonly string[]]>([
    [
      BOT,
      { outcome: 'passed', status: 200 },
      [
        'differs outcome: expected the outcome to be `passed`, found `denied`',
        'differs status: expected the status to be `200`, found `403`',
      ],
    ],
    [
      BOT,
      { actions: ['deny', 'log'], logged: [], rules: { bots: 'not-matched' } },
      [
        'differs actions: expected the actions that fire to be `deny`, `log`, found `log`, `deny`',
        'differs logged: expected what is logged to be none, found `[{"reason":"bot"}]`',
        'differs rules.bots: expected the rule `bots` to be `not-matched`, found `matched`',
      ],
    ],
    [
      BOT,
      { upstream: { asked: true, url: 'https://e.co/', headers: { X: null } }, location: '' },
      [
        'differs location: expected the header `Location` to be ``, found nothing',
        'differs upstream.asked: expected the upstream to be asked, but it was not',
        'differs upstream.url: expected the URL that the upstream gets to be `https://e.co/`, found `no request`',
        'differs upstream.headers.X: expected the header `X` to be nothing, found `no request`',
      ],
    ],
    [
      PERSON,
      { headers: { Server: 'nginx', 'Set-Cookie': ['b', 'a'] } },
      [
        'differs headers.Server: expected the header `Server` to be `nginx`, found nothing',
        'differs headers.Set-Cookie: expected the header `Set-Cookie` to be `b`, `a`, found `a`, `b`',
      ],
    ],
    [
      PERSON,
      { rules: { twice: 'matched', bot: 'matched', 'inbound 9': 'matched', other: 'matched' } },
      [
        'unknown-rule rules.twice: several rules are named `twice`; write `inbound 3` or `inbound 4`',
        'unknown-rule rules.bot: unknown rule `bot`; did you mean `bots`?',
        'unknown-rule rules.inbound 9: unknown rule `inbound 9`; did you mean `inbound 1`?',
        'unknown-rule rules.other: unknown rule `other`; write its name, or its phase and number, as in `outbound 1`',
      ],
    ],
  ])('is reported with what was found: %j %j', (test, expectation, wrong) => {
    expect(wrongIn({ ...test, expect: expectation })).toEqual(wrong);
  });

  it('of a response fails if there is none', () => {
    const closing = analyzed({ on_tcp_connect: [{ actions: [{ type: 'deny' }] }] }, MODERN);
    const [result] = runOn(closing, [
      { expect: { outcome: 'closed', status: 403, body: '', headers: { Server: null } } },
    ]).results;
    expect(result!.mismatches.map(({ message }) => message)).toEqual([
      'expected the status to be `403`, found `no response`',
      'expected the header `Server` to be nothing, found `no response`',
      'expected the body to be ``, found `no response`',
    ]);
  });

  it('names the rule that decided', () => {
    const [result] = run({ ...BOT, expect: { outcome: 'passed' } }).results;
    expect(result!.mismatches.map(({ rule, expected, found }) => ({ rule, expected, found }))).toEqual([
      { rule: 0, expected: 'passed', found: 'denied' },
    ]);
  });
});

describe('an expectation that depends on unknown inputs', () => {
  const AGENT = 'req.Headers["User-Agent"]';

  it('fails and names the inputs', () => {
    const all: Expectation = {
      outcome: 'denied',
      status: 403,
      upstream: { asked: false },
      actions: [],
      rules: { bots: 'matched' },
    };
    const found = run({ request: { url: '/', headers: { 'X-Old': null } }, expect: all }).results[0]!;
    expect(found.mismatches.map(({ kind, path, needs }) => [kind, path.slice(3).join('.'), needs])).toEqual([
      ['undetermined', 'outcome', [AGENT]],
      ['undetermined', 'status', [AGENT]],
      ['undetermined', 'upstream.asked', [AGENT]],
      ['undetermined', 'actions', [AGENT]],
      ['undetermined', 'rules.bots', [AGENT]],
    ]);
    expect(found.status).toBe('failed');
  });

  it('differs if it is met in no case', () => {
    expect(wrongIn({ request: { url: '/', headers: { 'X-Old': null } }, expect: { outcome: 'closed' } })).toEqual([
      'differs outcome: expected the outcome to be `closed`, found `denied` or `passed`',
    ]);
  });

  it('depends on chance without a seed, and is reproducible with one', () => {
    const test: Partial<PolicyTest> = { request: { url: '/' }, expect: { rules: { luck: 'matched' } } };
    expect(runOn(NEW, [test]).results[0]!.mismatches[0]!.kind).toBe('undetermined');
    const statuses = (name: string) =>
      Array.from({ length: 40 }, (_, seed) => runOn(NEW, [{ ...test, name, seed }]).results[0]!.status);
    expect(new Set(statuses('a'))).toEqual(new Set(['passed', 'failed']));
    expect(statuses('a')).toEqual(statuses('a'));
    expect(statuses('a')).not.toEqual(statuses('b'));
  });
});

describe('a limit', () => {
  const visit: Partial<PolicyTest> = {
    now: '2026-03-02T10:15:30Z',
    connection: { client_ip: '203.0.113.7' },
    request: { url: '/limited' },
  };

  it.each<[number, Expectation]>([
    [1, { outcome: 'passed' }],
    [3, { outcome: 'passed' }],
    [4, { outcome: 'refused', status: 429 }],
  ])('starts at zero in each test: after %i times', (times, expectation) => {
    const test = { ...visit, times, expect: expectation };
    const { results } = runOn(NEW, [test, test]);
    expect(results.map(({ mismatches }) => mismatches)).toEqual([[], []]);
  });
});

describe('a run', () => {
  it('reports skipped tests with the reason', () => {
    const { results, counts, isNarrowed } = run({ ...BOT, skip: 'not now' }, { ...BOT, expect: { outcome: 'denied' } });
    expect(results).toEqual([
      { name: 'test 0', status: 'skipped', reason: 'not now', mismatches: [] },
      { name: 'test 1', status: 'passed', mismatches: [] },
    ]);
    expect([counts, isNarrowed]).toEqual([{ passed: 1, failed: 0, skipped: 1, 'left-out': 0 }, false]);
  });

  it('is limited to tests with `only`', () => {
    const { results, isNarrowed } = run(BOT, { ...BOT, only: true }, { ...BOT, only: true, skip: 'not now' });
    expect(results.map(({ status }) => status)).toEqual(['left-out', 'failed', 'skipped']);
    expect(isNarrowed).toBe(true);
  });
});

describe('what a test can state', () => {
  const STATED = analyzed(
    {
      on_http_request: [
        {
          name: 'robots',
          expressions: ["req.user_agent.is_bot || 'proxy.anonymous' in conn.client_ip.categories"],
          actions: [{ type: 'deny', config: { status_code: 451 } }],
        },
        {
          name: 'countries',
          expressions: ["conn.client_ip.geo.location.country_code == 'UT'"],
          actions: [{ type: 'deny', config: { status_code: 403 } }],
        },
        {
          name: 'sign in',
          expressions: ["req.url.path == '/account'"],
          actions: [
            { type: 'oauth', config: { provider: 'google' } },
            { type: 'deny', config: { status_code: 402 } },
          ],
        },
        { name: 'inside', actions: [{ type: 'forward-internal', config: { url: 'https://a.internal' } }] },
      ],
    },
    MODERN,
  );
  const known: Partial<PolicyTest> = {
    connection: { client_ip: '192.0.2.1', geo: { country_code: 'DE' } },
    variables: { 'req.user_agent.is_bot': false, 'conn.client_ip.categories': [] },
    request: { url: '/' },
  };
  const outcome = (test: Partial<PolicyTest>) => {
    const whole = { name: 'a', ...known, ...test, expect: test.expect ?? {} };
    const file: PolicyTests = { policy: 'p', tests: [whole] };
    return runTests(STATED.policy, file, STATED.options).results[0]!.mismatches.map(({ message }) => message);
  };

  it('is the country, and variables that no other part of an exchange says', () => {
    expect(outcome({ expect: { outcome: 'forwarded' } })).toEqual([]);
    expect(outcome({ expect: { forwarded_to: 'https://a.internal' } })).toEqual([]);
    expect(outcome({ expect: { forwarded_to: 'https://b.internal' } })).toEqual([
      'expected the internal endpoint to be `https://b.internal`, found `https://a.internal`',
    ]);
    const abroad = { connection: { client_ip: '192.0.2.1', geo: { country_code: 'UT' } } };
    expect(outcome({ ...abroad, expect: { status: 403 } })).toEqual([]);
    expect(outcome({ ...abroad, expect: { status: 403, forwarded_to: 'https://a.internal' } })).toEqual([
      'expected the internal endpoint to be `https://a.internal`, found nothing',
    ]);
    const bot = { variables: { ...known.variables, 'conn.client_ip.categories': ['proxy.anonymous'] } };
    expect(outcome({ ...bot, expect: { status: 451 } })).toEqual([]);
    const { 'conn.client_ip.categories': _, ...partly } = known.variables!;
    expect(outcome({ variables: partly, expect: { status: 451 } })).toEqual([
      'the status is undetermined: needs conn.client_ip.categories',
    ]);
  });

  it('is what an action does that no exchange shows', () => {
    const request = { url: '/account' };
    expect(outcome({ request, expect: { status: 402 } })).toEqual([
      'the status is undetermined: needs whether the client has signed in',
    ]);
    expect(outcome({ request, assume: { oauth: 'passes' }, expect: { status: 402 } })).toEqual([]);
    expect(outcome({ request, assume: { oauth: 'refuses' }, expect: { outcome: 'redirected' } })).toEqual([]);
    expect(
      outcome({ request, assume: { oauth: { passes: true, 'identity.email': 'a@b' } }, expect: { status: 402 } }),
    ).toEqual([]);
  });

  it.each([
    [{ assume: { deny: 'passes' } }, 'what `deny` does follows from the exchange; remove the assumption'],
    [{ assume: { oaut: 'passes' } }, 'no rule has the action `oaut`; did you mean `oauth`?'],
    [
      { assume: { oauth: { 'identity.emial': 'a' } } },
      '`oauth` has no result `identity.emial`; did you mean `identity.email`?',
    ],
    [{ variables: { 'req.method': 'GET' } }, '`req.method` follows from other parts of the exchange; state those'],
    [
      { variables: { 'req.user_agent.is_bott': true } },
      'unknown variable `req.user_agent.is_bott`; did you mean `req.user_agent.is_bot`?',
    ],
    [{ variables: { 'req.user_agent.is_bot': 'yes' } }, '`req.user_agent.is_bot` is of type `bool`, found `"yes"`'],
    [
      { variables: { 'actions.ngrok.oauth.identity.email': 'a' } },
      '`actions.ngrok.oauth.identity.email` is a result of `oauth`; state it under `assume`',
    ],
  ] as readonly (readonly [Partial<PolicyTest>, string])[])('fails for what has no effect: %j', (test, message) => {
    expect(outcome({ ...test, expect: { outcome: 'forwarded' } })).toEqual([message]);
  });
});

it('sends earlier requests first, each as often as it says', () => {
  const test = (after: PolicyTest['after'], status: PolicyTest['expect']): PolicyTest => ({
    ...{ name: 'a', now: '2026-03-02T10:15:30Z', seed: 1, after: after!, expect: status },
    connection: { client_ip: '192.0.2.1' },
    request: { url: '/limited' },
  });
  const [client, other] = ['192.0.2.1', '192.0.2.2'].map(client_ip => ({
    connection: { client_ip },
    request: { url: '/limited' },
  }));
  const outcomes = [
    test([{ repeat: 3, ...client }], { outcome: 'refused' }),
    test([{ repeat: 3, ...other }], { outcome: 'passed' }),
    test([{ repeat: 2, ...client }, other!, client!], { outcome: 'refused' }),
    test([{ repeat: 3, ...client, now: '2026-03-02T10:10:30Z' }], { outcome: 'passed' }),
  ].map(one => runTests(NEW.policy, { policy: 'p', tests: [one] }, NEW.options).results[0]!.mismatches);
  expect(outcomes).toEqual([[], [], [], []]);
});
