/** Actions that answer: `deny`, `custom-response`, `close-connection`. */
import { Unknown } from '@tollgate/cel';
import { type HeaderMap, withHeader } from '../exchange-state/headers.ts';
import type { Known } from '../exchange-state/traffic-state.ts';
import {
  type ActionConfig,
  type ActionContext,
  answered,
  closed,
  type Effects,
  entriesOf,
  numberIn,
  type PrepareAction,
  stringOr,
} from './effect.ts';
import { type Filling, prepareText } from './fill-text.ts';

/** Ends the traffic with a status. */
export const deny: PrepareAction = (config, context) => {
  const status = numberIn(config, context, 'status_code');
  return state => ({ kind: 'ends', ending: answered(state, { kind: 'denied', status, action: 'deny' }, context) });
};

/** Closes the connection without a response. */
export const closeConnection: PrepareAction = () => state => ({
  kind: 'ends',
  ending: closed(state, 'close-connection'),
});

/** Responds in place of the upstream. */
export const customResponse: PrepareAction = (config, context) => {
  const kind = context.side === 'request' ? 'answered' : 'replaced';
  const status = numberIn(config, context, 'status_code');
  const written = typeof config.body === 'string' ? 'body' : 'content';
  const fill = prepareText(stringOr(config[written], ''), written, context);
  const headersOf = prepareHeaders(config, context);
  const typeKey = context.dialect.headerKey('content-type');
  return state => {
    const filling: Filling = { state, notes: [] };
    const body = fill(filling);
    const given = headersOf(filling);
    const headers = typeKey in given || body === '' ? given : { ...given, [typeKey]: [guess(body)] };
    const ending = answered(state, { kind, status, action: 'custom-response', headers, body }, context);
    return { kind: 'ends', ending, notes: filling.notes };
  };
};

function guess(body: Known<string>): Known<string> {
  return body instanceof Unknown ? body : sniffContentType(body);
}

/** Prepares the headers of a response for interpolation. */
export function prepareHeaders(config: ActionConfig, context: ActionContext): (filling: Filling) => HeaderMap {
  const headers = entriesOf(config.headers).map(([name, value]) => ({
    key: context.dialect.headerKey(name),
    fill: prepareText(String(value), 'headers', context),
  }));
  return filling => headers.reduce<HeaderMap>((map, { key, fill }) => withHeader(map, key, fill(filling)), {});
}

/** Effects of actions that respond in place of the upstream. */
export const ANSWER_EFFECTS = {
  'close-connection': closeConnection,
  'custom-response': customResponse,
  deny,
} as const satisfies Effects;

/** Prefixes that indicate HTML, after white space, in any case, and followed by a blank or `>`. */
const HTML_TAGS =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >]|^<!--/i;

/** Returns the content type of a string, guessed from its first 512 units by the MIME Sniffing Standard, section 7.1; JSON counts as plain text. */
export function sniffContentType(text: string): string {
  const start = text.slice(0, 512).replace(/^[\t\n\f\r ]+/, '');
  if (HTML_TAGS.test(start)) return 'text/html; charset=utf-8';
  if (start.startsWith('<?xml')) return 'text/xml; charset=utf-8';
  if (start.startsWith('%PDF-')) return 'application/pdf';
  // Control characters that never occur in text.
  return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
