/** Actions that add and remove headers. */
import type { Unknown } from '@tollgate/cel';
import { type HeaderChange, type HeaderMap, withHeader } from '../exchange-state/headers.ts';
import { requestWithHeaders, responseWithHeaders } from '../exchange-state/recorded-state.ts';
import { type TrafficState, withHost, withResults } from '../exchange-state/traffic-state.ts';
import { type ActionContext, type Effects, entriesOf, type PrepareAction, stringsOf } from './effect.ts';
import { type Filling, prepareText } from './fill-text.ts';

/** Adds values to headers; `Host` is replaced. */
export const addHeaders: PrepareAction = (config, context) => {
  const headers = entriesOf(config.headers).map(([name, value]) => ({
    key: context.dialect.headerKey(name),
    fill: prepareText(String(value), 'headers', context),
  }));
  const add = adding(context);
  const { prefix } = context.results;
  return state => {
    // All values are evaluated on the state before the action.
    const filling: Filling = { state, notes: [] };
    const values = headers.map(({ key, fill }) => ({ key, value: fill(filling) }));
    const changed = values.reduce(add, state);
    if (prefix === undefined) return { kind: 'continues', state: changed, notes: filling.notes };
    const added = values.reduce<HeaderMap>((map, { key, value }) => withHeader(map, key, value), {});
    return { kind: 'continues', state: withResults(changed, prefix, { headers_added: added }), notes: filling.notes };
  };
};

type NamedValue = { readonly key: string; readonly value: string | Unknown };

/** `Host` is replaced, as clients that rewrite host names expect; other headers get one more value. */
function adding({ side, dialect }: ActionContext) {
  const host = dialect.headerKey('host');
  return (state: TrafficState, { key, value }: NamedValue): TrafficState => {
    if (key === host && side === 'request') return withHost(state, value);
    return withHeaders(state, side, [{ key, add: value }]);
  };
}

/** Removes headers. */
export const removeHeaders: PrepareAction = (config, { side, dialect, results }) => {
  const keys = stringsOf(config.headers).map(dialect.headerKey);
  return state => {
    const changed = withHeaders(
      state,
      side,
      keys.map(key => ({ key, to: undefined })),
    );
    return { kind: 'continues', state: withResults(changed, results.prefix, { headers_removed: keys }) };
  };
};

/** Changes the headers of the request or of the response, depending on the side. */
export function withHeaders(
  state: TrafficState,
  side: ActionContext['side'],
  changes: readonly HeaderChange[],
): TrafficState {
  if (side === 'request') return { ...state, request: requestWithHeaders(state.request, changes) };
  return { ...state, response: responseWithHeaders(state.response, changes) };
}

/** Effects of actions that change headers. */
export const HEADER_EFFECTS = {
  'add-headers': addHeaders,
  'remove-headers': removeHeaders,
} as const satisfies Effects;
