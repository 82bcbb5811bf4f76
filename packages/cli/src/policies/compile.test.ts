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
    const { code, output } = await compile('module');
    const { createEnforcer, request } = await import(`data:text/javascript,${encodeURIComponent(output)}`);
    const at = (path: string) => request(new Request(`https://shop.example${path}`)).request;
    const denied = { kind: 'answer', answer: { status: 403, fields: [], body: '' } };
    expect([code, at('/admin/x')]).toEqual([0, { kind: 'respond', response: denied }]);
    expect(at('/')).toEqual({ kind: 'forward', request: { target: undefined, headers: new Map() } });
    expect(createEnforcer({ mode: 'shadow' }).mode).toBe('shadow');
  });

  it('refuses what a module or its host cannot do, with the place', async () => {
    const policy = `on_http_request:
  - expressions: ["conn.client_ip.geo.location.country == 'FR'"]
    actions: [{ type: oauth, config: { provider: google } }]
`;
    const anywhere = await compile('module', policy);
    expect([anywhere.code, anywhere.output]).toEqual([1, '']);
    expect(anywhere.errors).toContain(
      'error[compile/unsupported]: `oauth` is not carried out by a module\n --> <stdin>:3:23',
    );
    const { errors } = await compile('module', policy, '--host', 'node');
    expect(errors).toContain(
      '`conn.client_ip.geo.location.country` is not known to a server on Node\n --> <stdin>:2:19',
    );
    expect(errors).toContain('`oauth` is not carried out by a server on Node\n --> <stdin>:3:23');
    const computed = `on_http_request: [{ actions: [{ type: restrict-ips, config: { allow: ["\${req.headers['x'][0]}"] } }] }]`;
    expect((await compile('module', computed)).errors).toContain(
      'a module does not compute the addresses of `restrict-ips`',
    );
  });

  it('forwards to internal endpoints where the program around it does that', async () => {
    const forwards = (more: string) =>
      `on_http_request: [{ actions: [{ type: forward-internal, config: { url: "https://\${req.host}.internal"${more} } }] }]`;
    const refused = await compile('module', forwards(''));
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining('`forward-internal` is not carried out by a module'),
    ]);
    const { output } = await compile('module', forwards(''), '--provides', 'forward-internal');
    const { request } = await import(`data:text/javascript,${encodeURIComponent(output)}`);
    expect(request(new Request('https://shop.example/'), { scheme: 'https' }).request).toEqual({
      kind: 'forward',
      request: { target: undefined, headers: new Map() },
      to: 'https://shop.example.internal',
    });
    // Whether an endpoint can be reached is known only when it is too late.
    const unsure = await compile('module', forwards(', on_error: continue'), '--provides', 'forward-internal');
    expect([unsure.code, unsure.errors]).toEqual([
      1,
      expect.stringContaining('whether the internal endpoint is reachable is not known to a module'),
    ]);
    const other = await compile('module', POLICY, '--provides', 'oauth');
    expect([other.code, other.errors]).toEqual([2, expect.stringContaining('expected `forward-internal`')]);
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

  it('refuses options of another target', async () => {
    const { code, errors } = await compile('module', POLICY, '--dialect', 'trino');
    expect([code, errors]).toEqual([2, expect.stringContaining('`--dialect` has no effect with `--to module`')]);
    const other = await compile('sql', POLICY, '--host', 'node');
    expect([other.code, other.errors]).toEqual([2, expect.stringContaining('`--host` has no effect with `--to sql`')]);
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
    ['sql', 'size(req.Path) + 1 > 3', 'unsupported: `+`; decide the records with `tollgate replay`', ':1:28'],
    [
      'sql',
      "req.Path == '' || req.Headers.exists(h, h == 'a')",
      'unsupported: field; decide the records with `tollgate replay`',
      ':1:46',
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
    const { code, output, errors } = await compile('sql', policy, '--dialect', target === 'sql' ? 'duckdb' : target);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(`error[compile/unsupported]: ${message}\n`);
    expect(errors).toContain(`<stdin>${place}`);
  });

  it('refuses actions that later rules or other exchanges see', async () => {
    const rewrite = '{ actions: [{ type: url-rewrite, config: { from: a, to: b } }] }';
    const after = `inbound: [${rewrite}, { expressions: ["req.Path == '/'"], actions: [{ type: deny }] }]`;
    expect((await compile('sql', after)).errors).toContain('unsupported: `req.Path` after `url-rewrite`;');
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
});
