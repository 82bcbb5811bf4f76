import { Unknown } from '@tollgate/cel';
import { firstHeader } from '../../message/header-map.ts';
import { type Known, withResults } from '../../state/traffic-state.ts';
import { answered } from '../model/answer.ts';
import { isSet, stringIn, stringsOf } from '../model/config.ts';
import type { Effect, PrepareAction } from '../model/effect.ts';
import { prepareText } from '../model/fill-text.ts';
import { type Filling, type FillText, joinParts } from '../model/filling.ts';
import { NOT_ENFORCED } from '../model/refusal.ts';

/** Admits requests with one of the credentials, compared exactly (RFC 7617). */
export const basicAuth: PrepareAction = (config, context) => {
  const credentials = stringsOf(config.credentials).map(text => prepareText(text, 'credentials', context));
  const realm = stringIn(config, context, 'realm');
  const enforces = isSet(config, context, 'enforce');
  const { headerKey } = context.dialect;
  const challenge = { [headerKey('www-authenticate')]: [`Basic realm="${realm.replaceAll(/["\\]/g, '\\$&')}"`] };
  return (state): Effect => {
    const filling: Filling = { state, notes: [] };
    const presented = presentedIn(firstHeader(state.request.headers, headerKey('authorization')));
    const authorized = isAmong(presented, credentials, filling);
    const left = withResults(state, context.results.prefix, {
      'credentials.presented': presented instanceof Unknown ? presented : presented !== undefined,
      'credentials.username': presented instanceof Unknown ? presented : (presented ?? '').replace(/:[\s\S]*$/, ''),
      'credentials.authorized': authorized,
    });
    const answer = { kind: 'refused', status: 401, action: 'basic-auth', headers: challenge } as const;
    const ending = answered(left, answer, context);
    const { notes } = filling;
    if (!enforces) return { kind: 'continues', state: left, notes: authorized === false ? NOT_ENFORCED : notes };
    if (authorized === true) return { kind: 'continues', state: left, idle: true, notes };
    if (authorized === false) return { kind: 'ends', ending, notes };
    return { kind: 'may-end', ending, state: left, needs: authorized.attributes, notes };
  };
};

/** Returns the user and password in the header; undefined if it has none that can be decoded. */
function presentedIn(header: Known<string> | undefined): Known<string> | undefined {
  if (typeof header !== 'string') return header;
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text : undefined;
}

function isAmong(
  presented: Known<string> | undefined,
  credentials: readonly FillText[],
  filling: Filling,
): Known<boolean> {
  if (presented === undefined) return false;
  if (presented instanceof Unknown) return presented;
  const texts = credentials.map(fill => fill(filling));
  if (texts.includes(presented)) return true;
  const unknown = joinParts(texts, text => text);
  return unknown instanceof Unknown ? unknown : false;
}
