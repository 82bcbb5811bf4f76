import type { Sample } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import type { TrafficState } from '../decide/traffic-state.ts';
import { firstHeader } from '../message/header-map.ts';
import { textOr, valueAt } from './config.ts';
import type { Effect, PrepareAction } from './effect.ts';

const OUTCOME = { kind: 'refused', status: 401, action: 'jwt-validation' } as const;

/**
 * Opaque where it matters: whether a token is valid hangs on the keys of its issuer and on the time, neither of which is recorded. What
 * is known: all tokens must be there, so a request that lacks one is refused.
 */
export const jwtValidation: PrepareAction = config => {
  const listed = valueAt(config.http, 'tokens');
  const tokens = Array.isArray(listed) ? listed : [];
  return (state): Effect => {
    const found = tokens.map(token => findToken(token, state));
    if (found.includes(undefined)) return { kind: 'ends', outcome: OUTCOME };
    const unknown = found.flatMap(token => (token instanceof Unknown ? token.attributes : []));
    const needs = unknown.length > 0 ? unknown : ['the keys that tokens are verified with'];
    return { kind: 'may-end', outcome: OUTCOME, state, needs: [...new Set(needs)].sort() };
  };
};

const BODY_UNKNOWN = new Unknown(['the body of the request']);

/** The token; undefined when the request does not have it. */
function findToken(token: Sample, state: TrafficState): string | Unknown | undefined {
  if (valueAt(token, 'method') === 'body') return BODY_UNKNOWN;
  const value = firstHeader(state.request.headers, textOr(valueAt(token, 'name'), ''));
  if (typeof value !== 'string') return value;
  const prefix = textOr(valueAt(token, 'prefix'), '');
  return value.startsWith(prefix) && value.length > prefix.length ? value : undefined;
}
