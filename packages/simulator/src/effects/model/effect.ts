import type { ActionFact, EvaluationContext, Phase, ProfileSwitches, Sample } from '@tollgate/catalog';
import type { EvaluationError } from '@tollgate/cel';
import type { OUTCOMES } from '@tollgate/policy';
import type { Dialect } from '../../message/dialect.ts';
import type { Session } from '../../session/session.ts';
import type { TrafficState } from '../../state/traffic-state.ts';
import type { StateExpression } from '../../values/compile-expression.ts';

/** How an exchange ends. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** The status of the edge's own response; undefined if it sends none or passes the upstream's on. */
  readonly status: number | undefined;
  /** The action that caused it; undefined for traffic that passed. */
  readonly action: string | undefined;
}

/** {@link OUTCOMES} describes each kind. */
export type OutcomeKind = keyof typeof OUTCOMES;

/** An end of the evaluation. The response in its state is sent to the client. */
export interface Ending {
  readonly outcome: Outcome;
  readonly state: TrafficState;
}

/** Something to report about an action's run in addition to its changes. */
export type Note =
  /** Metadata for the event that is logged for the traffic. */
  | { readonly kind: 'logged'; readonly metadata: unknown }
  /** An expression in the configuration failed, and an empty string was interpolated. */
  | { readonly kind: 'failed'; readonly error: EvaluationError }
  /** The effect depends on something that no recording contains; completes "not known, because …". */
  | { readonly kind: 'opaque'; readonly reason: string }
  /** Whether the client's address is admitted, and the range that decides; undefined if no range of `allow` contains it. */
  | { readonly kind: 'admission'; readonly verdict: 'allow' | 'deny'; readonly range: string | undefined }
  /** A token that is invalid under any key; completes "the token is refused: …". */
  | { readonly kind: 'invalid-token'; readonly reason: string }
  /** The request has none of the headers that every signed request has one of. */
  | { readonly kind: 'unsigned'; readonly headers: readonly string[] }
  /** It would have refused the traffic if it were enforced. */
  | { readonly kind: 'not-enforced' }
  /** The URL to which the traffic or a request is sent. */
  | { readonly kind: 'sent'; readonly url: string }
  /** Bounds on the number of requests that the limit has counted for the key, including this one if it passes. */
  | { readonly kind: 'counted'; readonly key: string; readonly least: number; readonly most: number };

/** The effect of running an action. */
export type Effect = { readonly notes?: readonly Note[] } & (
  | {
      /** The next action runs. The state is the same object if nothing changed; `idle`: there was nothing to do. */
      readonly kind: 'continues';
      readonly state: TrafficState;
      readonly idle?: boolean;
    }
  | { readonly kind: 'ends'; readonly ending: Ending }
  | {
      /** It may have ended the evaluation. `state` is the state if it did not; `needs` are the inputs that would settle it. */
      readonly kind: 'may-end';
      readonly ending: Ending;
      readonly state: TrafficState;
      readonly needs: readonly string[];
    }
);

/** What an action may read in addition to the state. */
export interface Moment {
  /** Counters that outlive the exchange; undefined if exchanges are decided individually. */
  readonly session: Session | undefined;
  /** The inputs that would settle whether the action runs; empty if it does. */
  readonly needs: readonly string[];
}

export type RunAction = (state: TrafficState, moment: Moment) => Effect;

/** An action's configuration as written, after checking. */
export interface ActionConfig {
  readonly [key: string]: Sample | undefined;
}

/** The context of an action: where it is, and what it may use. */
export interface ActionContext {
  readonly fact: ActionFact;
  readonly place: EvaluationContext;
  readonly side: Side;
  readonly switches: ProfileSwitches;
  readonly dialect: Dialect;
  readonly results: ResultNames;
  /** Compiles an expression over the variables of the context; `text` converts a scalar result to a string. */
  readonly compile: (source: string, as?: 'text') => StateExpression;
  /** Like `compile`, for an expression that a trace should not show because it follows from others. */
  readonly compileUntraced: (source: string) => StateExpression;
}

/** The result variables of an action. */
export interface ResultNames {
  /** `actions.ngrok.rate_limit`; undefined if there are none. */
  readonly prefix: string | undefined;
  /** Relative to the prefix: `limited`, `error.code`. */
  readonly names: readonly string[];
}

/** Prepares an action to run. */
export type PrepareAction = (config: ActionConfig, context: ActionContext) => RunAction;

/** Effects by action type. */
export type Effects = Readonly<Record<string, PrepareAction>>;

/** What the rules of a phase act on. */
type Side = 'connection' | 'request' | 'response' | 'events';

/** The side of each phase. */
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

/** Returns true if refused traffic gets a response. On TLS and TCP, and before there is a request, the connection is closed instead. */
export function hasResponse({ place, side }: Pick<ActionContext, 'place' | 'side'>): boolean {
  return HTTP_ENDPOINTS.has(place.endpoint) && side !== 'connection';
}
