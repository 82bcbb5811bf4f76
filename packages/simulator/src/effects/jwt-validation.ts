import type { Sample } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { firstHeader } from '../message/header-map.ts';
import { answered } from './answer.ts';
import { textOr, valueAt } from './config.ts';
import type { ActionContext, Effect, PrepareAction } from './effect.ts';
import { prepareExpressions } from './fill-text.ts';
import type { Filling, FillText } from './filling.ts';
import { mayRefuse, withUnknownResults } from './refusal.ts';

/**
 * Opaque where it matters: whether a token is valid hangs on the keys of its issuer and on the time, neither of which is recorded. What
 * is known: all tokens must be there, so a request that lacks one is refused.
 */
export const jwtValidation: PrepareAction = (config, context) => {
  const listed = valueAt(config.http, 'tokens');
  const tokens = (Array.isArray(listed) ? listed : []).map(token => prepareToken(token, context));
  return (state): Effect => {
    const filling: Filling = { state, notes: [] };
    const found = tokens.map(find => find(filling));
    const unknown = found.flatMap(token => (token instanceof Unknown ? token.attributes : []));
    const needs = unknown.length > 0 ? unknown : ['the keys that tokens are verified with'];
    const left = withUnknownResults(state, context.results, needs);
    const ending = answered(left, { kind: 'refused', status: 401, action: 'jwt-validation' }, context);
    if (found.includes(undefined)) return { kind: 'ends', ending, notes: filling.notes };
    return mayRefuse({ ending, state: left, needs, reason: 'keys are fetched by the edge', enforces: true });
  };
};

const BODY_UNKNOWN = new Unknown(['the body of the request']);

/** Gives the token; undefined when the request does not have it. */
type FindToken = (filling: Filling) => string | Unknown | undefined;

function prepareToken(token: Sample, context: ActionContext): FindToken {
  if (valueAt(token, 'method') === 'body') return () => BODY_UNKNOWN;
  const [nameOf, prefixOf] = [textAt(token, 'name', context), textAt(token, 'prefix', context)];
  return filling => {
    const [name, prefix] = [nameOf(filling), prefixOf(filling)];
    if (name instanceof Unknown) return name;
    const value = firstHeader(filling.state.request.headers, context.dialect.headerKey(name));
    if (typeof value !== 'string') return value;
    if (prefix instanceof Unknown) return prefix;
    return value.startsWith(prefix) && value.length > prefix.length ? value : undefined;
  };
}

/** Expressions are filled in where the dialect has them, which the escape tells: the catalog says so of whole fields only. */
function textAt(token: Sample, key: string, context: ActionContext): FillText {
  const text = textOr(valueAt(token, key), '');
  return context.switches.interpolationEscape === 'none' ? () => text : prepareExpressions(text, context);
}
