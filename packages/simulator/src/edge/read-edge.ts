/** Reads the configuration of an edge: its routes, their policies and modules. */
import type { Edge, HeaderModule, Route, RouteModules } from './routes.ts';

/** An edge, or the first fault in it: what was expected, what was found, and where. */
export type ReadEdgeResult = { readonly edge: Edge } | { readonly faults: readonly string[] };

/**
 * Reads an edge in the format of the Edge Configuration API: an object with `routes`, each with `match_type`, `match` and modules. Ignores
 * fields that do not affect traffic.
 */
export function readEdge(value: unknown): ReadEdgeResult {
  const faults: string[] = [];
  const edge = new Reader(value, '', faults);
  const routes = edge.list('routes');
  if (routes === undefined)
    faults.push(`expected \`routes\` to be a list of routes, found ${shown(edge.member('routes'))}`);
  const read = routes?.map((route, index) => readRoute(new Reader(route, `/routes/${index}`, faults), index)) ?? [];
  return faults.length > 0 ? { faults } : { edge: { id: edge.text('id'), routes: read } };
}

function readRoute(route: Reader, index: number): Route {
  const matchType = route.member('match_type');
  if (matchType !== 'exact_path' && matchType !== 'path_prefix') {
    route.fault('match_type', '`exact_path` or `path_prefix`');
  }
  const match = route.text('match');
  if (match === undefined || match === '') route.fault('match', 'a path, a host, or a host followed by a path');
  return {
    id: route.text('id'),
    matchType: matchType === 'exact_path' ? 'exact_path' : 'path_prefix',
    match: match ?? '',
    modules: readModules(route),
    policyAt: policyPath(route, index),
  };
}

/** The API shows `policy: null` for a policy that only `/traffic_policy` can represent, too: then nothing tells whether there is one. */
function policyPath(route: Reader, index: number): Route['policyAt'] {
  if (route.member('policy') === null && route.member('traffic_policy') === undefined) route.report(HIDDEN_POLICY);
  const name = ['policy', 'traffic_policy'].find(one => route.enabled(one) !== undefined);
  return name === undefined ? undefined : ['routes', String(index), name];
}

const HIDDEN_POLICY =
  'has `policy: null`, which the API also returns for a policy that only `/traffic_policy` represents; ' +
  'add `traffic_policy` as the API returns it, or `"traffic_policy": null` if it responds with 404';

function readModules(route: Reader): RouteModules {
  const signIn = (['oauth', 'oidc', 'saml'] as const).find(kind => route.enabled(kind) !== undefined);
  const ips = route.enabled('ip_restriction');
  const filter = route.enabled('user_agent_filter');
  const webhook = route.enabled('webhook_verification');
  const breaker = route.enabled('circuit_breaker');
  const [request, response] = [route.enabled('request_headers'), route.enabled('response_headers')];
  return {
    ...(ips && { ipRestriction: [...references(ips), ...ips.texts('ip_policy_ids')] }),
    ...(filter && { userAgentFilter: { allow: filter.texts('allow'), deny: filter.texts('deny') } }),
    ...(webhook && { webhookVerification: { provider: webhook.text('provider') ?? '' } }),
    ...(signIn && {
      signIn: { kind: signIn, optionsPassthrough: route.enabled(signIn)?.member('options_passthrough') === true },
    }),
    ...(route.enabled('websocket_tcp_converter') && { websocketTcpConverter: true }),
    ...(breaker && { circuitBreaker: readBreaker(breaker) }),
    ...(route.enabled('compression') && { compression: true }),
    ...(request && { requestHeaders: readHeaders(request) }),
    ...(response && { responseHeaders: readHeaders(response) }),
  };
}

/** Returns the ids of IP policies, which are given as references. */
function references(module: Reader): readonly string[] {
  return (module.list('ip_policies') ?? []).flatMap(one => new Reader(one, '', []).text('id') ?? []);
}

/** Without an error threshold, it never trips. */
function readBreaker(module: Reader): NonNullable<RouteModules['circuitBreaker']> {
  return {
    trippedSeconds: module.number('tripped_duration', 10),
    windowSeconds: module.number('rolling_window', 10),
    buckets: module.number('num_buckets', 10),
    volumeThreshold: module.number('volume_threshold', 20),
    errorThreshold: module.number('error_threshold_percentage', Number.POSITIVE_INFINITY),
  };
}

function readHeaders(module: Reader): HeaderModule {
  const add = Object.entries((module.member('add') as object | null) ?? {});
  return {
    add: Object.fromEntries(add.map(([name, value]) => [name, String(value)])),
    remove: module.texts('remove'),
  };
}

/** Reads the members of an object and collects faults. */
class Reader {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #at: string;
  readonly #faults: string[];

  constructor(value: unknown, at: string, faults: string[]) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject)
      faults.push(`expected ${at === '' ? 'an edge' : `\`${at}\``} to be an object, found ${shown(value)}`);
    this.#members = new Map(isObject ? Object.entries(value) : []);
    this.#at = at;
    this.#faults = faults;
  }

  member(name: string): unknown {
    return this.#members.get(name);
  }

  fault(name: string, expected: string): void {
    this.#faults.push(`expected \`${this.#at}/${name}\` to be ${expected}, found ${shown(this.member(name))}`);
  }

  report(fault: string): void {
    this.#faults.push(`\`${this.#at}\` ${fault}`);
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.member(name);
    return Array.isArray(value) ? value : undefined;
  }

  text(name: string): string | undefined {
    const value = this.member(name);
    if (typeof value === 'string') return value;
    if (value !== undefined && value !== null) this.fault(name, 'a text');
    return undefined;
  }

  texts(name: string): readonly string[] {
    const value = this.member(name) ?? [];
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value;
    this.fault(name, 'a list of texts');
    return [];
  }

  number(name: string, otherwise: number): number {
    const value = this.member(name) ?? otherwise;
    if (typeof value === 'number' && value >= 0) return value;
    this.fault(name, 'a number that is not negative');
    return otherwise;
  }

  /** Returns a module; undefined if it is missing or disabled. */
  enabled(name: string): Reader | undefined {
    const value = this.member(name);
    if (value === undefined || value === null) return undefined;
    const module = new Reader(value, `${this.#at}/${name}`, this.#faults);
    return module.member('enabled') === false ? undefined : module;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : `\`${String(value)}\``;
}
