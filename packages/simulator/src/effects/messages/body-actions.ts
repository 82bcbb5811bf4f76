import type { Sample } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { valuesIn } from '../../state/recorded-state.ts';
import {
  changedRequest,
  changedResponse,
  type Known,
  type NamedValues,
  type RequestState,
  type ResponseState,
  type TrafficState,
  withResults,
} from '../../state/traffic-state.ts';
import { requestLength } from '../../values/read-message.ts';
import { entriesOf } from '../model/config.ts';
import type { ActionConfig, ActionContext, Effects, PrepareAction } from '../model/effect.ts';
import type { Filling } from '../model/filling.ts';
import { withUnknownResults } from '../model/refusal.ts';
import { withHeaders } from './header-actions.ts';
import { prepareReplacement, type Replace } from './replacement.ts';

/** Opaque, because bodies are not recorded; it may only change the length. */
const requestBodyFindReplace: PrepareAction = (config, context) => state => {
  if (requestLength(state) === 0) return { kind: 'continues', state, idle: true };
  const notes = [{ kind: 'opaque', reason: 'recordings do not contain the body' }] as const;
  const left = withUnknownResults(state, context.results, BODY.attributes);
  return { kind: 'continues', state: withOpenBody(left, config, context), notes };
};

/** Known for responses of the edge, opaque for those of the upstream. */
const responseBodyFindReplace: PrepareAction = (config, context) => {
  const listed = Array.isArray(config.replacements) ? config.replacements : [];
  const replacements = listed.map(one => prepareReplacement(patternOf(one), context));
  return state => {
    const filling: Filling = { state, notes: [] };
    const replaced = replaceInBody(state.response.body, replacements, filling);
    if (replaced instanceof Unknown) {
      const notes = [...filling.notes, { kind: 'opaque', reason: 'recordings do not contain the body' } as const];
      const left = withUnknownResults(state, context.results, replaced.attributes);
      return { kind: 'continues', state: withOpenBody(left, config, context), notes };
    }
    const { body, found } = replaced;
    const left = withResults(state, context.results.prefix, { replacements: found });
    const isIdle = body === state.response.body;
    const response = changedResponse(left.response, { body });
    return { kind: 'continues', state: { ...left, response }, idle: isIdle, notes: filling.notes };
  };
};

/** Opaque, because events are not recorded. Nothing else changes. */
const sseFindReplace: PrepareAction = (config, context) => state => ({
  kind: 'continues',
  state: withReplacedBody(withUnknownResults(state, context.results, ['the events of the stream']), config, context),
  notes: [{ kind: 'opaque', reason: 'recordings do not contain events' }],
});

const BODY = new Unknown(['the body of the request']);

function patternOf(replacement: Sample): { readonly [key: string]: Sample } {
  return { to: '', ...Object.fromEntries(entriesOf(replacement)) };
}

interface ReplacedBody {
  readonly body: string;
  readonly found: NamedValues[string];
}

function replaceInBody(
  body: Known<string>,
  replacements: readonly Replace[],
  filling: Filling,
): ReplacedBody | Unknown {
  if (body instanceof Unknown) return body;
  let text = body;
  const found: { replacement_index: number; matched_content: string }[] = [];
  for (const [index, replace] of replacements.entries()) {
    const replaced = replace(text, filling);
    if (replaced instanceof Unknown) return replaced;
    if (replaced === undefined) continue;
    text = replaced.text;
    for (const match of replaced.matches) found.push({ replacement_index: index, matched_content: match });
  }
  return { body: text, found };
}

/** Its length may be another one. */
function withOpenBody(state: TrafficState, config: ActionConfig, context: ActionContext): TrafficState {
  const { side, dialect } = context;
  const key = dialect.headerKey('content-length');
  const replaced = withReplacedBody(state, config, context);
  const [message, name] =
    side === 'request' ? [state.request, dialect.requestHeader(key)] : [state.response, dialect.responseHeader(key)];
  if (valuesIn(message, name) === undefined) return replaced;
  const attributes = [side === 'request' ? 'the body of the request' : 'the body of the response'];
  return withHeaders(replaced, side, [{ key, to: new Unknown(attributes) }]);
}

/** Notes what is done to a body that is not known. */
function withReplacedBody(state: TrafficState, config: ActionConfig, { side, fact }: ActionContext): TrafficState {
  const replacement = `${fact.type} ${JSON.stringify(config)}`;
  const changesOf = ({ changes }: RequestState | ResponseState) => ({
    changes: { ...changes, bodies: [...changes.bodies, replacement] },
  });
  const { request, response } = state;
  if (side === 'request') return { ...state, request: changedRequest(request, changesOf(request)) };
  return { ...state, response: changedResponse(response, changesOf(response)) };
}

/** Effects of actions that replace strings in bodies and events. */
export const BODY_EFFECTS = {
  'request-body-find-replace': requestBodyFindReplace,
  'response-body-find-replace': responseBodyFindReplace,
  'sse-find-replace': sseFindReplace,
} as const satisfies Effects;
