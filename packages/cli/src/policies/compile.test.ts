import { describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

const POLICY = `inbound:
  - name: no admin
    expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`;

const compile = (to: string, policy = POLICY, ...args: readonly string[]) =>
  runCaptured(['compile', '--to', to, ...args, '-'], { input: policy });

describe('compiling a policy', () => {
  it('writes a module that runs', async () => {
    const { code, output } = await compile('js');
    const { decide } = await import(`data:text/javascript,${encodeURIComponent(output)}`);
    const denied = { outcome: 'denied', status: 403, action: 'deny', rule: 'inbound 1', name: 'no admin' };
    expect([code, decide({ req: { Path: '/admin/x' } })]).toEqual([0, [denied]]);
    expect(decide({ req: { Path: '/' } })).toEqual([{ outcome: 'passed' }]);
    expect(decide({})).toEqual([denied, { outcome: 'passed' }]);
  });

  it('writes a query with the columns that are named', async () => {
    const { code, output } = await compile(
      'sql',
      POLICY,
      '--table',
      'requests',
      '--column',
      "req.Path=split_part(url, '?', 1)",
    );
    expect([code, output]).toEqual([0, expect.stringContaining("split_part(url, '?', 1) as tollgate_i1")]);
    expect(output).toContain('from requests');
  });

  it.each(['duckdb', 'postgres', 'clickhouse', 'trino', 'spark'])('writes a view for %s', async dialect => {
    const { code, output } = await compile('sql', POLICY, '--dialect', dialect, '--view', 'decided');
    expect([code, output]).toEqual([0, expect.stringMatching(/^create or replace view decided as\n(?:with|select) /)]);
  });

  it('refuses options of SQL for other targets', async () => {
    const { code, errors } = await compile('js', POLICY, '--dialect', 'trino');
    expect([code, errors]).toEqual([2, expect.stringContaining('`--dialect` has no effect with `--to js`')]);
  });

  it('writes the body of the policy endpoint', async () => {
    const { code, output } = await compile('payload');
    expect([code, JSON.parse(output)]).toEqual([
      0,
      {
        enabled: true,
        inbound: [
          {
            name: 'no admin',
            expressions: ["req.Path.startsWith('/admin')"],
            actions: [{ type: 'deny', config: { status_code: 403 } }],
          },
        ],
        outbound: null,
      },
    ]);
  });

  it('writes checked expressions', async () => {
    const { code, output } = await compile('ast');
    const [rule] = JSON.parse(output).rules;
    expect([code, rule.rule, rule.expressions[0].checked.typeMap['4']]).toEqual([
      0,
      'inbound 1',
      { primitive: 'BOOL' },
    ]);
  });

  it.each([
    ['js', 'size(req.Path) + 1 > 3', 'unsupported: `+`; evaluate the policy with `@tollgate/core`', ':1:28'],
    [
      'sql',
      "req.Path == '' || req.Headers.exists(h, h == 'a')",
      'unsupported: field; decide the records with `tollgate replay`',
      ':1:46',
    ],
    [
      'js',
      "req.Path.matches('^(a|a)*(b|bb)*c(a*)*$')",
      'unsupported: pattern `^(a|a)*(b|bb)*c(a*)*$`; evaluate the policy with `@tollgate/core`',
      ':1:28',
    ],
    [
      'spark',
      "req.Path.matches('^(a|a)*b$')",
      'unsupported: pattern `^(a|a)*b$` that may take exponential time in Spark; remove repetitions inside repetitions, and alternatives that match the same',
      ':1:28',
    ],
    [
      'postgres',
      "req.Path.matches('^[a-z]{300}$')",
      'unsupported: pattern `^[a-z]{300}$` that has no equivalent in PostgreSQL; use fewer than 256 repetitions',
      ':1:28',
    ],
    [
      'clickhouse',
      "req.Path.matches('(?i)é')",
      'unsupported: pattern `(?i)é` with characters that depend on the version of Unicode in ClickHouse; list the characters, such as `[äöüÄÖÜ]`',
      ':1:28',
    ],
    [
      'trino',
      "req.URL + req.Path == ''",
      'unsupported: `+`; decide the records with `tollgate replay --engine trino`',
      ':1:28',
    ],
  ])('to %s refuses %s', async (target, expression, message, place) => {
    const policy = `inbound: [{ expressions: ["${expression}"], actions: [{ type: deny }] }]`;
    const to = target === 'js' ? ['js', policy] : ['sql', policy, '--dialect', target === 'sql' ? 'duckdb' : target];
    const { code, output, errors } = await compile(to[0]!, ...to.slice(1));
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(`error[compile/unsupported]: ${message}\n`);
    expect(errors).toContain(`<stdin>${place}`);
  });

  it('refuses actions that later rules or other exchanges see', async () => {
    const rewrite = '{ actions: [{ type: url-rewrite, config: { from: a, to: b } }] }';
    const after = `inbound: [${rewrite}, { expressions: ["req.Path == '/'"], actions: [{ type: deny }] }]`;
    expect((await compile('js', after)).errors).toContain('unsupported: `req.Path` after `url-rewrite`;');
    const limit =
      'inbound: [{ actions: [{ type: rate-limit, config: { name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [conn.ClientIP] } }] }]';
    expect((await compile('sql', limit)).errors).toContain('unsupported: action `rate-limit`;');
  });

  it.each([
    ["req.Headers['X-A'][0] == '1'", 1],
    ["'x-a' in req.Headers || size(req.Headers) > 1", 1],
    ["req.Headers['X-B'][0] == '1' && req.Host == '' && req.Path == '/'", 0],
  ])('knows whether a rule that sets `X-A` changes %s', async (expression, expected) => {
    const sets = '{ actions: [{ type: add-headers, config: { headers: { x-a: "1" } } }] }';
    const policy = `inbound: [${sets}, { expressions: ["${expression}"], actions: [{ type: deny }] }]`;
    const { code, errors } = await compile('sql', policy);
    expect([code, errors.includes('unsupported: `req.Headers` after `add-headers`;')]).toEqual([
      expected,
      expected === 1,
    ]);
  });

  it('decides redirects and restricted addresses', async () => {
    const policy = `inbound:
  - actions: [{ type: restrict-ips, config: { enforce: true, allow: [10.0.0.0/8], deny: [10.1.2.3] } }]
`;
    const redirect = `inbound: [{ actions: [{ type: redirect, config: { from: '^http://(.*)', to: 'https://$1' } }] }]`;
    const decided = async (text: string, input: object) => {
      const { output } = await compile('js', text);
      const { decide } = await import(`data:text/javascript,${encodeURIComponent(output)}`);
      return decide(input).map(({ outcome, status }: { outcome: string; status?: number }) => [outcome, status]);
    };
    expect(await decided(policy, { conn: { ClientIP: '10.1.2.3' } })).toEqual([['refused', 403]]);
    expect(await decided(policy, { conn: { ClientIP: '10.1.2.4' } })).toEqual([['passed', undefined]]);
    expect(await decided(redirect, { req: { URL: 'http://e.co/' } })).toEqual([['redirected', 302]]);
    const guarded = policy.replace('  - ', `  - expressions: ["req.Headers['X-A'][0] == '1'"]\n    `);
    expect(await decided(guarded, { req: { Headers: {} } })).toEqual([['passed', undefined]]);
    expect(await decided(redirect, { req: { URL: 'https://e.co/' } })).toEqual([['passed', undefined]]);
  });
});
