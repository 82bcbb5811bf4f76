import type { Unknown } from '@tollgate/cel';
import { canonicalHeaderName } from '@tollgate/policy';
import { type TrafficState, withHost } from '../decide/traffic-state.ts';
import { type HeaderMap, replaceHeader, withHeader } from '../message/header-map.ts';
import { entriesOf, textsOf } from './config.ts';
import type { ActionContext, PrepareAction } from './effect.ts';
import { prepareTemplate } from './header-template.ts';

export const addHeaders: PrepareAction = (config, context) => {
  const headers = entriesOf(config.headers).map(([name, value]) => ({
    name: canonicalHeaderName(name),
    fill: prepareTemplate(String(value), context),
  }));
  return state => {
    // All values are of the traffic as it was before the action.
    const values = headers.map(header => ({ name: header.name, value: header.fill(state) }));
    return { kind: 'continues', state: values.reduce(adding(context), state) };
  };
};

type NamedValue = { readonly name: string; readonly value: string | Unknown };

/** `Host` is replaced, as clients that rewrite host names rely on; every other header gets one more value. */
function adding(context: ActionContext) {
  return (state: TrafficState, { name, value }: NamedValue): TrafficState => {
    if (name === 'Host' && context.phase === 'inbound') return withHost(state, value);
    return withHeaders(state, context, headers => withHeader(headers, name, value));
  };
}

export const removeHeaders: PrepareAction = (config, context) => {
  const names = textsOf(config.headers);
  return state => ({
    kind: 'continues',
    state: withHeaders(state, context, headers =>
      names.reduce((left, name) => replaceHeader(left, name, undefined), headers),
    ),
  });
};

/** Inbound it is the request's headers that change, outbound those of the response. */
function withHeaders(
  state: TrafficState,
  context: ActionContext,
  change: (headers: HeaderMap) => HeaderMap,
): TrafficState {
  if (context.phase === 'inbound') {
    return { ...state, request: { ...state.request, headers: change(state.request.headers) } };
  }
  return { ...state, response: { ...state.response, headers: change(state.response.headers) } };
}
