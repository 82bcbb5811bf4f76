import type { ProfileSwitches } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { withUrl } from '../decide/traffic-state.ts';
import { expandVariables } from '../url/expand-variables.ts';
import { findWithRe2 } from '../url/find-with-re2.ts';
import { replaceAll } from '../url/replace-all.ts';
import { intOr, textOr } from './config.ts';
import type { ActionConfig, PrepareAction } from './effect.ts';

export const urlRewrite: PrepareAction = (config, { switches }) => {
  const rewrite = replacementOf(config, switches);
  return state => {
    const { url } = state.request;
    if (url instanceof Unknown) return { kind: 'continues', state: withUrl(state, url) };
    const rewritten = rewrite(url, state.request.originalUrl);
    if (rewritten === url) return { kind: 'continues', state, idle: true };
    return { kind: 'continues', state: withUrl(state, rewritten) };
  };
};

/** When the URL stays as it is nothing is sent, and the next action runs. */
export const redirect: PrepareAction = (config, { switches }) => {
  const rewrite = replacementOf(config, switches);
  const status = intOr(config.status_code, 302);
  const outcome = { kind: 'redirected', status, action: 'redirect' } as const;
  return state => {
    const { url } = state.request;
    if (url instanceof Unknown) return { kind: 'may-end', outcome, state, needs: url.attributes };
    return rewrite(url, state.request.originalUrl) === url
      ? { kind: 'continues', state, idle: true }
      : { kind: 'ends', outcome };
  };
};

/** Variables are put in first, then the pattern is applied to the whole URL. */
function replacementOf(config: ActionConfig, switches: ProfileSwitches): (url: string, original: string) => string {
  const find = findWithRe2(textOr(config.from, ''));
  const to = textOr(config.to, '');
  const ofOriginal = switches.requestVariables === 'original-url';
  return (url, original) =>
    replaceAll(url, find, expandVariables(to, ofOriginal ? original : url, switches.dollarsOfRequest));
}
