import { Unknown } from '@tollgate/cel';
import { withUrl } from '../decide/traffic-state.ts';
import { expandVariables } from '../url/expand-variables.ts';
import { findWithRe2 } from '../url/find-with-re2.ts';
import { replaceAll } from '../url/replace-all.ts';
import { intOr, textOr } from './config.ts';
import type { ActionConfig, PrepareAction } from './effect.ts';

export const urlRewrite: PrepareAction = config => {
  const rewrite = replacementOf(config);
  return state => {
    const { url } = state.request;
    if (url instanceof Unknown) return { kind: 'continues', state: withUrl(state, url) };
    const rewritten = rewrite(url);
    if (rewritten === url) return { kind: 'continues', state, idle: true };
    return { kind: 'continues', state: withUrl(state, rewritten) };
  };
};

/** When the URL stays as it is nothing is sent, and the next action runs. */
export const redirect: PrepareAction = config => {
  const rewrite = replacementOf(config);
  const status = intOr(config.status_code, 302);
  const outcome = { kind: 'redirected', status, action: 'redirect' } as const;
  return state => {
    const { url } = state.request;
    if (url instanceof Unknown) return { kind: 'may-end', outcome, state, needs: url.attributes };
    return rewrite(url) === url ? { kind: 'continues', state, idle: true } : { kind: 'ends', outcome };
  };
};

/** Variables are put in first, then the pattern is applied to the whole URL. */
function replacementOf(config: ActionConfig): (url: string) => string {
  const find = findWithRe2(textOr(config.from, ''));
  const to = textOr(config.to, '');
  return url => replaceAll(url, find, expandVariables(to, url));
}
