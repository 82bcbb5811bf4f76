import { FILE_READER } from '@tollgate/traffic-node';
import { describe, expect, it } from 'vitest';
import { analyze, format, lint } from './analyze.ts';
import { OptionError, PolicyError } from './policy-options.ts';
import { prepare, replay, simulate, test } from './simulate.ts';

const POLICY = `inbound:
  - name: hide the admin pages
    expressions: ["req.Path.startsWith('/admin/') && conn.ClientIP != '203.0.113.7'"]
    actions: [{ type: deny, config: { status_code: 404 } }]
  - expressions: ["'X-Debug' in req.Headers"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`;
const BROKEN = POLICY.replace('req.Path', 'req.Pth');
const ADMIN = 'https://shop.example/admin/';

describe('analyze', () => {
  it('reports findings with one-based positions', () => {
    const { findings, profile, endpoint } = analyze(BROKEN, { file: 'a.yaml' });
    expect(findings.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
      'a.yaml:3:24 name/undeclared-field',
    ]);
    expect([profile, endpoint]).toEqual(['edge-v2', 'https-route']);
  });

  it('analyzes one part of a source', () => {
    expect(analyze('spec: { inbound: [] }', { at: '/spec' }).findings).toEqual([]);
  });

  it('declares the variables of extensions', () => {
    const policy = 'inbound: [{ expressions: ["req.Tenant == \'a\'"], actions: [{ type: deny }] }]';
    const codes = (extensions: NonNullable<Parameters<typeof analyze>[1]>['extensions'] = []) =>
      analyze(policy, { extensions }).findings.filter(({ severity }) => severity === 'error').length;
    expect([codes(), codes([{ variables: [{ path: 'req.Tenant', type: 'string' }] }])]).toEqual([1, 0]);
  });

  it.each([
    [{ profile: 'v3' }, '`profile` expects one of `edge-v2`, `edge-v2-snake`, `modern`, found `v3`'],
    [{ at: 'spec' }, '`at` expects a path such as `/spec/policy`, found `spec`'],
  ])('rejects invalid options: %j', (options, message) => {
    expect(() => analyze(POLICY, options)).toThrow(new OptionError(message));
  });
});

describe('lint', () => {
  const EMPTY_PHASE = `${POLICY}outbound: []\n`;

  it('runs the lint rules that the options choose', () => {
    const codes = (options: Parameters<typeof lint>[1]) => lint(EMPTY_PHASE, options).findings.map(({ code }) => code);
    expect(codes({ presets: [], rules: { 'doc/empty-phase': 'warning' } })).toEqual(['doc/empty-phase']);
    expect(codes({ presets: [] })).toEqual([]);
  });

  it('returns the fixed policy', () => {
    const { policy, findings } = lint(EMPTY_PHASE, { presets: [], rules: { 'doc/empty-phase': 'on' }, fix: 'safe' });
    expect([policy, findings]).toEqual([POLICY, []]);
  });
});

describe('format', () => {
  it('returns the canonical layout', () => {
    expect(format('{"inbound":[]}')).toBe('{\n  "inbound": []\n}\n');
  });

  it('throws the findings of a policy that cannot be parsed', () => {
    expect(() => format('inbound: [', { file: 'a.yaml' })).toThrow(PolicyError);
  });
});

describe('simulate', () => {
  it.each([
    [{ url: ADMIN, clientAddress: '192.0.2.1' }, 'denied', []],
    [{ url: ADMIN, clientAddress: '203.0.113.7' }, 'passed', []],
    [{ url: ADMIN }, undefined, ['conn.ClientIP']],
    [{ url: '/', headers: { 'X-Debug': '1' } }, 'denied', []],
    [{ url: '/', hasAllHeaders: false }, undefined, ['req.Headers["X-Debug"]']],
    [{ url: '/', hasAllHeaders: false, headers: { 'X-Debug': null } }, 'passed', []],
  ])('decides %j', (request, kind, needs) => {
    const { outcome, needs: found } = simulate(POLICY, request);
    expect([outcome?.kind, found]).toEqual([kind, needs]);
  });

  it('names the rules and what they did', () => {
    expect(simulate(POLICY, { url: ADMIN, clientAddress: '192.0.2.1' }).rules).toEqual([
      { phase: 'inbound', number: 1, name: 'hide the admin pages', status: 'matched' },
      { phase: 'inbound', number: 2, name: undefined, status: 'not-reached' },
    ]);
  });

  it('derives the host from the URL', () => {
    const policy = 'inbound: [{ expressions: ["req.Host == \'shop.example\'"], actions: [{ type: deny }] }]';
    expect(simulate(policy, { url: ADMIN }).outcome?.kind).toBe('denied');
  });

  it.each([[{ url: 'ftp://x' }], [{ url: '/', clientAddress: 'localhost' }]])('rejects the request %j', request => {
    expect(() => simulate(POLICY, request)).toThrow(OptionError);
  });

  it('throws the findings of a policy with errors', () => {
    expect(() => simulate(BROKEN, { url: '/' })).toThrow(PolicyError);
    expect(() => simulate(BROKEN, { url: '/' })).toThrow(/^policy.yaml:3:24: /);
  });
});

