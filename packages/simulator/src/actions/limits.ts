/** Actions that count: `rate-limit` and `circuit-breaker`. */
import { EvaluationError, toHost, Unknown, type Value } from '@tollgate/cel';
import { durationSeconds } from '@tollgate/policy';
import { type Counter, type TrafficState, withResults } from '../exchange-state/traffic-state.ts';
import type { StateExpression } from '../variables/expression.ts';
import {
  type ActionConfig,
  type ActionContext,
  answered,
  type Effect,
  type Effects,
  mayRefuse,
  NOT_ENFORCED,
  type Note,
  numberIn,
  type PrepareAction,
  stringIn,
  stringsOf,
} from './effect.ts';
import {
  type BreakerSettings,
  CircuitBreaker,
  type LimitSession,
  SlidingWindow,
  type WindowSettings,
} from './limit-counters.ts';

/** Simulates one server of the edge with counters that start at zero. Without a session, the counters are unknown. */
export const rateLimit: PrepareAction = (config, context) => {
  const settings: WindowSettings = {
    windowMs: durationIn(config, context, 'rate'),
    capacity: numberIn(config, context, 'capacity'),
  };
  const keys = stringsOf(config.bucket_key).map(source => context.compile(source));
  const enforces = config.enforce !== false;
  const limit = JSON.stringify(['rate-limit', settings, enforces]);
  const unknownCounters = [`the counters of the rate limit \`${stringIn(config, context, 'name')}\``];
  const refusal = (state: TrafficState, retryAfterMs: number) => {
    const headers = { [context.dialect.headerKey('retry-after')]: [String(Math.ceil(retryAfterMs / 1000))] };
    return answered(state, { kind: 'refused', status: 429, action: 'rate-limit', headers }, context);
  };
  return (state, { session, needs: before }): Effect => {
    const key = keyOf(keys, state);
    const counted = withCounter(state, { limit: key instanceof Unknown ? JSON.stringify(config) : limit, key });
    if (session === undefined) {
      const left = withBucket(counted, context, { key, limited: new Unknown(unknownCounters) });
      const ending = answered(left, { kind: 'refused', status: 429, action: 'rate-limit' }, context);
      return mayRefuse({ ending, state: left, needs: unknownCounters, reason: ALONE, enforces });
    }
    const isKnown = typeof key === 'string';
    const verdict = session
      .counterOf(settings, SlidingWindow)
      .take(isKnown ? key : undefined, session.now, before.length === 0);
    const needs = openNeeds(key, session);
    const limited = verdict.kind === 'open' ? new Unknown(needs) : verdict.kind === 'limited';
    const left = withBucket(counted, context, { key, limited });
    const notes: Note[] = isKnown ? [{ kind: 'counted', key, ...verdict.counted }] : [];
    if (!enforces && verdict.kind !== 'passes') notes.push(...NOT_ENFORCED);
    if (!enforces || verdict.kind === 'passes') return { kind: 'continues', state: left, notes, idle: true };
    const ending = refusal(left, verdict.retryAfterMs);
    return verdict.kind === 'limited'
      ? { kind: 'ends', ending, notes }
      : { kind: 'may-end', ending, state: left, needs, notes };
  };
};

const ALONE = 'exchanges are decided individually';

function openNeeds(key: string | Unknown, { now, orderFault }: LimitSession): readonly string[] {
  if (key instanceof Unknown) return key.attributes;
  if (orderFault !== undefined) return [orderNeed(orderFault)];
  return now === undefined ? ['the time of the exchange'] : ['the decisions on earlier requests'];
}

/** What is needed if exchanges may be out of order. */
function orderNeed(fault: string): string {
  return `the order of the exchanges (${fault})`;
}

/** Joins the values into one string. A value that fails, such as that of an absent header, is empty. */
function keyOf(keys: readonly StateExpression[], state: TrafficState): string | Unknown {
  const parts: unknown[] = [];
  for (const { evaluate } of keys) {
    const value = evaluate(state);
    if (value instanceof Unknown) return value;
    parts.push(value instanceof EvaluationError ? '' : toHost(value as Value));
  }
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : JSON.stringify(parts, bigintText);
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function withBucket(
  state: TrafficState,
  { results }: ActionContext,
  { key, limited }: { readonly key: string | Unknown; readonly limited: boolean | Unknown },
): TrafficState {
  return withResults(state, results.prefix, { bucket_key: key, limited });
}

function withCounter(state: TrafficState, counter: Counter): TrafficState {
  return { ...state, counters: [...state.counters, counter] };
}

function durationIn(config: ActionConfig, context: ActionContext, name: string): number {
  return Math.round(1000 * (durationSeconds(stringIn(config, context, name)) ?? 0));
}

/** Counts responses with status 500 and above as errors. Without a session, whether it has tripped is unknown. */
export const circuitBreaker: PrepareAction = (config, context) => {
  const settings: BreakerSettings = {
    windowMs: durationIn(config, context, 'window_duration'),
    buckets: numberIn(config, context, 'num_buckets'),
    trippedMs: durationIn(config, context, 'tripped_duration'),
    volumeThreshold: numberIn(config, context, 'volume_threshold'),
    errorThreshold: numberIn(config, context, 'error_threshold'),
  };
  const enforces = config.enforce !== false;
  return prepareBreaker(settings, enforces, context);
};

/** Returns the effect of a circuit breaker for settings from elsewhere. */
export function prepareBreaker(
  settings: BreakerSettings,
  enforces: boolean,
  context: Pick<ActionContext, 'place' | 'side'>,
): ReturnType<PrepareAction> {
  const limit = JSON.stringify(['circuit-breaker', settings, enforces]);
  return (before, { session, needs: earlier }): Effect => {
    const state = withCounter(before, { limit, key: '' });
    const ending = answered(state, { kind: 'refused', status: 503, action: 'circuit-breaker' }, context);
    const needs = [
      session === undefined
        ? 'whether the circuit breaker has tripped'
        : session.orderFault === undefined
          ? 'the decisions on earlier requests'
          : orderNeed(session.orderFault),
    ];
    if (session === undefined) return mayRefuse({ ending, state, needs, reason: ALONE, enforces });
    const breaker = session.counterOf(settings, CircuitBreaker);
    const admission = session.orderFault === undefined ? breaker.admit(session.now) : 'open';
    const isCertain = earlier.length === 0 && admission === 'passes';
    if (admission !== 'refused' || !enforces) session.await(breaker, isCertain);
    if (admission === 'passes') return { kind: 'continues', state, idle: true };
    if (!enforces) return { kind: 'continues', state, idle: true, notes: NOT_ENFORCED };
    return admission === 'refused' ? { kind: 'ends', ending } : { kind: 'may-end', ending, state, needs };
  };
}

/** Effects of actions that limit traffic. */
export const LIMIT_EFFECTS = {
  'circuit-breaker': circuitBreaker,
  'rate-limit': rateLimit,
} as const satisfies Effects;
