import type { ProfileSwitches } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import type { Known } from '../decide/traffic-state.ts';
import type { Edge, Route } from './route.ts';

/** What a route is chosen by. */
export interface RouteRequest {
  /** As sent; a port does not count. */
  readonly host: Known<string>;
  /** Decoded, as rules see it. */
  readonly path: Known<string>;
}

/**
 * Gives the route that takes a request; undefined when none does. Unknown when that hangs on what is. A prefix is one of the text: `/api`
 * takes `/apis` too. A match that is a host alone takes every path.
 */
export function selectRoute(
  edge: Pick<Edge, 'routes'>,
  request: RouteRequest,
  precedence: ProfileSwitches['routePrecedence'] = 'most-specific',
): Route | Unknown | undefined {
  const needs: string[] = [];
  for (const route of inOrder(edge, precedence)) {
    const takes = takesRequest(route, request);
    if (takes === true && needs.length === 0) return route;
    if (takes instanceof Unknown) needs.push(...takes.attributes);
    // Whichever it is, the search ends here.
    if (takes === true) break;
  }
  return needs.length === 0 ? undefined : new Unknown([...new Set(needs)].sort());
}

/** What a route says of a request. */
export interface RouteVerdict {
  readonly route: Route;
  /** Undefined for a match without a host; a name otherwise. */
  readonly host: Known<boolean> | undefined;
  /** Undefined for a match without a path. */
  readonly path: Known<boolean> | undefined;
}

/** Gives what every route says of a request, in the order in which they are asked: the first that takes it is its route. */
export function routeVerdicts(
  edge: Pick<Edge, 'routes'>,
  request: RouteRequest,
  precedence: ProfileSwitches['routePrecedence'] = 'most-specific',
): readonly RouteVerdict[] {
  return inOrder(edge, precedence).map(route => ({ route, ...partsTaken(route, request) }));
}

function inOrder({ routes }: Pick<Edge, 'routes'>, precedence: ProfileSwitches['routePrecedence']): readonly Route[] {
  return precedence === 'as-listed' ? routes : routes.toSorted(bySpecificity);
}

function bySpecificity(a: Route, b: Route): number {
  const [one, other] = [splitMatch(a.match), splitMatch(b.match)];
  const isExact = (route: Route) => Number(route.matchType === 'exact_path');
  return (
    isExact(b) - isExact(a) ||
    Number(other.host !== undefined) - Number(one.host !== undefined) ||
    (other.path?.length ?? 0) - (one.path?.length ?? 0)
  );
}

/** The parts of a match: what does not begin with a slash begins with a host. */
function splitMatch(match: string): { readonly host: string | undefined; readonly path: string | undefined } {
  const slash = match.indexOf('/');
  if (slash === 0) return { host: undefined, path: match };
  if (slash < 0) return { host: match.toLowerCase(), path: undefined };
  return { host: match.slice(0, slash).toLowerCase(), path: match.slice(slash) };
}

function takesRequest(route: Route, request: RouteRequest): Known<boolean> {
  const { host = true, path = true } = partsTaken(route, request);
  if (host === false) return host;
  return path === false || host === true ? path : host;
}

function partsTaken({ match, matchType }: Route, request: RouteRequest): Omit<RouteVerdict, 'route'> {
  const { host, path } = splitMatch(match);
  const isExact = matchType === 'exact_path';
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
