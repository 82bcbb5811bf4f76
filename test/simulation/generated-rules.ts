import {
  type EvaluationContext,
  hasUpstream,
  isAvailable,
  type Phase,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import fc from 'fast-check';
import type { Json } from '../schemas/generated-policy.ts';

/** Conditions on what generated exchanges have, by what they read; with the names of `edge-v2` and those in snake case. */
const CONNECTION_CONDITIONS: readonly (readonly [capitals: string, snake: string])[] = [
  ['true', 'true'],
  ["inCidrRange(conn.ClientIP, '10.0.0.0/8')", "inCidrRange(conn.client_ip, '10.0.0.0/8')"],
  ["conn.Geo.CountryCode == 'DE'", "conn.geo.country_code == 'DE'"],
  ["conn.ClientIP == '::1'", "conn.client_ip == '::1'"],
];

const REQUEST_CONDITIONS: typeof CONNECTION_CONDITIONS = [
  ...CONNECTION_CONDITIONS,
  ["req.Method == 'GET'", "req.method == 'GET'"],
  ["req.URL.contains('/a')", "req.url.contains('/a')"],
  ["req.Path.startsWith('/a')", "req.url.path.startsWith('/a')"],
  ["hasQueryParam('q')", "hasQueryParam('q')"],
  ["req.Host == 'e.co'", "req.host == 'e.co'"],
  ["req.Headers['X-A'][0] == '1'", "req.headers['x-a'][0] == '1'"],
  ["'X-A' in req.Headers", "'x-a' in req.headers"],
  ["getReqHeader('X-B') == ['1', '2']", "getReqHeader('X-B') == ['1', '2']"],
  ['size(req.Headers) > 2', 'size(req.headers) > 2'],
  ["hasReqCookie('id') && getReqCookie('id').Value == '1'", "hasReqCookie('id') && getReqCookie('id').value == '1'"],
  [
    "req.Protocol == 'HTTP/1.1' ? req.ContentLength == 0 : 'X-A' in req.Headers",
    "req.version == 'HTTP/1.1' ? has(req.content_length) : 'x-a' in req.headers",
  ],
  ["conn.Geo.CountryCode == 'DE' || req.Method == 'GET'", "conn.geo.country_code == 'DE' || req.method == 'GET'"],
  ["req.ClientTLS.Version.contains('1.3')", "conn.tls.version == '1.3'"],
  ["req.ClientTLS.SNI == 'e.co'", "conn.tls.sni == 'e.co'"],
];

const RESPONSE_CONDITIONS: typeof CONNECTION_CONDITIONS = [
  ...REQUEST_CONDITIONS,
  ['res.StatusCode >= 400', 'res.status_code >= 400'],
  ["res.StatusCode == '404'", "res.status_code == '404'"],
  ["res.Headers['X-A'][0] == '1'", "res.headers['x-a'][0] == '1'"],
  ["hasResHeader('X-B')", "hasResHeader('X-B')"],
  ['size(res.Headers) == 1', 'size(res.headers) == 1'],
  ["res.Location == ''", "res.content_type == 'text/event-stream'"],
];

/** Conditions on what only the modern profile has. */
const MODERN_CONDITIONS = [
  "'tier' in vars && vars.tier == '10.1.2.3'",
  "'flag' in vars && vars.flag",
  'has(actions.ngrok.basic_auth.credentials.authorized) && actions.ngrok.basic_auth.credentials.authorized',
  "actions.ngrok.restrict_ips.action == 'allow'",
  "req.user_agent == ''",
  "req.url.scheme == 'https'",
  "req.url.host == 'e.co' || req.url.host == 'assumed.example'",
  'has(req.url.port) && req.url.port == 8443',
  "req.url.authority == 'f.co'",
  "conn.client_ip.geo.location.city == 'Berlin'",
  'conn.client_port > 2000 && conn.server_port == 443',
  "timestamp(time.now) < timestamp('1970-01-01T00:01:00Z')",
];

/** Conditions that a rule in a phase may have. */
export function conditionsIn(profile: Profile, { endpoint, phase }: EvaluationContext): readonly string[] {
  const isSnake = profile.headerNames === 'lower-case';
  const isConnection = phase === 'on_tcp_connect' || /^t(?:cp|ls)-/.test(endpoint);
  const isResponse = phase === 'outbound' || phase === 'on_http_response' || phase === 'on_event_stream_message';
  const pairs = isConnection ? CONNECTION_CONDITIONS : isResponse ? RESPONSE_CONDITIONS : REQUEST_CONDITIONS;
  const all = pairs.map(([capitals, snake]) => (isSnake ? snake : capitals));
  return profile.name === 'modern' && !isConnection ? [...all, ...MODERN_CONDITIONS] : all;
}

/** Actions that mean something on generated exchanges, with the texts of both kinds of profile. */
const ACTIONS: readonly { readonly type: string; readonly config?: object; readonly only?: 'edge-v2' | 'snake' }[] = [
  { type: 'deny' },
  { type: 'custom-response', config: { status_code: 503, content: 'no' } },
  { type: 'custom-response', config: { status_code: 403 } },
  { type: 'redirect', config: { from: '/a', to: '/b' } },
  { type: 'redirect', config: { from: '(/b).*', to: '$1/c', headers: { 'X-C': '1' } } },
  { type: 'url-rewrite', config: { from: '/a', to: '/b?$args' }, only: 'edge-v2' },
  { type: 'url-rewrite', config: { from: '/a', to: '/b?${req.url.query}' }, only: 'snake' },
  { type: 'url-rewrite', config: { from: '^https://[^/]*', to: 'http://f.co' } },
  { type: 'add-headers', config: { headers: { 'X-A': '1' } } },
  { type: 'add-headers', config: { headers: { 'X-A': '2' } } },
  { type: 'add-headers', config: { headers: { 'X-B': '${.http.request.method}', Host: 'f.co' } }, only: 'edge-v2' },
  { type: 'add-headers', config: { headers: { 'x-b': '${req.method}', host: 'f.co' } }, only: 'snake' },
  { type: 'remove-headers', config: { headers: ['X-A', 'Cookie'] } },
  { type: 'restrict-ips', config: { enforce: true, allow: ['10.0.0.0/8', '::/0'], deny: ['10.1.2.3'] } },
  { type: 'restrict-ips', config: { enforce: false, allow: ['10.0.0.0/8'] } },
  { type: 'compress-response', config: { algorithms: ['br', 'gzip'] } },
  { type: 'log', config: { metadata: { a: '1' } } },
  { type: 'close-connection' },
  { type: 'basic-auth', config: { credentials: ['ada:correct-horse'] } },
  { type: 'forward-internal', config: { url: 'https://a.internal' } },
  { type: 'forward-internal', config: { url: 'https://b.internal' } },
  { type: 'forward-internal', config: { url: 'https://a.internal', on_error: 'continue' } },
  { type: 'set-vars', config: { vars: [{ tier: '${conn.client_ip}' }, { flag: true }] } },
  { type: 'terminate-tls', config: { min_version: '1.3' } },
  { type: 'oauth', config: { provider: 'google' } },
  { type: 'http-request', config: { url: 'https://e.co', on_error: 'halt' } },
  { type: 'sse-find-replace', config: { replacements: [{ field: 'data', from: 'n', to: 'm' }] } },
  { type: 'response-body-find-replace', config: { replacements: [{ from: 'n', to: 'm' }] } },
];

/** Actions that a rule in a phase may have, beside those of which every server keeps counters. */
export function actionsIn(profile: Profile, place: EvaluationContext): readonly Json[] {
  const style = profile.headerNames === 'lower-case' ? 'snake' : 'edge-v2';
  const here = ACTIONS.filter(({ type, config, only }) => {
    const fact = profile.actions.find(one => one.type === type);
    const keys = Object.keys(config ?? {});
    const isKnown = fact && isAvailable(fact, place) && keys.every(key => fact.config.some(one => one.name === key));
    return isKnown && (only === undefined || only === style);
  });
  const plain = here.map(({ type, config }) => ({ type, ...(config && { config: config as Json }) }));
  const takesStatus = !/^t(?:cp|ls)-/.test(place.endpoint) && place.phase !== 'on_tcp_connect';
  const denies = here.some(one => one.type === 'deny') && takesStatus;
  return denies ? [...plain, { type: 'deny', config: { status_code: 404 } }] : plain;
}

/** Ends the policies of endpoints without an upstream, which must handle all traffic. */
const HANDLES_THE_REST: Json = { actions: [{ type: 'deny' }] };

/** Policies with conditions and actions of these, one action a rule: others might be unreachable. */
export function meaningfulPolicies(profile: Profile, endpoint: EvaluationContext['endpoint']): fc.Arbitrary<Json> {
  const phases = phasesAt(profile, endpoint).map((phase): readonly [Phase, fc.Arbitrary<Json>] => {
    const place = { endpoint, phase };
    const actions = actionsIn(profile, place);
    if (actions.length === 0) return [phase, fc.constant([])];
    const rule = fc.record({
      expressions: fc.array(fc.constantFrom(...conditionsIn(profile, place)), { maxLength: 2 }),
      actions: fc.tuple(fc.constantFrom(...actions)),
    });
    const rules = fc.array<Json>(rule, { maxLength: 6 });
    const mustHandle = phase === 'on_http_request' && !hasUpstream(endpoint);
    return [phase, mustHandle ? rules.map(all => [...all, HANDLES_THE_REST]) : rules];
  });
  return fc.record(Object.fromEntries(phases)).map(policy => withoutConflicts(policy, profile) as Json);
}

/** The policy without the rules whose action conflicts with that of an earlier rule: of some actions a policy has only one. */
function withoutConflicts(policy: Readonly<Record<string, Json>>, profile: Profile): Readonly<Record<string, Json>> {
  const taken = new Set<string>();
  const isFirst = (rule: unknown): boolean => {
    const [action] = (rule as { readonly actions: readonly { readonly type: string }[] }).actions;
    const group = profile.actions.find(({ type }) => type === action?.type)?.onlyOneOf;
    if (group === undefined) return true;
    if (taken.has(group)) return false;
    taken.add(group);
    return true;
  };
  return Object.fromEntries(Object.entries(policy).map(([phase, rules]) => [phase, (rules as Json[]).filter(isFirst)]));
}
