import { type NonValue, Unknown, type Value } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import { type Paint, printable } from '@tollgate/diagnostics';
import type { Decision, HeaderMap, Known, Outcome } from '@tollgate/simulator';
import { resultText } from './node-text.ts';

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
export function formatOutcome({ kind, status, action }: Outcome): string {
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
