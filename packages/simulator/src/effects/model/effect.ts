import type { ActionFact, EvaluationContext, Phase, ProfileSwitches, Sample } from '@tollgate/catalog';
import type { EvaluationError } from '@tollgate/cel';
import type { OUTCOMES } from '@tollgate/policy';
import type { Dialect } from '../../message/dialect.ts';
import type { Session } from '../../session/session.ts';
import type { TrafficState } from '../../state/traffic-state.ts';
import type { StateExpression } from '../../values/compile-expression.ts';

/** What becomes of an exchange. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** Of the response that the edge gives; undefined where it gives none, or passes the upstream's on. */
  readonly status: number | undefined;
  /** The action that made it so; undefined for traffic that passed. */
  readonly action: string | undefined;
}

/** What each means is in {@link OUTCOMES}. */
export type OutcomeKind = keyof typeof OUTCOMES;

/** An end of the evaluation, and the traffic as it is then: its response is what the client is sent. */
export interface Ending {
  readonly outcome: Outcome;
  readonly state: TrafficState;
}

/** What is worth telling of an action's run beside what it changed. */
export type Note =
  /** What goes into the event that is written for the traffic. */
  | { readonly kind: 'logged'; readonly metadata: unknown }
  /** An expression in the configuration failed: nothing was filled in for it. */
  | { readonly kind: 'failed'; readonly error: EvaluationError }
  /** What the action does hangs on what no recording holds, completing "not known, because …". */
  | { readonly kind: 'opaque'; readonly reason: string }
  /** Whether it lets the client's address pass, and the range that decides; undefined where no range of `allow` holds it. */
  | { readonly kind: 'admission'; readonly verdict: 'allow' | 'deny'; readonly range: string | undefined }
  /** A token that cannot be valid, whoever signed it; completing "the token is refused: …". */
  | { readonly kind: 'invalid-token'; readonly reason: string }
  /** None of the headers is there of which a signed request has one. */
  | { readonly kind: 'unsigned'; readonly headers: readonly string[] }
  /** It would have refused, were it told to enforce. */
  | { readonly kind: 'not-enforced' }
  /** Where the traffic is handed to, or who is asked. */
  | { readonly kind: 'sent'; readonly url: string }
  /** How many requests its limit has counted for the key, this one included if it may pass; bounds. */
  | { readonly kind: 'counted'; readonly key: string; readonly least: number; readonly most: number };

/** What running an action does. */
export type Effect = { readonly notes?: readonly Note[] } & (
  | {
      /** The next action runs. The state is the same object when nothing changed; `idle`: there was nothing for the action to do. */
      readonly kind: 'continues';
      readonly state: TrafficState;
      readonly idle?: boolean;
    }
  | { readonly kind: 'ends'; readonly ending: Ending }
  | {
      /** It is not known which. `state` is that of going on, `needs` would tell. */
      readonly kind: 'may-end';
      readonly ending: Ending;
      readonly state: TrafficState;
      readonly needs: readonly string[];
    }
);

/** What an action may know beside the state. */
export interface Moment {
  /** Counters that live longer than the exchange; undefined where exchanges are decided one by one. */
  readonly session: Session | undefined;
  /** What would tell whether the action runs at all; none when it does. */
  readonly needs: readonly string[];
}

export type RunAction = (state: TrafficState, moment: Moment) => Effect;

/** An action's configuration, as written; checked before. */
export interface ActionConfig {
  readonly [key: string]: Sample | undefined;
}

/** Where an action stands, and what it may use. */
export interface ActionContext {
  readonly fact: ActionFact;
  readonly place: EvaluationContext;
  readonly side: Side;
  readonly switches: ProfileSwitches;
  readonly dialect: Dialect;
  readonly results: ResultNames;
  /** Compiles an expression over the variables of the place; `text`: a scalar, for the text that CEL makes of it. */
  readonly compile: (source: string, as?: 'text') => StateExpression;
  /** As `compile`, for what a trace is not to show: it follows from what it shows. */
  readonly compileUntraced: (source: string) => StateExpression;
}

/** What expressions can read of an action that has run. */
export interface ResultNames {
  /** `actions.ngrok.rate_limit`; undefined where there is nothing to read. */
  readonly prefix: string | undefined;
  /** Below the prefix: `limited`, `error.code`. */
  readonly names: readonly string[];
}

/** Makes an action ready to run. */
export type PrepareAction = (config: ActionConfig, context: ActionContext) => RunAction;

/** Effects by action type. */
export type Effects = Readonly<Record<string, PrepareAction>>;

/** What rules of a phase deal with. */
export type Side = 'connection' | 'request' | 'response' | 'events';

export const SIDES: Readonly<Record<Phase, Side>> = {
  inbound: 'request',
  outbound: 'response',
  on_tcp_connect: 'connection',
  on_http_request: 'request',
  on_http_response: 'response',
  on_event_stream_message: 'events',
};

const HTTP_ENDPOINTS: ReadonlySet<EvaluationContext['endpoint']> = new Set([
  'https-route',
  'http-endpoint',
  'cloud-endpoint',
  'internal-http-endpoint',
] as const);

/** Whether what is refused gets a response: on TLS and TCP, and before there is a request, the connection is closed instead. */
export function hasResponse({ place, side }: Pick<ActionContext, 'place' | 'side'>): boolean {
  return HTTP_ENDPOINTS.has(place.endpoint) && side !== 'connection';
}
