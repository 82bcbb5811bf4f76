import { Unknown } from '@tollgate/cel';
import { type HeaderMap, withHeader } from '../../message/header-map.ts';
import { sniffContentType } from '../../message/sniff-content-type.ts';
import type { Known } from '../../state/traffic-state.ts';
import { answered, closed } from '../model/answer.ts';
import { entriesOf, numberIn, stringOr } from '../model/config.ts';
import type { ActionConfig, ActionContext, Effects, PrepareAction } from '../model/effect.ts';
import { prepareText } from '../model/fill-text.ts';
import type { Filling } from '../model/filling.ts';

const deny: PrepareAction = (config, context) => {
  const status = numberIn(config, context, 'status_code');
  return state => ({ kind: 'ends', ending: answered(state, { kind: 'denied', status, action: 'deny' }, context) });
};

const closeConnection: PrepareAction = () => state => ({
  kind: 'ends',
  ending: closed(state, 'close-connection'),
});

const customResponse: PrepareAction = (config, context) => {
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
