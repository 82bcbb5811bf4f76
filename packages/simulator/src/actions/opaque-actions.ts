/** Actions whose effect no recording can show: they may refuse, and leave results that are unknown. */
import {
  answered,
  type Effects,
  isSet,
  mayRefuse,
  type PrepareAction,
  stringIn,
  stringOr,
  withUnknownResults,
} from './effect.ts';
import { type Filling, prepareText } from './fill-text.ts';

/** An action that admits some requests; no recording shows which. */
interface OpaqueKind {
  readonly action: string;
  readonly status: number;
  readonly kind: 'refused' | 'redirected';
  readonly reason: string;
  readonly needs: string;
}

function opaque({ action, status, kind, reason, needs }: OpaqueKind): PrepareAction {
  return (config, context) => {
    const enforces = context.fact.config.some(field => field.name === 'enforce')
      ? isSet(config, context, 'enforce')
      : true;
    const letsPreflightsPass = isSet(config, context, 'allow_cors_preflight');
    return state => {
      if (letsPreflightsPass && state.request.method === 'OPTIONS') return { kind: 'continues', state, idle: true };
      const left = withUnknownResults(state, context.results, [needs]);
      return mayRefuse({
        ending: answered(left, { kind, status, action }, context),
        ...{ state: left, needs: [needs], reason, enforces },
      });
    };
  };
}

const oauth = opaque({
  ...{ action: 'oauth', status: 302, kind: 'redirected' },
  reason: 'the edge and the provider keep sessions',
  needs: 'whether the client has signed in',
});

const openidConnect = opaque({
  ...{ action: 'openid-connect', status: 302, kind: 'redirected' },
  reason: 'the edge and the issuer keep sessions',
  needs: 'whether the client has signed in',
});

const saml = opaque({
  ...{ action: 'saml', status: 302, kind: 'redirected' },
  reason: 'the edge and the identity provider keep sessions',
  needs: 'whether the client has signed in',
});

const coreRulesForRequests = opaque({
  ...{ action: 'owasp-crs-request', status: 403, kind: 'refused' },
  reason: 'only the edge runs the core rule set',
  needs: "the core rule set's verdict on the request",
});

const coreRulesForResponses = opaque({
  ...{ action: 'owasp-crs-response', status: 403, kind: 'refused' },
  reason: 'only the edge runs the core rule set',
  needs: "the core rule set's verdict on the response",
});

/** Opaque: no recording contains what another server responds. */
const httpRequest: PrepareAction = (config, context) => {
  const fill = prepareText(stringOr(config.url, ''), 'url', context);
  const halts = stringIn(config, context, 'on_error') === 'halt';
  return state => {
    const filling: Filling = { state, notes: [] };
    const url = fill(filling);
    const needs = ['the response to `http-request`'];
    const left = withUnknownResults(state, context.results, needs);
    const sent = typeof url === 'string' ? [{ kind: 'sent', url } as const] : [];
    const opaqueNote = { kind: 'opaque', reason: 'another server responds to it' } as const;
    const notes = [...filling.notes, ...sent, opaqueNote];
    if (!halts) return { kind: 'continues', state: left, notes };
    const ending = answered(left, { kind: 'refused', status: undefined, action: 'http-request' }, context);
    return { kind: 'may-end', ending, state: left, needs, notes };
  };
};

/** Forwards the traffic to an AI model provider; its response is the recorded one. */
const aiGateway: PrepareAction = (_, context) => state => {
  const left = withUnknownResults(state, context.results, ['the response of the model provider']);
  return {
    kind: 'ends',
    ending: { outcome: { kind: 'forwarded', status: undefined, action: 'ai-gateway' }, state: left },
  };
};

/** Forwards the traffic; its response is the recorded one. */
export const forwardInternal: PrepareAction = (config, context) => {
  const fill = prepareText(stringOr(config.url, ''), 'url', context);
  const goesOn = stringIn(config, context, 'on_error') === 'continue';
  return state => {
    const filling: Filling = { state, notes: [] };
    const url = fill(filling);
    const notes = [...filling.notes, ...(typeof url === 'string' ? [{ kind: 'sent', url } as const] : [])];
    const ending = {
      outcome: { kind: 'forwarded', status: undefined, action: 'forward-internal' } as const,
      ...{ state, to: url },
    };
    if (!goesOn) return { kind: 'ends', ending, notes };
    const needs = ['whether the internal endpoint is reachable'];
    const opaqueNote = { kind: 'opaque', reason: 'recordings do not show whether an endpoint is reachable' } as const;
    const left = withUnknownResults(state, context.results, needs);
    return { kind: 'may-end', ending, state: left, needs, notes: [...notes, opaqueNote] };
  };
};

/** Effects of actions whose result no recording contains. */
export const OPAQUE_EFFECTS = {
  'ai-gateway': aiGateway,
  'owasp-crs-request': coreRulesForRequests,
  'owasp-crs-response': coreRulesForResponses,
  'forward-internal': forwardInternal,
  'http-request': httpRequest,
  oauth,
  'openid-connect': openidConnect,
  saml,
} as const satisfies Effects;
