import { EvaluationError, NonValue, toHost, type Value } from '@tollgate/cel';
import { escapeQuery, unescapeText } from './percent-coding.ts';

const MALFORMED = new EvaluationError('eval/bad-query', 'the text is not a query string');
const NO_TEXT = new EvaluationError('eval/bad-query', 'a parameter of a query must be a string or a list of strings');

/** The parameters of a query, each with its values in order. As of the platform, a semicolon is malformed. */
export function decodeQuery(text: string): Map<string, string[]> | EvaluationError {
  const parameters = new Map<string, string[]>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    if (part.includes(';')) return MALFORMED;
    const equals = part.includes('=') ? part.indexOf('=') : part.length;
    const name = unescapeText(part.slice(0, equals), true);
    const value = unescapeText(part.slice(equals + 1), true);
    if (name === undefined || value === undefined) return MALFORMED;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** A query with the parameters, sorted by name. */
export function encodeQuery(parameters: Value): string | NonValue {
  const host = toHost(parameters);
  const entries = host instanceof Map ? [...host] : Object.entries(host as object);
  const parts: string[] = [];
  for (const [name, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof NonValue) return one;
      if (typeof one !== 'string') return NO_TEXT;
      parts.push(`${escapeQuery(String(name))}=${escapeQuery(one)}`);
    }
  }
  return parts.join('&');
}
