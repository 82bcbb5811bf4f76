import { type NonValue, Unknown, type Value, wholeOf } from '@tollgate/cel';
import { type Paint, printable } from '@tollgate/diagnostics';
import type { Decision, HeaderMap, Known, Outcome } from '@tollgate/simulator';
import { resultText } from './node-text.ts';

/** UTF-16 units of a value in a message that are shown. */
const LONGEST = 300;

/** A text as it is, or what it would take to know it. */
export function knownText(value: Known<string | number>): string {
  if (!(value instanceof Unknown)) return printable(cut(String(value)));
  return `unknown: needs ${needsText(value.attributes)}`;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** What it would take to know something, for people: inputs as code, the rest in its own words. */
export function needsText(needs: readonly string[]): string {
  return needs.map(need => (INPUT.test(need) ? `\`${printable(need)}\`` : printable(need))).join(', ');
}

/** A path, with keys. */
const INPUT = /^[\w.]+(?:\[.*\])?$/s;

/** A value as expressions write it; what is not there is `nothing`. */
export function valueOrNothing(value: Value | NonValue | undefined): string {
  return value === undefined ? 'nothing' : printable(resultText(value, true, LONGEST).text);
}

/** What became of the traffic, as a sentence without its subject: `denied with 403 by \`deny\``. */
export function outcomeText({ kind, status, action }: Outcome): string {
  return [kind, ...(status === undefined ? [] : [`with ${status}`]), ...(action ? [`by \`${action}\``] : [])].join(' ');
}

/** The headers of a message, an entry for each value. */
export function headerEntries(headers: HeaderMap): readonly (readonly [name: string, value: Known<string>])[] {
  return Object.entries(headers).flatMap(([name, values]) => {
    if (values === undefined) return [];
    const all = values instanceof Unknown ? [values] : values;
    return all.map(value => [name, value] as const);
  });
}

/** Whether there may be headers that are not known. */
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

/** What the client receives. */
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
  const shown = lines.slice(0, MOST_LINES).map(line => printable(cut(line)));
  return lines.length > MOST_LINES ? [...shown, '…'] : shown;
}

const MOST_LINES = 20;

/** What the upstream receives. */
export function upstreamLines({ upstream, needs }: Decision, paint: Paint): readonly string[] {
  const { isAsked, request } = upstream;
  if (isAsked === false) return ['nothing: the request is not forwarded'];
  const line = `${painted(request.method, paint)} ${painted(upstreamUrl(request), paint)}`;
  const lines = [line, ...headerLines(request.headers, paint)];
  return isAsked === undefined
    ? [paint('warning', `if the request is forwarded, which needs ${needsText(needs)}:`), ...lines]
    : lines;
}

/** The URL of a request, or as much of it as a log knows. */
export function upstreamUrl({ url, target }: Decision['upstream']['request']): Known<string> {
  return url instanceof Unknown ? target : url;
}
