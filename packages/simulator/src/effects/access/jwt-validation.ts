import type { Sample } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { firstHeader } from '../../message/header-map.ts';
import { answered } from '../model/answer.ts';
import { stringOr, stringsOf, valueAt } from '../model/config.ts';
import type { ActionConfig, ActionContext, Effect, PrepareAction } from '../model/effect.ts';
import { prepareExpressions } from '../model/fill-text.ts';
import type { Filling, FillText } from '../model/filling.ts';
import { mayRefuse, withUnknownResults } from '../model/refusal.ts';
import { readToken } from './read-token.ts';

/**
 * Opaque for tokens that may be valid: that depends on the issuer's keys and on the time, which are not recorded. Requests are certainly
 * refused if a token is missing, or if its algorithm, issuer or audience is not accepted.
 */
export const jwtValidation: PrepareAction = (config, context) => {
  const listed = valueAt(config.http, 'tokens');
  const tokens = (Array.isArray(listed) ? listed : []).map(token => prepareToken(token, context));
  const types = (Array.isArray(listed) ? listed : []).map(token => stringOr(valueAt(token, 'type'), ''));
  const refuse = prepareRefusal(config, context);
  return (state): Effect => {
    const filling: Filling = { state, notes: [] };
    const found = tokens.map(find => find(filling));
    const unknown = found.flatMap(token => (token instanceof Unknown ? token.attributes : []));
    const needs = unknown.length > 0 ? unknown : ['the keys that tokens are verified with'];
    const left = withUnknownResults(state, context.results, needs);
    const ending = answered(left, { kind: 'refused', status: 401, action: 'jwt-validation' }, context);
    if (found.includes(undefined)) return { kind: 'ends', ending, notes: filling.notes };
    const reason = found
      .map((token, index) => (typeof token === 'string' ? refuse(token, types[index], filling) : undefined))
      .find(one => one !== undefined);
    if (reason !== undefined)
      return { kind: 'ends', ending, notes: [...filling.notes, { kind: 'invalid-token', reason }] };
    return mayRefuse({ ending, state: left, needs, reason: 'only the edge has the keys', enforces: true });
  };
};

const BODY_UNKNOWN = new Unknown(['the body of the request']);

/** Returns why a token is invalid under any key; undefined if it may be valid. */
type RefuseToken = (token: string, type: string | undefined, filling: Filling) => string | undefined;

function prepareRefusal(config: ActionConfig, context: ActionContext): RefuseToken {
  const algorithms = stringsOf(valueAt(config.jws, 'allowed_algorithms'));
  const [issuers, audiences] = [config.issuer, config.audience].map(list => prepareAllowed(list, context));
  return (text, type, filling) => {
    const token = readToken(text);
    // Access tokens may be opaque to all but their issuer.
    if (token === undefined) return MUST_BE_JWT.has(type ?? '') ? 'it is not a JSON Web Token' : undefined;
    const { algorithm, issuer, audiences: named } = token;
    if (algorithm === undefined || !algorithms.includes(algorithm))
      return `\`alg\` is ${shown(algorithm)}, which is not an allowed algorithm`;
    if (issuers?.(filling, issuer === undefined ? [] : [issuer]) === false)
      return `\`iss\` is ${shown(issuer)}, which is not an allowed issuer`;
    if (audiences?.(filling, named) === false)
      return `\`aud\` is ${shown(named.join(', ') || undefined)}, which is not an allowed audience`;
    return undefined;
  };
}

const MUST_BE_JWT: ReadonlySet<string> = new Set(['jwt', 'id_token', 'it+jwt', 'at+jwt']);

function shown(value: string | undefined): string {
  return value === undefined ? 'missing' : `\`${value}\``;
}

/** Returns whether one of the values is in an allow list; undefined if an unknown entry may contain it. */
type IsAllowed = (filling: Filling, values: readonly string[]) => boolean | undefined;

/** Returns undefined if all values are allowed. */
function prepareAllowed(list: Sample | undefined, context: ActionContext): IsAllowed | undefined {
  const entries = valueAt(list, 'allow_list');
  if (!Array.isArray(entries)) return undefined;
  const allowed = entries.map(entry => textAt(entry, 'value', context));
  return (filling, values) => {
    const known = allowed.map(fill => fill(filling));
    if (known.some(one => typeof one === 'string' && values.includes(one))) return true;
    return known.some(one => one instanceof Unknown) ? undefined : false;
  };
}

/** Returns the token; undefined if the request does not have it. */
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
    return value.startsWith(prefix) && value.length > prefix.length ? value.slice(prefix.length) : undefined;
  };
}

/** Interpolates in profiles that have expressions. The escape setting shows whether they do, because the catalog describes only top-level fields. */
function textAt(token: Sample, key: string, context: ActionContext): FillText {
  const text = stringOr(valueAt(token, key), '');
  return context.switches.interpolationEscape === 'none' ? () => text : prepareExpressions(text, context);
}
