import type { EndpointKind, Phase, ProfileSwitches, Sample } from '@tollgate/catalog';
import type { NonValue, Value } from '@tollgate/cel';
import type { TrafficState } from '../decide/traffic-state.ts';

/** What becomes of an exchange. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** Of the response that the edge gives; undefined where it gives none, or passes the upstream's on. */
  readonly status: number | undefined;
  /** The action that made it so; undefined for traffic that passed. */
  readonly action: string | undefined;
}

/**
 * `passed`: the upstream answered, and its response went out. `denied`: refused by `deny`. `refused`: by an action that lets some
 * pass. `answered`: by the edge, in place of the upstream. `replaced`: the upstream answered, the edge sent another response.
 * `closed`: the connection was, without a response.
 * `failed`: an expression did, and with it the request.
 */
export type OutcomeKind =
  | 'passed'
  | 'denied'
  | 'refused'
  | 'answered'
  | 'redirected'
  | 'replaced'
  | 'closed'
  | 'failed';

/** What running an action does. */
export type Effect =
  /** The next action runs. The state is the same object when nothing changed; `idle`: there was nothing for the action to do. */
  | { readonly kind: 'continues'; readonly state: TrafficState; readonly idle?: boolean }
  | { readonly kind: 'ends'; readonly outcome: Outcome }
  /** It is not known which. `state` is that of going on, `needs` would tell. */
  | {
      readonly kind: 'may-end';
      readonly outcome: Outcome;
      readonly state: TrafficState;
      readonly needs: readonly string[];
    };

export type RunAction = (state: TrafficState) => Effect;

/** An action's configuration, as written; checked before. */
export interface ActionConfig {
  readonly [key: string]: Sample | undefined;
}

/** Where an action stands, and what it may use. */
export interface ActionContext {
  readonly endpoint: EndpointKind;
  readonly phase: Phase;
  readonly switches: ProfileSwitches;
  /** Compiles an expression over the variables of the place. */
  readonly compile: (source: string) => (state: TrafficState) => Value | NonValue;
}

/** Makes an action ready to run. */
export type PrepareAction = (config: ActionConfig, context: ActionContext) => RunAction;

/** The traffic as a refusal leaves it: on TLS and TCP there is no response, only a closed connection. */
export function refusal(outcome: Outcome, context: ActionContext): Outcome {
  if (context.endpoint === 'https-route') return outcome;
  return { kind: 'closed', status: undefined, action: outcome.action };
}