describe('replay', () => {
  it('counts what a policy does to an async iterable of requests', async () => {
    async function* requests() {
      yield { url: ADMIN, clientAddress: '192.0.2.1' };
      yield { url: '/', clientAddress: '192.0.2.1' };
    }
    const { exchanges, rules, outcomes } = await replay(POLICY, requests());
    expect([exchanges, rules.map(({ matched }) => matched)]).toEqual([2, [1, 0]]);
    expect(outcomes.map(({ outcome, count }) => [outcome.kind, count])).toEqual([
      ['passed', { least: 1, most: 1 }],
      ['denied', { least: 1, most: 1 }],
    ]);
  });

  it('keeps the state of rate limits from request to request', async () => {
    const limit =
      '{ type: rate-limit, config: { name: a, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [conn.ClientIP] } }';
    const request = { url: '/', clientAddress: '192.0.2.1', time: new Date('2026-01-01T00:00:00Z') };
    const { outcomes } = await replay(`inbound: [{ actions: [${limit}] }]`, [request, request]);
    expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(['passed', 'refused']);
  });

  it('reads files, and reports those that it cannot read', async () => {
    const { exchanges, skipped, failures } = await replay(POLICY, ['examples/traffic/access.log', 'missing.log'], {
      reader: FILE_READER,
    });
    expect([exchanges, skipped, failures.map(({ file, code }) => [file, code])]).toEqual([
      243,
      2,
      [['missing.log', 'file/not-found']],
    ]);
    const message = 'recordings need a `reader`; pass `FILE_READER` of `@tollgate/traffic-node`';
    await expect(replay(POLICY, ['examples/traffic/access.log'])).rejects.toThrow(new OptionError(message));
  });
});

describe('test', () => {
  const testing = (outcome: string) =>
    `policy: p.yaml\ntests: [{ name: a, request: { url: /, no_other_headers: true }, expect: { outcome: ${outcome} } }]`;

  it('runs policy tests', () => {
    expect(test(POLICY, testing('passed'))).toMatchObject({ isPassed: true, counts: { passed: 1, failed: 0 } });
    const { isPassed, results } = test(POLICY, testing('denied'));
    expect([isPassed, results[0]?.mismatches[0]?.message]).toEqual([
      false,
      'expected the outcome to be `denied`, found `passed`',
    ]);
  });

  it('throws the findings of tests with errors', () => {
    expect(() => test(POLICY, 'policy: p.yaml\ntest: []')).toThrow(PolicyError);
  });
});

describe('prepare', () => {
  it('returns a policy whose runs have the results of runs of their own', async () => {
    const prepared = prepare(POLICY);
    for (const clientAddress of ['192.0.2.1', '203.0.113.7']) {
      const request = { url: ADMIN, clientAddress };
      expect(prepared.simulate(request)).toEqual(simulate(POLICY, request));
      expect(await prepared.replay([request])).toEqual(await replay(POLICY, [request]));
    }
  });

  it('starts each replay with a fresh state of rate limits', async () => {
    const config = { name: 'a', algorithm: 'sliding_window', capacity: 1, rate: '60s', bucket_key: ['conn.client_ip'] };
    const limit = JSON.stringify({ on_http_request: [{ actions: [{ type: 'rate-limit', config }] }] });
    const requests = [0, 1].map(time => ({ url: ADMIN, clientAddress: '192.0.2.1', time: new Date(time) }));
    const prepared = prepare(limit);
    const first = await prepared.replay(requests);
    expect(first.outcomes).toHaveLength(2);
    expect(await prepared.replay(requests)).toEqual(first);
  });

  it('throws the findings of a policy with errors', () => {
    expect(() => prepare(BROKEN)).toThrow(PolicyError);
  });
});
