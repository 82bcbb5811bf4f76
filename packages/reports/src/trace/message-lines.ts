// What client and upstream receive, which route matches, and values, needs and outcomes in words.

import { EvaluationError, type NonValue, Unknown, type Value } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import { type Paint, printable, type Style } from '@tollgate/diagnostics';
import type { Decision, EdgeTrace, HeaderMap, Known, Outcome, Route, RouteVerdict } from '@tollgate/simulator';
import type { SubExpression } from './sub-expression.ts';
import { valueText } from './value-text.ts';

/** Maximum length of a value in a message, in UTF-16 code units. */
const MAX_LENGTH = 300;

/** A string, or what is needed to know it. */
export function knownText(value: Known<string | number>): string {
  if (!(value instanceof Unknown)) return printable(cut(String(value)));
  return `unknown: needs ${formatNeeds(value.attributes)}`;
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** Returns what is needed to know something: inputs as code, everything else as it is. */
export function formatNeeds(needs: readonly string[]): string {
  return needs.map(need => (INPUT.test(need) ? `\`${printable(need)}\`` : printable(need))).join(', ');
}

/** Returns a path with its keys. */
const INPUT = /^[\w.]+(?:\[.*\])?$/s;

/** Returns a value in CEL notation; `nothing` if it is missing. */
export function formatValueOrNothing(value: Value | NonValue | undefined): string {
  return value === undefined ? 'nothing' : printable(resultText(value, true, MAX_LENGTH).text);
}

/** Returns the outcome as a sentence without its subject: `denied with 403 by \`deny\``. */
export function describeOutcome({ kind, status, action }: Outcome): string {
  return [kind, ...(status === undefined ? [] : [`with ${status}`]), ...(action ? [`by \`${action}\``] : [])].join(' ');
}

/** Returns the headers of a message, one entry for each value. */
export function headerEntries(headers: HeaderMap): readonly (readonly [name: string, value: Known<string>])[] {
  return Object.entries(headers).flatMap(([name, values]) => {
    if (values === undefined) return [];
    const all = values instanceof Unknown ? [values] : values;
    return all.map(value => [name, value] as const);
  });
}

/** Returns true if there may be unknown headers. */
export function isPartial(headers: HeaderMap): boolean {
  return wholeOf(headers) !== undefined;
}

function headerLines(headers: HeaderMap, paint: Paint): readonly string[] {
  const lines = headerEntries(headers).map(([name, value]) => {
    const text = knownText(value);
    return `${paint('info', printable(name))}: ${value instanceof Unknown ? paint('warning', text) : text}`;
  });
  return isPartial(headers) ? [...lines, paint('faint', 'other headers are unknown')] : lines;
}

/** Returns what the client receives. */
export function clientLines({ response, outcomes }: Decision, paint: Paint): readonly string[] {
  if (response === undefined) {
    const isClosed = outcomes.every(({ kind }) => kind === 'closed');
    return [isClosed ? 'no response: the connection is closed' : 'no response'];
  }
  const { status, headers, body } = response;
  const text = body instanceof Unknown ? [] : bodyLines(body);
  return [
    `status ${painted(status, paint)}`,
    ...headerLines(headers, paint),
    ...(text.length > 0 ? ['', ...text] : []),
  ];
}

function painted(value: Known<string | number>, paint: Paint): string {
  return paint(value instanceof Unknown ? 'warning' : 'strong', knownText(value));
}

function bodyLines(body: string): readonly string[] {
  if (body === '') return [];
  const lines = body.split('\n');
  const shown = lines.slice(0, MAX_LINES).map(line => printable(cut(line)));
  return lines.length > MAX_LINES ? [...shown, '…'] : shown;
}

const MAX_LINES = 20;

/** Returns what the upstream receives. */
export function upstreamLines({ upstream, needs }: Decision, paint: Paint): readonly string[] {
  const { isAsked, request } = upstream;
  if (isAsked === false) return ['nothing: the request is not forwarded'];
  const line = `${painted(request.method, paint)} ${painted(upstreamUrl(request), paint)}`;
  const lines = [line, ...headerLines(request.headers, paint)];
  return isAsked === undefined
    ? [paint('warning', `if the request is forwarded, which needs ${formatNeeds(needs)}:`), ...lines]
    : lines;
}

/** Returns the URL of a request, or the part of it that the log contains. */
export function upstreamUrl({ url, target }: Decision['upstream']['request']): Known<string> {
  return url instanceof Unknown ? target : url;
}

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

/** The value of a subexpression in a few words. */
interface NodeText {
  readonly text: string;
  readonly style: Style;
}

/** Maximum number of values of a loop to show. */
const MAX_SHOWN = 3;

/**
 * Returns the value of a subexpression that was evaluated.
 *
 * @param most maximum length of each value, in UTF-16 code units
 */
export function nodeText({ results, count, isOrigin }: SubExpression, most: number): NodeText {
  const last = results.at(-1);
  if (results.length === 1) return resultText(last!, isOrigin, most);
  const shown = results.slice(0, MAX_SHOWN).map(result => resultText(result, isOrigin, most).text);
  const text = `${shown.join(', ')}${count > MAX_SHOWN ? `, … (${count} times)` : ''}`;
  return { text, style: styleOf(results.every(result => result === last) ? last! : '') };
}

/** Returns a result; for errors and unknowns, the reason only where they originate. */
export function resultText(result: Value | NonValue, isOrigin: boolean, most: number): NodeText {
  const style = styleOf(result);
  if (result instanceof EvaluationError) return { text: isOrigin ? `error: ${result.message}` : 'failed', style };
  if (!(result instanceof Unknown)) return { text: valueText(result, most), style };
  return { text: isOrigin ? `unknown: ${result.attributes.join(', ')}` : 'unknown', style };
}

function styleOf(result: Value | NonValue): Style {
  if (result instanceof EvaluationError) return 'error';
  if (result instanceof Unknown) return 'warning';
  return result === true ? 'hint' : 'strong';
}
