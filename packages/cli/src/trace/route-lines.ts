import { Unknown } from '@tollgate/cel';
import { type Paint, printable } from '@tollgate/diagnostics';
import type { EdgeTrace, Known, Route, RouteVerdict } from '@tollgate/simulator';
import { knownText, needsText } from './message-lines.ts';

/** Which route takes a request, and why the ones before it do not. */
export function routeLines({ request, verdicts, decision }: EdgeTrace, paint: Paint): readonly string[] {
  const by = `${knownText(request.host)}${request.path instanceof Unknown ? ', ' : ''}${knownText(request.path)}`;
  const head = `${paint('strong', 'routes')} for ${by}`;
  const taken = decision.kind === 'routed' ? decision.route : undefined;
  const lines = verdicts.map(verdict => `  ${verdictLine(verdict, verdict.route === taken, paint)}`);
  if (decision.kind === 'unrouted') return [head, ...lines, `  ${paint('error', 'no route takes it')}`];
  if (decision.kind === 'routed') return [head, ...lines];
  return [
    head,
    ...lines,
    `  ${paint('warning', `which route takes it is not known: needs ${needsText(decision.needs)}`)}`,
  ];
}

function verdictLine(verdict: RouteVerdict, isTaken: boolean, paint: Paint): string {
  const name = printable(routeName(verdict.route));
  const why = verdictText(verdict);
  if (isTaken) return `${paint('hint', '✓')} ${paint('strong', name)}  takes it`;
  if (why === undefined) return `${paint('faint', `– ${name}  would take it, but one before it does`)}`;
  return `${paint('frame', '·')} ${name}  ${why}`;
}

/** How people know a route: by its match. */
export function routeName({ match, matchType, id }: Route): string {
  return `${match} (${matchType}${id === undefined ? '' : `, ${id}`})`;
}

/** Why a route does not take a request; undefined when it would. */
export function verdictText({ host, path, route }: RouteVerdict): string | undefined {
  const parts: readonly (readonly [string, Known<boolean> | undefined])[] = [
    ['host', host],
    ['path', path],
  ];
  const other = parts.find(([, takes]) => takes === false);
  const how = route.matchType === 'exact_path' ? 'is another' : 'does not begin so';
  if (other) return other[0] === 'host' ? 'its host is another' : `its path ${how}`.replace('its', 'the');
  const open = parts.flatMap(([, takes]) => (takes instanceof Unknown ? takes.attributes : []));
  return open.length === 0 ? undefined : `not known: needs ${needsText(open)}`;
}
