/** What an action does to an exchange, as data; and readers of configuration that effects share. */
import type { ActionFact, ConfigField, EvaluationContext, Phase, ProfileSwitches, Sample } from '@tollgate/catalog';
import type { EvaluationError } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import type { FindMatches, OUTCOMES } from '@tollgate/policy';
import type { CredentialVerdict } from '@tollgate/traffic';
import type { Dialect } from '../exchange-state/dialect.ts';
import type { HeaderMap } from '../exchange-state/headers.ts';
import { type Known, MADE, type TrafficState, withResults } from '../exchange-state/traffic-state.ts';
import type { StateExpression } from '../variables/expression.ts';
import type { LimitSession } from './limit-counters.ts';

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
  /** The URL of the internal endpoint that the traffic is forwarded to; undefined if it is not. */
  readonly to?: Known<string>;
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
  /** What was found out about a signature, by the key of the verdict. */
  | { readonly kind: 'verified'; readonly key: string; readonly verdict: CredentialVerdict }
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
  readonly session: LimitSession | undefined;
  /** The inputs that would settle whether the action runs; empty if it does. */
  readonly needs: readonly string[];
}

export type RunAction = (state: TrafficState, moment: Moment) => Effect;

/** An action's configuration as written, after checking. */
export interface ActionConfig {
  readonly [key: string]: Sample | undefined;
}

/** The switches of a profile that effects read. */
type EffectSwitches = Pick<
  ProfileSwitches,
  'dollarsOfRequest' | 'interpolationEscape' | 'requestVariables' | 'responsePhaseAfterAnswer'
>;

/** The context of an action: where it is, and what it may use. */
export interface ActionContext {
  readonly fact: ActionFact;
  readonly place: EvaluationContext;
  readonly side: Side;
  readonly switches: EffectSwitches;
  readonly dialect: Dialect;
  readonly results: ResultNames;
  /** Compiles an expression over the variables of the context; `text` converts a scalar result to a string. */
  readonly compile: (source: string, as?: 'text') => StateExpression;
  /** Like `compile`, for an expression that a trace should not show because it follows from others. */
  readonly compileUntraced: (source: string) => StateExpression;
  /** Returns what finds the matches of a pattern. Throws a `RangeError` if it is invalid. */
  readonly find: (pattern: string) => FindMatches;
  /** Returns the same for patterns that are known only while the action runs. */
  readonly findAny: () => (pattern: string) => FindMatches;
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

/** A response that the edge creates. */
interface Answer {
  readonly kind: OutcomeKind;
  readonly action: string;
  readonly status: number | undefined;
  /** Names in the form of the profile's header maps. */
  readonly headers?: HeaderMap;
  readonly body?: Known<string>;
}

/** Returns the ending with a response of the edge, or with a closed connection if there can be no response. */
export function answered(state: TrafficState, answer: Answer, context: Pick<ActionContext, 'place' | 'side'>): Ending {
  const { kind, action, status, headers = {}, body = '' } = answer;
  if (!hasResponse(context)) return closed(state, action);
  const outcome = { kind, status, action };
  const response = { status: status ?? state.response.status, headers, body, changes: MADE };
  return { outcome, state: { ...state, response } };
}

/** Returns the ending with a closed connection. */
export function closed(state: TrafficState, action: string): Ending {
  return { outcome: { kind: 'closed', status: undefined, action }, state };
}

/** The note of an action that would have refused the traffic if it were enforced. */
export const NOT_ENFORCED: readonly Note[] = [{ kind: 'not-enforced' }];

/** What an opaque action leaves undetermined. */
interface OpaqueRefusal {
  readonly ending: Ending;
  readonly state: TrafficState;
  readonly needs: readonly string[];
  /** Completes "not known, because …". */
  readonly reason: string;
  /** If false, traffic passes whatever the action finds. */
  readonly enforces: boolean;
}

/** Returns the effect of an action that may refuse the traffic, if the recording does not show whether it does. */
export function mayRefuse({ ending, state, needs, reason, enforces }: OpaqueRefusal): Effect {
  const notes: readonly Note[] = [{ kind: 'opaque', reason }];
  if (!enforces) return { kind: 'continues', state, notes };
  return { kind: 'may-end', ending, state, needs: [...new Set(needs)].sort(), notes };
}

/** Returns the state in which the results of an action are unknown, including whether they exist. */
export function withUnknownResults(
  state: TrafficState,
  { prefix, names }: ResultNames,
  needs: readonly string[],
): TrafficState {
  if (prefix === undefined) return state;
  const unknown = new UnknownPresence(needs);
  return withResults(state, prefix, Object.fromEntries(names.map(name => [name, unknown])));
}

// Configurations are checked before they run, so a value of another type is treated as missing: null means the default.

/** Returns a number in the configuration, or its default in the catalog. */
export function numberIn(config: ActionConfig, context: ActionContext, name: string): number {
  const written = config[name];
  const otherwise = fieldOf(context, name)?.default;
  return typeof written === 'number' ? written : Number(otherwise ?? 0);
}

/** Returns a boolean in the configuration, or its default in the catalog. */
export function isSet(config: ActionConfig, context: ActionContext, name: string): boolean {
  const written = config[name];
  return typeof written === 'boolean' ? written : fieldOf(context, name)?.default === true;
}

/** Returns a string in the configuration, or its default in the catalog. */
export function stringIn(config: ActionConfig, context: ActionContext, name: string): string {
  return stringOr(config[name], stringOr(fieldOf(context, name)?.default, ''));
}

/** Returns the catalog's description of a key. */
export function fieldOf({ fact }: Pick<ActionContext, 'fact'>, name: string): ConfigField | undefined {
  return fact.config.find(field => field.name === name);
}

export function stringOr(value: Sample | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

export function stringsOf(value: Sample | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter(member => typeof member === 'string') : [];
}

export function entriesOf(value: Sample | undefined): readonly (readonly [string, Sample])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** Returns the value at a path of keys; undefined if there is none. */
export function valueAt(value: Sample | undefined, ...keys: readonly string[]): Sample | undefined {
  let at = value;
  for (const key of keys) at = new Map(entriesOf(at)).get(key);
  return at;
}
