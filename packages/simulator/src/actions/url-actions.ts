/** Actions on URLs: `url-rewrite` and `redirect`. */
import { Unknown } from '@tollgate/cel';
import { type NamedValues, type TrafficState, withResults, withUrl } from '../exchange-state/traffic-state.ts';
import { prepareHeaders } from './answers.ts';
import { answered, type Effect, type Effects, numberIn, type PrepareAction } from './effect.ts';
import type { Filling } from './fill-text.ts';
import { prepareReplacement, type Replaced } from './replacement.ts';

/** Replaces matches in the URL that the upstream is asked for. */
export const urlRewrite: PrepareAction = (config, context) => {
  const replace = prepareReplacement(config, context);
  const { prefix } = context.results;
  return state => {
    const { url } = state.request;
    const filling: Filling = { state, notes: [] };
    const replaced = url instanceof Unknown ? url : replace(url, filling);
    const { notes } = filling;
    if (replaced instanceof Unknown) {
      const left = { matches: replaced, url: replaced };
      return { kind: 'continues', state: withResults(withUrl(state, replaced), prefix, left), notes };
    }
    if (replaced === undefined) {
      return { kind: 'continues', state: withResults(state, prefix, BAD_PATTERN), idle: true, notes };
    }
    const left = withResults(state, prefix, resultsOf(replaced));
    if (replaced.text === url) return { kind: 'continues', state: left, idle: true, notes };
    return { kind: 'continues', state: withUrl(left, replaced.text), notes };
  };
};

/** If the URL stays the same, there is no redirect and the next action runs. */
export const redirect: PrepareAction = (config, context) => {
  const replace = prepareReplacement(config, context);
  const headersOf = prepareHeaders(config, context);
  const status = numberIn(config, context, 'status_code');
  const { prefix } = context.results;
  const ending = (state: TrafficState, filling: Filling, location: string | Unknown) => {
    const headers = { ...headersOf(filling), [context.dialect.headerKey('location')]: [location] };
    return answered(state, { kind: 'redirected', status, action: 'redirect', headers }, context);
  };
  return (state): Effect => {
    const { url } = state.request;
    const filling: Filling = { state, notes: [] };
    const { notes } = filling;
    const replaced = url instanceof Unknown ? url : replace(url, filling);
    if (replaced instanceof Unknown) {
      const left = withResults(state, prefix, { matches: replaced, url: replaced });
      return {
        kind: 'may-end',
        ending: ending(left, filling, replaced),
        state: left,
        needs: replaced.attributes,
        notes,
      };
    }
    if (replaced === undefined) {
      return { kind: 'continues', state: withResults(state, prefix, BAD_PATTERN), idle: true, notes };
    }
    const left = withResults(state, prefix, resultsOf(replaced));
    return replaced.text === url
      ? { kind: 'continues', state: left, idle: true, notes }
      : { kind: 'ends', ending: ending(left, filling, replaced.text), notes };
  };
};

function resultsOf({ text, matches }: Replaced): NamedValues {
  return { matches, url: text };
}

const BAD_PATTERN: NamedValues = {
  'error.code': '',
  'error.message': 'not a valid RE2 pattern',
};

/** Effects of actions that replace parts of the URL. */
export const URL_EFFECTS = {
  redirect,
  'url-rewrite': urlRewrite,
} as const satisfies Effects;
