import { EvaluationError, NonValue, toHost, type Value } from '@tollgate/cel';
import { escapeQuery, unescapeString } from './percent-coding.ts';

const MALFORMED = new EvaluationError('eval/bad-query', 'the string is not a valid query string');
const NO_TEXT = new EvaluationError('eval/bad-query', 'a query parameter must be a string or a list of strings');

/** Decodes a query into its parameters, each with its values in order. As on the edge, a semicolon is malformed. */
export function decodeQuery(text: string): Map<string, string[]> | EvaluationError {
  const parameters = new Map<string, string[]>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    if (part.includes(';')) return MALFORMED;
    const equals = part.includes('=') ? part.indexOf('=') : part.length;
    const name = unescapeString(part.slice(0, equals), true);
    const value = unescapeString(part.slice(equals + 1), true);
    if (name === undefined || value === undefined) return MALFORMED;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** Encodes parameters as a query, sorted by name. */
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
