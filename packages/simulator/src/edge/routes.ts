/** Routes of an edge, and which of them takes a request. */
import type { ProfileSwitches } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import type { Known } from '../exchange-state/traffic-state.ts';

/** A route of an edge: the requests it matches, and the modules that act on them. */
export interface Route {
  /** As the API reports it; undefined for an edge that is only planned. */
  readonly id: string | undefined;
  readonly matchType: 'exact_path' | 'path_prefix';
  /** A path, a host, or a host followed by a path. */
  readonly match: string;
  readonly modules: RouteModules;
  /** The path of its policy in the edge document; undefined if it has none. */
  readonly policyAt: readonly string[] | undefined;
}

/** The modules that affect traffic; undefined if missing or disabled. */
export interface RouteModules {
  /** Ids of IP policies. */
  readonly ipRestriction?: readonly string[];
  readonly userAgentFilter?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly webhookVerification?: { readonly provider: string };
  /** The sign-in module, and whether CORS preflight requests pass without signing in. */
  readonly signIn?: { readonly kind: 'oauth' | 'oidc' | 'saml'; readonly optionsPassthrough: boolean };
  readonly websocketTcpConverter?: true;
  readonly circuitBreaker?: {
    readonly trippedSeconds: number;
    readonly windowSeconds: number;
    readonly buckets: number;
    readonly volumeThreshold: number;
    readonly errorThreshold: number;
  };
  readonly compression?: true;
  readonly requestHeaders?: HeaderModule;
  readonly responseHeaders?: HeaderModule;
}

/** Headers to add and to remove. */
export interface HeaderModule {
  readonly add: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/** An edge with its routes, in the order of the API. */
export interface Edge {
  readonly id: string | undefined;
  readonly routes: readonly Route[];
}

/** The inputs of route selection. */
export interface RouteRequest {
  /** As sent; the port is ignored. */
  readonly host: Known<string>;
  /** Decoded, as rules see it. */
  readonly path: Known<string>;
}

/** How a route compares with a request. */
export interface RouteVerdict {
  readonly route: Route;
  /** Whether the host matches; undefined if the route has no host. */
  readonly host: Known<boolean> | undefined;
  /** Whether the path matches; undefined if the route has no path. */
  readonly path: Known<boolean> | undefined;
}

/** Selects routes. Paths are compared as string prefixes: `/api` also matches `/apis`. A match that is only a host matches every path. */
export interface Router {
  /** Returns the route that matches a request; undefined if none does, unknown if that depends on unknown inputs. */
  readonly select: (request: RouteRequest) => Route | Unknown | undefined;
  /** Returns how every route compares with a request, in the order in which they are tried: the first match wins. */
  readonly verdicts: (request: RouteRequest) => readonly RouteVerdict[];
}

/** Creates a router that tries routes in the order that the profile defines. */
export function createRouter(
  { routes }: Pick<Edge, 'routes'>,
  precedence: ProfileSwitches['routePrecedence'] = 'most-specific',
): Router {
  const asked = routeMatches({ routes }, precedence);
  return {
    select: request => select(asked, request),
    verdicts: request => asked.map(match => ({ route: match.route, ...partsTaken(match, request) })),
  };
}

/** The requests that a route matches. A match that does not begin with a slash begins with a host. */
export interface RouteMatch {
  readonly route: Route;
  /** In lower case; undefined if every host matches. */
  readonly host: string | undefined;
  /** Undefined if every path matches. */
  readonly path: string | undefined;
  /** False if longer paths match too. */
  readonly isExact: boolean;
}

/** Returns what each route matches, in the order in which routes are tried. */
export function routeMatches(
  { routes }: Pick<Edge, 'routes'>,
  precedence: ProfileSwitches['routePrecedence'],
): readonly RouteMatch[] {
  const matches = routes.map(splitMatch);
  return precedence === 'as-listed' ? matches : matches.toSorted(bySpecificity);
}

function splitMatch(route: Route): RouteMatch {
  const { match, matchType } = route;
  const isExact = matchType === 'exact_path';
  const slash = match.indexOf('/');
  if (slash === 0) return { route, host: undefined, path: match, isExact };
  if (slash < 0) return { route, host: match.toLowerCase(), path: undefined, isExact };
  return { route, host: match.slice(0, slash).toLowerCase(), path: match.slice(slash), isExact };
}

function bySpecificity(one: RouteMatch, other: RouteMatch): number {
  return (
    Number(other.isExact) - Number(one.isExact) ||
    Number(other.host !== undefined) - Number(one.host !== undefined) ||
    (other.path?.length ?? 0) - (one.path?.length ?? 0)
  );
}

function select(asked: readonly RouteMatch[], request: RouteRequest): Route | Unknown | undefined {
  const needs: string[] = [];
  for (const match of asked) {
    const takes = takesRequest(match, request);
    if (takes === true && needs.length === 0) return match.route;
    if (takes instanceof Unknown) needs.push(...takes.attributes);
    // The search ends here, whichever route it is.
    if (takes === true) break;
  }
  return needs.length === 0 ? undefined : new Unknown([...new Set(needs)].sort());
}

function takesRequest(match: RouteMatch, request: RouteRequest): Known<boolean> {
  const { host = true, path = true } = partsTaken(match, request);
  if (host === false) return host;
  return path === false || host === true ? path : host;
}

function partsTaken({ host, path, isExact }: RouteMatch, request: RouteRequest): Omit<RouteVerdict, 'route'> {
  return {
    host: host === undefined ? undefined : test(request.host, sent => withoutPort(sent).toLowerCase() === host),
    path:
      path === undefined ? undefined : test(request.path, sent => (isExact ? sent === path : sent.startsWith(path))),
  };
}

function test(value: Known<string>, holds: (value: string) => boolean): Known<boolean> {
  return value instanceof Unknown ? value : holds(value);
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}
