import { Unknown } from '@tollgate/cel';
import { type Paint, printable } from '@tollgate/diagnostics';
import type { EdgeTrace, Known, Route, RouteVerdict } from '@tollgate/simulator';
import { formatNeeds, knownText } from './message-lines.ts';

/** Renders which route matches a request, and why the earlier ones do not. */
export function routeLines({ request, verdicts, decision }: EdgeTrace, paint: Paint): readonly string[] {
  const by = `${knownText(request.host)}${request.path instanceof Unknown ? ', ' : ''}${knownText(request.path)}`;
  const head = `${paint('strong', 'routes')} for ${by}`;
  const chosenRoute = decision.kind === 'routed' ? decision.route : undefined;
  const lines = verdicts.map(verdict => `  ${verdictLine(verdict, verdict.route === chosenRoute, paint)}`);
  if (decision.kind === 'unrouted') return [head, ...lines, `  ${paint('error', 'no route matches')}`];
  if (decision.kind === 'routed') return [head, ...lines];
  return [head, ...lines, `  ${paint('warning', `the route is unknown: needs ${formatNeeds(decision.needs)}`)}`];
}

function verdictLine(verdict: RouteVerdict, isTaken: boolean, paint: Paint): string {
  const name = printable(routeName(verdict.route));
  const why = verdictText(verdict);
  if (isTaken) return `${paint('hint', '✓')} ${paint('strong', name)}  matches`;
  if (why === undefined) return `${paint('faint', `– ${name}  would match, but an earlier route does`)}`;
  return `${paint('frame', '·')} ${name}  ${why}`;
}

/** Returns the name of a route, which is its match. */
export function routeName({ match, matchType, id }: Route): string {
  return `${match} (${matchType}${id === undefined ? '' : `, ${id}`})`;
}

/** Returns why a route does not match a request; undefined if it would. */
export function verdictText({ host, path, route }: RouteVerdict): string | undefined {
  const parts: readonly (readonly [string, Known<boolean> | undefined])[] = [
    ['host', host],
    ['path', path],
  ];
  const other = parts.find(([, takes]) => takes === false);
  const how = route.matchType === 'exact_path' ? 'differs' : 'has another prefix';
  if (other) return other[0] === 'host' ? 'the host differs' : `the path ${how}`;
  const open = parts.flatMap(([, takes]) => (takes instanceof Unknown ? takes.attributes : []));
  return open.length === 0 ? undefined : `unknown: needs ${formatNeeds(open)}`;
}
