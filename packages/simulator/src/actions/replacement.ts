/** Find and replace with patterns and templates, as `url-rewrite`, `redirect` and actions on bodies do it. */
import { Unknown } from '@tollgate/cel';
import { type FindMatches, replaceAll } from '@tollgate/policy';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { expandVariables } from '../exchange-state/url.ts';
import { type ActionConfig, type ActionContext, fieldOf, stringOr } from './effect.ts';
import { expressionText, type Filling, type FillText, joinParts, partsOf, prepareExpressions } from './fill-text.ts';

/** A string after replacement, and the matches that were replaced. */
export interface Replaced {
  readonly text: string;
  readonly matches: readonly string[];
}

/** Replaces matches in a string; returns undefined if the interpolated pattern is invalid. */
export type Replace = (text: string, filling: Filling) => Replaced | Unknown | undefined;

/**
 * Prepares the replacement configured by `from` and `to`: expressions are interpolated first, then variables; then the pattern is applied to
 * the whole string and capture groups are expanded.
 */
export function prepareReplacement(config: ActionConfig, context: ActionContext): Replace {
  const findIn = preparePattern(config, context);
  const template = prepareTemplateText(stringOr(config.to, ''), context);
  return (text, filling) => {
    const find = findIn(filling);
    const to = template(filling);
    if (find === undefined || find instanceof Unknown) return find;
    if (to instanceof Unknown) return to;
    const matches: string[] = [];
    const noting: FindMatches = function* noting(subject) {
      for (const match of find(subject)) {
        matches.push(subject.slice(match.start, match.end));
        yield match;
      }
    };
    return { text: replaceAll(text, noting, to), matches };
  };
}

type FindIn = (filling: Filling) => FindMatches | Unknown | undefined;

function preparePattern({ from }: ActionConfig, context: ActionContext): FindIn {
  if (typeof from !== 'string') return () => findWhole;
  const hasExpressions = partsOf(from, context.switches.interpolationEscape).length > 1;
  if (!hasExpressions || !hasInterpolation(context, 'from')) {
    const find = context.find(from);
    return () => find;
  }
  const fill = prepareExpressions(from, context);
  const findAny = context.findAny();
  return filling => {
    const pattern = fill(filling);
    return pattern instanceof Unknown ? pattern : validOrNone(pattern, findAny);
  };
}

function validOrNone(pattern: string, find: ActionContext['find']): FindMatches | undefined {
  try {
    return find(pattern);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The default if no pattern is configured. */
const findWhole: FindMatches = text => [
  { start: 0, end: text.length, group: number => (number === 0 ? text : undefined), named: () => undefined },
];

/** Actions on bodies have nested fields, all of which may contain expressions. */
function hasInterpolation(context: ActionContext, name: string): boolean {
  const field = fieldOf(context, name);
  return field === undefined || field.interpolation !== undefined;
}

/** Prepares the replacement string before capture groups are expanded. */
function prepareTemplateText(to: string, context: ActionContext): FillText {
  const interpolation = fieldOf(context, 'to')?.interpolation ?? 'captures-and-expressions';
  const { switches } = context;
  const hasVariables = interpolation.includes('request');
  const variables = (text: string): FillText => {
    if (!hasVariables) return () => text;
    return ({ state }) => withVariables(text, state, switches);
  };
  if (!interpolation.endsWith('expressions')) return variables(to);
  const parts = partsOf(to, switches.interpolationEscape).map(part =>
    part.kind === 'text' ? variables(part.text) : guarded(expressionText(part.text, context), switches),
  );
  return filling => joinParts(parts, part => part(filling));
}

function withVariables(text: string, { request }: TrafficState, switches: ActionContext['switches']): string | Unknown {
  const { url, originalUrl } = request;
  if (url instanceof Unknown) return text.includes('$') ? url : text;
  const source = switches.requestVariables === 'original-url' ? originalUrl : url;
  return expandVariables(text, source, switches.dollarsOfRequest);
}

/** Dollar signs in interpolated values, which clients may have sent, are not expanded. */
function guarded(fill: FillText, { dollarsOfRequest }: ActionContext['switches']): FillText {
  if (dollarsOfRequest === 'expanded') return fill;
  return filling => {
    const text = fill(filling);
    return text instanceof Unknown ? text : text.replaceAll('$', '$$$$');
  };
}
