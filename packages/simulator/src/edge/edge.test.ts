import { EDGE_V2, extendProfile, type ProfileSwitches } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { type Exchange, NO_HEADER_KNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { beginEdgeRun, type EdgeDecision, traceEdge } from './edge-simulation.ts';
import { readEdge } from './read-edge.ts';
import { createRouter, type Edge, type Route } from './routes.ts';

function edgeOf(value: unknown): Edge {
  const reading = readEdge(value);
  if ('faults' in reading) throw new Error(reading.faults.join('; '));
  return reading.edge;
}

function routes(...matches: readonly (readonly [match: string, type?: Route['matchType']])[]): Edge {
  return edgeOf({ routes: matches.map(([match, match_type = 'path_prefix']) => ({ match, match_type })) });
}

const OVERLAPPING = routes(
  ['/'],
  ['/api'],
  ['/api/v1'],
  ['/api/v1', 'exact_path'],
  ['e.co/api'],
  ['F.co'],
  ['e.co/x', 'exact_path'],
);

describe('the route of a request', () => {
  it.each([
    ['g.co', '/', '/'],
    ['g.co', '/apis', '/api'],
    ['g.co', '/api/v1/x', '/api/v1'],
    ['g.co', '/api/v1', '/api/v1 exact_path'],
    ['e.co:8443', '/api/v1/x', 'e.co/api'],
    ['E.CO', '/api/v1', '/api/v1 exact_path'],
    ['e.co', '/x', 'e.co/x exact_path'],
    ['f.co', '/api/v1/x', 'F.co'],
  ])('is the most specific one for %s%s', (host, path, expected) => {
    const route = createRouter(OVERLAPPING).select({ host, path }) as Route;
    expect(route.match + (route.matchType === 'exact_path' ? ' exact_path' : '')).toBe(expected);
  });

  it('is the first one listed if the profile says so', () => {
    const first = (precedence: ProfileSwitches['routePrecedence']) =>
      (createRouter(OVERLAPPING, precedence).select({ host: 'e.co', path: '/x' }) as Route).match;
    expect([first('most-specific'), first('as-listed')]).toEqual(['e.co/x', '/']);
  });

  it('is absent if nothing matches', () => {
    expect(createRouter(routes(['/a'], ['e.co'])).select({ host: 'f.co', path: '/b' })).toBeUndefined();
  });

  it('is unknown only if it depends on unknown inputs', () => {
    const unknown = new Unknown(['req.Host']);
    const ofHosts = routes(['/a', 'exact_path'], ['e.co/b'], ['/']);
    const routeFor = (path: string) => createRouter(ofHosts).select({ host: unknown, path });
    expect(routeFor('/a')).toBe(ofHosts.routes[0]);
    expect(routeFor('/b')).toStrictEqual(unknown);
    expect(routeFor('/c')).toBe(ofHosts.routes[2]);
  });
});

describe('the trace of an edge', () => {
  const environments = createPhaseEnvironments(EDGE_V2, 'https-route');
  const traceOf = (edge: Edge, exchange: Exchange) =>
    traceEdge(edge, new Map(), { profile: EDGE_V2, environments }, exchange);

  it('shows how every route compares with a request, in the order in which routes are tried', () => {
    const { request, verdicts, decision } = traceOf(OVERLAPPING, { ...EXCHANGE, url: 'https://e.co/api/v1/x' });
    expect(request).toEqual({ host: 'e.co', path: '/api/v1/x' });
    expect(verdicts.map(({ route, host, path }) => [route.match, host, path])).toEqual([
      ['e.co/x', true, false],
      ['/api/v1', undefined, false],
      ['e.co/api', true, true],
      ['F.co', false, undefined],
      ['/api/v1', undefined, true],
      ['/api', undefined, true],
      ['/', undefined, true],
    ]);
    expect(decision).toMatchObject({ kind: 'routed', route: OVERLAPPING.routes[4], modules: [] });
  });

  it('belongs to no route if none matches, or if it is unknown which one does', () => {
    const two = routes(['/a'], ['e.co/b']);
    expect(traceOf(two, { ...EXCHANGE, url: 'https://f.co/b' }).decision).toEqual({ kind: 'unrouted' });
    const unknown = { ...EXCHANGE, url: undefined, target: '/b', requestHeaders: NO_HEADER_KNOWN };
    expect(traceOf(two, unknown).decision).toEqual({ kind: 'open', needs: ['req.Host'] });
  });

  it('names the modules, in either order', () => {
    const modules = {
      user_agent_filter: { deny: ['sqlmap'] },
      request_headers: { remove: ['x-a'], add: { 'x-b': '1' } },
      compression: {},
    };
    const edge = edgeOf({ routes: [{ match_type: 'path_prefix', match: '/', ...modules }] });
    for (const moduleOrder of ['modules-first', 'policy-first'] as const) {
      const profile = extendProfile(EDGE_V2, { switches: { moduleOrder } });
      const { decision } = traceEdge(edge, new Map(), { profile, environments }, EXCHANGE);
      if (decision.kind !== 'routed') throw new Error(decision.kind);
      expect(decision.modules).toEqual(['user-agent-filter', 'remove-headers', 'add-headers', 'compress-response']);
      expect(decision.trace.modules.length).toBe(4);
      expect(decision.trace.upstream.request.headers['X-B']).toEqual(['1']);
    }
  });
});

describe('an invalid edge', () => {
  it.each([
    [
      null,
      ['expected an edge to be an object, found `null`', 'expected `routes` to be a list of routes, found nothing'],
    ],
    [{ routes: {} }, ['expected `routes` to be a list of routes, found an object']],
    [{ routes: [1] }, expect.arrayContaining(['expected `/routes/0` to be an object, found `1`'])],
    [
      { routes: [{ match_type: 'exact', match: '' }] },
      [
        'expected `/routes/0/match_type` to be `exact_path` or `path_prefix`, found `exact`',
        'expected `/routes/0/match` to be a path, a host, or a host followed by a path, found ``',
      ],
    ],
    [
      { routes: [{ match_type: 'exact_path', match: '/', circuit_breaker: { num_buckets: 'x' }, compression: 1 }] },
      [
        'expected `/routes/0/circuit_breaker/num_buckets` to be a number that is not negative, found `x`',
        'expected `/routes/0/compression` to be an object, found `1`',
      ],
    ],
    [
      { routes: [{ match_type: 'path_prefix', match: '/', policy: null }] },
      [
        '`/routes/0` has `policy: null`, which the API also returns for a policy that only `/traffic_policy` represents; add `traffic_policy` as the API returns it, or `"traffic_policy": null` if it responds with 404',
      ],
    ],
  ])('is reported with what was expected, what was found, and where: %j', (value, faults) => {
    const reading = readEdge(value);
    const found = 'faults' in reading ? reading.faults : [];
    expect(found.toSorted()).toEqual(Array.isArray(faults) ? faults.toSorted() : faults);
  });
});

const EXCHANGE: Exchange = {
  place: { file: 'a', number: 1, unit: 'entry' },
  time: 0,
  clientIp: '192.0.2.1',
  tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
  method: 'GET',
  target: '/a',
  url: 'https://e.co/a',
  protocol: 'HTTP/1.1',
  requestHeaders: { fields: [{ name: 'user-agent', value: 'curl/8' }], absent: [], complete: true, withheld: [] },
  response: { status: 500, headers: { fields: [], absent: [], complete: true, withheld: [] }, bodySize: 0 },
};

function run(modules: object, policy?: object, switches: Partial<ProfileSwitches> = {}) {
  const profile = extendProfile(EDGE_V2, { switches });
  const edge = edgeOf({ routes: [{ match_type: 'path_prefix', match: '/', ...modules }] });
  const environments = createPhaseEnvironments(profile, 'https-route');
  const policies = new Map<Route, Policy>();
  if (policy) {
    const source = new SourceText('p.json', JSON.stringify(policy));
    const analysis = analyzePolicy(source, { profile, endpoint: 'https-route', environments });
    expect(analysis.diagnostics).toEqual([]);
    policies.set(edge.routes[0]!, analysis.policy!);
  }
  return beginEdgeRun(edge, policies, { profile, environments }).decide;
}

function ends(decision: EdgeDecision): unknown {
  if (decision.kind !== 'routed') return decision.kind;
  return decision.decision.outcomes.map(({ kind, status, action }) => [kind, status, action].filter(Boolean).join(' '));
}

describe('the modules of a route', () => {
  it.each([
    [{ ip_restriction: { ip_policies: [{ id: 'ipp_1' }] } }, ['refused 403 restrict-ips', 'passed']],
    [{ user_agent_filter: { allow: [], deny: ['^curl'] } }, ['refused 403 user-agent-filter']],
    [{ user_agent_filter: { allow: ['Firefox'], deny: [] } }, ['refused 403 user-agent-filter']],
    [{ user_agent_filter: { allow: ['curl'], deny: [] } }, ['passed']],
    [{ user_agent_filter: { enabled: false, deny: ['curl'] } }, ['passed']],
    [{ webhook_verification: { provider: 'github' } }, ['refused 403 verify-webhook', 'passed']],
    [{ oauth: {} }, ['redirected 302 oauth', 'passed']],
    [{ oidc: {} }, ['redirected 302 openid-connect', 'passed']],
    [{ saml: null }, ['passed']],
    [{ saml: {} }, ['redirected 302 saml', 'passed']],
    [{ websocket_tcp_converter: {} }, ['refused 400 websocket-tcp-converter']],
  ])('decide the outcome: %j', (modules, expected) => {
    expect(ends(run(modules)(EXCHANGE))).toEqual(expected);
  });

  it('add and remove headers on requests and responses', () => {
    const headers = { add: { 'X-A': '${.conn.client_ip}' }, remove: ['User-Agent'] };
    const decided = run({ request_headers: headers, response_headers: headers })(EXCHANGE);
    const { upstream, response } = (decided as Extract<EdgeDecision, { kind: 'routed' }>).decision;
    expect(upstream.request.headers).toEqual({ 'User-Agent': undefined, 'X-A': ['192.0.2.1'] });
    expect(response!.headers).toEqual({ 'User-Agent': undefined, 'X-A': ['192.0.2.1'] });
  });

  it('keep a circuit open while the upstream fails', () => {
    const breaker = { tripped_duration: 5, rolling_window: 10, num_buckets: 10, volume_threshold: 2 };
    const decide = run({ circuit_breaker: { ...breaker, error_threshold_percentage: 0.5 } });
    expect([0, 1, 2, 8].map(second => ends(decide({ ...EXCHANGE, time: second * 1000 })))).toEqual([
      ...[['passed'], ['passed'], ['refused 503 circuit-breaker'], ['passed']],
    ]);
  });

  it('run before or after the rules for requests, as the profile says', () => {
    const modules = { user_agent_filter: { deny: ['curl'] } };
    const policy = { inbound: [{ actions: [{ type: 'deny', config: { status_code: 404 } }] }] };
    const first = (switches: Partial<ProfileSwitches>) => ends(run(modules, policy, switches)(EXCHANGE));
    expect(first({})).toEqual(['refused 403 user-agent-filter']);
    expect(first({ moduleOrder: 'policy-first' })).toEqual(['denied 404 deny']);
  });

  it('belong to the route that matches the request', () => {
    expect(ends(run({ match: '/b' })(EXCHANGE))).toBe('unrouted');
    expect(ends(run({ match: 'e.co' })({ ...EXCHANGE, url: undefined }))).toBe('open');
  });
});
