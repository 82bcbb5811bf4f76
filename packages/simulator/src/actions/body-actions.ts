/** Actions on bodies, which are not recorded: find and replace, and `compress-response`. */
import type { Sample } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { firstIn, valuesIn } from '../exchange-state/recorded-state.ts';
import {
  changedRequest,
  changedResponse,
  type Known,
  type NamedValues,
  type RequestState,
  type ResponseState,
  type TrafficState,
  withResults,
} from '../exchange-state/traffic-state.ts';
import { stringsOf as headerTexts, requestLength } from '../variables/variable-readers.ts';
import {
  type ActionConfig,
  type ActionContext,
  type Effects,
  entriesOf,
  fieldOf,
  type PrepareAction,
  stringsOf,
  withUnknownResults,
} from './effect.ts';
import type { Filling } from './fill-text.ts';
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

/** Compresses a body that is not compressed yet with the algorithm that the client prefers. */
export const compressResponse: PrepareAction = (config, context) => {
  // Request bodies are not compressed; in profiles that allow the action there, it does nothing.
  if (context.side !== 'response') return state => ({ kind: 'continues', state, idle: true });
  const listed = Array.isArray(config.algorithms) ? config.algorithms : fieldOf(context, 'algorithms')?.default;
  const algorithms = stringsOf(listed);
  const { headerKey, requestHeader, responseHeader } = context.dialect;
  const encodingName = responseHeader(headerKey('content-encoding'));
  const acceptName = requestHeader(headerKey('accept-encoding'));
  return state => {
    const encoding = firstIn(state.response, encodingName);
    const accepted = headerTexts(state.request, acceptName);
    const algorithm = accepted instanceof Unknown ? accepted : negotiate(accepted.join(','), algorithms);
    const isEncoded = encoding instanceof Unknown ? encoding : encoding !== undefined && encoding !== 'identity';
    const left = withResults(state, context.results.prefix, {
      already_compressed: isEncoded,
      negotiated_algorithm: algorithm ?? 'none',
    });
    if (isEncoded === true || algorithm === undefined) return { kind: 'continues', state: left, idle: true };
    const open = isEncoded instanceof Unknown ? isEncoded : algorithm;
    return { kind: 'continues', state: withEncoding(left, open instanceof Unknown ? open : algorithm, context) };
  };
};

function withEncoding(state: TrafficState, algorithm: Known<string>, { dialect, side }: ActionContext): TrafficState {
  const [encoding, length, vary] = ['content-encoding', 'content-length', 'vary'].map(dialect.headerKey);
  if (algorithm instanceof Unknown) {
    return withHeaders(
      state,
      side,
      [encoding!, length!, vary!].map(key => ({ key, to: maybe(algorithm) })),
    );
  }
  return withHeaders(state, side, [
    { key: encoding!, to: [algorithm] },
    { key: length!, to: undefined },
    { key: vary!, add: 'Accept-Encoding' },
  ]);
}

function maybe({ attributes }: Unknown): Unknown {
  return new UnknownPresence(attributes);
}

/** Returns the preferred algorithm, the first in the list among equals (RFC 9110, section 12.5.3); undefined if none is accepted. */
function negotiate(accepted: string, algorithms: readonly string[]): string | undefined {
  const weights = new Map(accepted.split(',').map(weightOf));
  const weighed = algorithms.map(name => ({ name, weight: weights.get(name) ?? weights.get('*') ?? 0 }));
  const best = Math.max(0, ...weighed.map(one => one.weight));
  return best === 0 ? undefined : weighed.find(one => one.weight === best)?.name;
}

function weightOf(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
  const weight = parameters.find(text => text.startsWith('q='))?.slice(2);
  return [name, weight === undefined || Number.isNaN(Number(weight)) ? 1 : Number(weight)];
}
