/** Interpolation: strings of a configuration, filled with the values of their expressions. */
import type { Sample } from '@tollgate/catalog';
import { EvaluationError, type NonValue, toHost, Unknown, type Value } from '@tollgate/cel';
import { expressionSource, findInterpolations } from '@tollgate/policy';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { type ActionContext, fieldOf, type Note } from './effect.ts';

/** Prepares a string in the configuration for interpolation, as its field defines. */
export function prepareText(text: string, field: string, context: ActionContext): FillText {
  const interpolation = fieldOf(context, field)?.interpolation;
  if (interpolation === 'path-templates') return prepareTemplate(text, context);
  return interpolation?.endsWith('expressions') ? prepareExpressions(text, context) : () => text;
}

/** Prepares a string in a nested field, which has expressions in all profiles that support them. */
export function prepareExpressions(text: string, context: ActionContext): FillText {
  const parts = partsOf(text, context.switches.interpolationEscape).map(part =>
    part.kind === 'text' ? unescaped(part.text, context) : expressionText(part.text, context),
  );
  return filling => joinParts(parts, part => (typeof part === 'string' ? part : part(filling)));
}

/** A part of a string with expressions. */
type TextPart = { readonly kind: 'text' | 'expression'; readonly text: string };

/** Splits a string at its expressions. The parts are as written, including escapes. */
export function partsOf(
  text: string,
  escapeSign: ActionContext['switches']['interpolationEscape'],
): readonly TextPart[] {
  const { expressions } = findInterpolations(text, escapeSign);
  const parts: TextPart[] = [];
  let end = 0;
  for (const range of expressions) {
    parts.push({ kind: 'text', text: text.slice(end, range.start - 2) });
    parts.push({ kind: 'expression', text: expressionSource(text.slice(range.start, range.end)) });
    end = range.end + 1;
  }
  return [...parts, { kind: 'text', text: text.slice(end) }];
}

function unescaped(text: string, { switches }: ActionContext): string {
  return switches.interpolationEscape === 'none' ? text : text.replaceAll('$${', () => '${');
}

/** Types that CEL's `string()` converts. */
const SCALARS: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** Evaluates an expression and converts the result to a string. */
export function expressionText(source: string, context: ActionContext): FillText {
  const expression = context.compile(source);
  const { evaluate } = SCALARS.has(expression.type.kind) ? context.compile(source, 'text') : expression;
  return ({ state, notes }) => {
    const value = evaluate(state);
    if (value instanceof Unknown) return value;
    if (value instanceof EvaluationError) {
      notes.push({ kind: 'failed', error: value });
      return '';
    }
    return textOfValue(value as Value);
  };
}

/** As CEL's `string()` formats it; lists and maps as JSON. */
function textOfValue(value: Value): string {
  const plain = toHost(value);
  if (typeof plain === 'string') return plain;
  return typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : String(plain);
}

/**
 * Prepares a configuration value for interpolation in all its strings. A string that consists of a single expression takes its value, of any
 * type.
 */
export function prepareValue(value: Sample, context: ActionContext): (filling: Filling) => Value | NonValue {
  if (typeof value === 'string') return prepareTyped(value, context);
  if (Array.isArray(value)) {
    const items = value.map(item => prepareValue(item, context));
    return filling => items.map(item => item(filling)) as unknown[] as Value[];
  }
  if (typeof value !== 'object' || value === null) return () => value as Value;
  const members = Object.entries(value).map(([key, member]) => [key, prepareValue(member, context)] as const);
  return filling => Object.fromEntries(members.map(([key, member]) => [key, member(filling)])) as Value;
}

function prepareTyped(text: string, context: ActionContext): (filling: Filling) => Value | NonValue {
  const parts = partsOf(text, context.switches.interpolationEscape);
  const [before, only, after] = parts;
  if (parts.length !== 3 || before!.text !== '' || after!.text !== '') return prepareExpressions(text, context);
  const { evaluate } = context.compile(only!.text);
  return ({ state, notes }) => {
    const value = evaluate(state);
    if (value instanceof EvaluationError) notes.push({ kind: 'failed', error: value });
    return value;
  };
}

/** The state and the notes of one interpolation. */
export interface Filling {
  readonly state: TrafficState;
  /** Errors of expressions are added; an empty string takes their place. */
  readonly notes: Note[];
}

/** Returns the interpolated string; unknown if any part is unknown. */
export type FillText = (filling: Filling) => string | Unknown;

/** Joins parts to a string; the first unknown part makes the whole unknown. */
export function joinParts<T>(parts: readonly T[], textOf: (part: T) => string | Unknown): string | Unknown {
  let joined = '';
  for (const part of parts) {
    const text = textOf(part);
    if (text instanceof Unknown) return text;
    joined += text;
  }
  return joined;
}

/** Template paths in header values that have an equivalent expression; only the edge knows the others. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'conn.client_ip': 'conn.ClientIP',
  'ngrok.client_ip': 'conn.ClientIP',
  'ngrok.geo.country_code': 'conn.Geo.CountryCode',
  'ngrok.geo.lat_long_radius_km': 'conn.Geo.LatLongRadiusKm',
  'ngrok.geo.latitude': 'conn.Geo.Latitude',
  'ngrok.geo.longitude': 'conn.Geo.Longitude',
  'http.request.method': 'req.Method',
  'http.request.url.path': 'req.Path',
  'http.request.url.raw': 'req.URL',
  'http.request.user_agent': 'hasReqHeader("User-Agent") ? getReqHeader("User-Agent")[0] : ""',
  'http.request.version': 'req.Protocol',
  'http.response.status_code': 'res.StatusCode',
  'tls.cipher_suite': 'req.ClientTLS.CipherSuite',
  'tls.version': 'req.ClientTLS.Version',
  'tls.client_cert.subject.cn': 'req.ClientTLS.CertCN',
};

/** Prepares a header value with `${.path}` templates for interpolation. */
function prepareTemplate(text: string, context: ActionContext): FillText {
  const parts = text.split(/(\$\{\.[^}]*\})/).map(part => preparePart(part, context));
  return filling => joinParts(parts, part => part(filling));
}

function preparePart(text: string, context: ActionContext): FillText {
  const path = /^\$\{\.([^}]*)\}$/.exec(text)?.[1];
  if (path === undefined) return () => text;
  const expression = Object.hasOwn(EXPRESSIONS, path) ? EXPRESSIONS[path] : undefined;
  if (expression === undefined || (expression.startsWith('res.') && context.side !== 'response')) {
    const unknown = new Unknown([text]);
    return () => unknown;
  }
  const { evaluate } = context.compile(expression);
  return ({ state, notes }) => {
    const value = evaluate(state);
    if (value instanceof Unknown) return value;
    if (!(value instanceof EvaluationError)) return String(value);
    notes.push({ kind: 'failed', error: value });
    return '';
  };
}
