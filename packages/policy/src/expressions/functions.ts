import type { FunctionFact, Profile } from '@tollgate/catalog';
import {
  EvaluationError,
  type Implementation,
  type ImplementationFunction,
  IpAddress,
  NonValue,
  type RunContext,
  toHost,
  Unknown,
  type Value,
} from '@tollgate/cel';
import { compileRe2, searchRegExp } from '@tollgate/cel/tooling';
import { bytesToBase64, bytesToUtf8, hexToBytes } from '@tollgate/diagnostics/portable';
import { HASHES, hashString } from './hashes.ts';

const NOT_ESCAPED = new EvaluationError('eval/bad-escape', 'the string has a `%` without two hexadecimal digits');

/** The characters that Go's `unicode.IsSpace` accepts. */
const WHITE_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

function total(call: ImplementationFunction): Implementation {
  return { call, total: true };
}

function partial(call: ImplementationFunction): Implementation {
  return { call, total: false };
}

/** The catalog's functions without a body in CEL, by overload id. */
export const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  ...hashes(),
  json_decode_string: partial(decodeJson),
  json_encode_dyn: { call: encodeJson, total: false, needsContext: true },
  string_is_json: total(isJson),
  query_string_decode_string: partial(decodeQuery as ImplementationFunction),
  query_string_encode_map: partial(encodeQuery),
  string_is_query_string: total((text: string) => !(decodeQuery(text) instanceof EvaluationError)),
  url_escape_string: total(escapeQuery),
  url_unescape_string: partial((text: string) => unescapeString(text, true) ?? NOT_ESCAPED),
  url_parse_string: partial(parseUrl),
  string_is_url: total(isUrl),
  string_lower: total((text: string) => text.toLowerCase()),
  string_upper: total((text: string) => text.toUpperCase()),
  string_split: total((text: string) => text.split(WHITE_SPACE).filter(part => part !== '')),
};

function hashes(): Record<string, Implementation> {
  const rows = Object.entries(HASHES).flatMap(([name, digest]): [string, Implementation][] => [
    [`hash_${name}_string`, total((text: string) => hashString(digest, text, 'hex') as string)],
    [`hash_${name}_string_string`, partial((text: string, format: string) => hashString(digest, text, format))],
  ]);
  return Object.fromEntries(rows);
}

/** Returns the implementations of a profile's functions. Opaque ones return an unknown with the reason. */
export function implementationsOf(profile: Profile): Readonly<Record<string, Implementation>> {
  const opaque = profile.functions.flatMap(fact =>
    fact.opaque === undefined ? [] : [[fact.overloadId, unknown(fact)]],
  );
  const added = profile.functions.flatMap(fact => (fact.implementation ? [[fact.overloadId, hosted(fact)]] : []));
  return { ...IMPLEMENTATIONS, ...Object.fromEntries(opaque), ...Object.fromEntries(added) };
}

function unknown(fact: FunctionFact): Implementation {
  const value = new Unknown([opaqueResult(fact)!]);
  return partial(() => value);
}

/** Returns how reports name the result of an opaque function, such as "`rand.int()`, because …"; undefined for others. */
export function opaqueResult({ name, opaque }: FunctionFact): string | undefined {
  return opaque === undefined ? undefined : `\`${name}()\`, because ${opaque}`;
}

/** Wraps an extension's JavaScript function. The environment checks what it throws and returns. */
function hosted({ implementation }: FunctionFact): Implementation {
  const call = implementation as (...args: unknown[]) => unknown;
  return {
    total: false,
    call: (...args: Value[]) => {
      const plain = args.map(toHost);
      const unknown = plain.find(arg => arg instanceof NonValue);
      return unknown instanceof NonValue ? unknown : (call(...plain) as Value);
    },
  };
}

const NO_JSON = new EvaluationError('eval/bad-json', 'the string is not JSON');
const NOT_FINITE = new EvaluationError('eval/bad-json', 'JSON cannot represent NaN or infinity');
const NO_NAME = new EvaluationError('eval/bad-json', 'JSON keys must be strings');
const NO_VALUE = new EvaluationError('eval/bad-json', 'JSON cannot represent the value');
const TOO_LONG = new EvaluationError('limit/text-length', 'the JSON is longer than `maxTextLength`');

/** Decodes JSON to plain data, which CEL reads in place. */
function decodeJson(text: string): Value | EvaluationError {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return NO_JSON;
  }
}

/** Returns true if the string is JSON (RFC 8259). */
function isJson(text: string): boolean {
  return !(decodeJson(text) instanceof NonValue);
}

/** Encodes a value as JSON with sorted keys; bytes in base64, timestamps and durations as strings. */
function encodeJson(context: RunContext, value: Value): string | NonValue {
  const text = jsonOf(toHost(value));
  return typeof text === 'string' && text.length > context.limits.maxTextLength ? TOO_LONG : text;
}

function jsonOf(value: unknown): string | NonValue {
  if (value instanceof NonValue) return value;
  if (typeof value === 'number' && !Number.isFinite(value)) return NOT_FINITE;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return 'null';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return joined('[', value.map(jsonOf), ']');
  if (value instanceof Uint8Array) return JSON.stringify(bytesToBase64(value));
  if (value instanceof Map) return NO_NAME;
  // The remaining library types have a string form, or none.
  if (value instanceof IpAddress || Object.getPrototypeOf(value) !== Object.prototype) return NO_VALUE;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return joined('{', members.map(memberOf), '}');
}

function memberOf([name, value]: readonly [string, unknown]): string | NonValue {
  const text = jsonOf(value);
  return typeof text === 'string' ? `${JSON.stringify(name)}:${text}` : text;
}

function joined(open: string, parts: readonly (string | NonValue)[], close: string): string | NonValue {
  return parts.find(part => part instanceof NonValue) ?? `${open}${parts.join(',')}${close}`;
}

/** Escapes a string for a query: unreserved characters stay (RFC 3986, section 2.3), a space becomes `+`. */
function escapeQuery(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
  return escaped.replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Decodes percent escapes; undefined if a `%` is not followed by two hexadecimal digits. */
function unescapeString(text: string, plusIsSpace: boolean): string | undefined {
  const spaced = plusIsSpace ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  if (/%(?![0-9a-fA-F]{2})/.test(spaced)) return undefined;
  // Octets that are not valid UTF-8 become replacement characters.
  return spaced.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, octets => bytesToUtf8(hexToBytes(octets.replaceAll('%', ''))));
}

const MALFORMED = new EvaluationError('eval/bad-query', 'the string is not a valid query string');
const NO_TEXT = new EvaluationError('eval/bad-query', 'a query parameter must be a string or a list of strings');

/** Decodes a query into its parameters, each with its values in order. As on the edge, a semicolon is malformed. */
function decodeQuery(text: string): Map<string, string[]> | EvaluationError {
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
function encodeQuery(parameters: Value): string | NonValue {
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

/** A match of a pattern in a string. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** A capture group by number, 0 for the whole match; undefined if it did not participate. */
  readonly group: (number: number) => string | undefined;
  /** A capture group by name; undefined if the pattern has no such group. */
  readonly named: (name: string) => string | undefined;
}

/** Returns the matches of a pattern from left to right, without overlap, including empty ones. */
export type FindMatches = (text: string) => Iterable<PatternMatch>;

/**
 * Replaces every match like Go's `Regexp.ReplaceAllString`: an empty match right after the previous match is skipped, and
 * the replacement is expanded by {@link expandTemplate}.
 */
export function replaceAll(text: string, find: FindMatches, template: string): string {
  let result = '';
  let end = 0;
  let isFirst = true;
  for (const match of find(text)) {
    if (match.start === match.end && match.end === end && !isFirst) continue;
    result += text.slice(end, match.start) + expandTemplate(template, match);
    end = match.end;
    isFirst = false;
  }
  return result + text.slice(end);
}

/** The same for ASCII templates: V8 takes 0.3 ms to load the tables of Unicode letters. */
const IN_ASCII = /\$\$|\$(\w+)|\$\{(\w+)\}/g;
const inAnyScript = () => /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}/gu;

/**
 * Substitutes groups for `$1`, `${1}`, `$name` and `${name}` like Go's `Regexp.Expand`: the longest run of word characters is
 * the name, so `$1x` is the group named `1x`; a group that does not exist is empty; `$$` is a dollar sign, and any other
 * `$` is literal.
 */
function expandTemplate(template: string, match: PatternMatch): string {
  const references = /[\u0080-\uffff]/.test(template) ? inAnyScript() : IN_ASCII;
  return template.replace(references, (written: string, bare?: string, braced?: string) => {
    const name: string | undefined = bare ?? braced;
    if (name === undefined) return written === '$$' ? '$' : written;
    return (/^[0-9]+$/.test(name) ? match.group(Number(name)) : match.named(name)) ?? '';
  });
}

/** The parts of a URL, with their names in the catalog. */
type ParsedUrl = {
  readonly scheme: string;
  readonly opaque: string;
  readonly host: string;
  readonly path: string;
  readonly raw_path: string;
  readonly raw_query: string;
  readonly fragment: string;
  readonly user: string;
};

const NO_URL = new EvaluationError('eval/bad-url', 'the string is not a valid URL');

/** RFC 3986, appendix B, with the characters of a scheme. */
const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** User information, host and port; a host in brackets is an IPv6 address. */
const AUTHORITY = /^(?:([^@]*)@)?((?:\[[0-9a-fA-F:.]+(?:%25[^\]]+)?\]|[^:[\]@\s]*)(?::\d*)?)$/;

/** Parses a URL or a URL reference as the edge does. */
function parseUrl(text: string): ParsedUrl | EvaluationError {
  const match = hasControls(text) ? null : PARTS.exec(text);
  if (!match) return NO_URL;
  const [, scheme = '', authority = '', written = '', query = '', fragment = ''] = match;
  const [, user = '', host] = AUTHORITY.exec(authority) ?? [];
  const isOpaque = scheme !== '' && authority === '' && written !== '' && !written.startsWith('/');
  const path = isOpaque ? '' : unescapeString(written, false);
  const decodedFragment = unescapeString(fragment, false);
  const startsLikeScheme = scheme === '' && authority === '' && /^[^/]*:/.test(written);
  if (host === undefined || path === undefined || decodedFragment === undefined || startsLikeScheme) return NO_URL;
  return {
    scheme: scheme.toLowerCase(),
    opaque: isOpaque ? written : '',
    host,
    path,
    raw_path: isOpaque || encodeURI(path) === written ? '' : written,
    raw_query: query,
    fragment: decodedFragment,
    user,
  };
}

/** Returns true if the string is an absolute URL with a host. */
export function isUrl(text: string): boolean {
  const parsed = parseUrl(text);
  return !(parsed instanceof EvaluationError) && parsed.scheme !== '' && parsed.host !== '';
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

/** What finds the matches of a pattern: a search for a string, a `RegExp` that finds the same, or the engine of RE2. */
export type SearchPlan =
  | { readonly kind: 'plain' }
  | { readonly kind: 'regexp'; readonly regexp: RegExp }
  | { readonly kind: 're2' };

/** Returns what finds the matches of a valid pattern in RE2 syntax exactly and in linear time. */
export function searchPlan(pattern: string): SearchPlan {
  if (PLAIN_TEXT.test(pattern)) return { kind: 'plain' };
  const regexp = searchRegExp(pattern);
  return regexp === undefined ? { kind: 're2' } : { kind: 'regexp', regexp };
}

/** Returns a function that finds the matches of a pattern in RE2 syntax. Throws a `RangeError` if it is invalid, which checking a policy rules out. */
export function findPattern(pattern: string): FindMatches {
  const plan = searchPlan(pattern);
  if (plan.kind === 'plain') return findPlain(pattern);
  return plan.kind === 'regexp' ? findWithRegExp(plan.regexp) : findWithRe2(pattern);
}

/** Returns a function that finds the matches of a global `RegExp`. */
export function findWithRegExp(regexp: RegExp): FindMatches {
  return function* find(text): Generator<PatternMatch> {
    for (const match of text.matchAll(regexp)) {
      const { index, groups } = match;
      yield {
        start: index,
        end: index + match[0].length,
        group: number => match[number],
        named: name => (groups !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined),
      };
    }
  };
}

/** Does what {@link findPattern} does with the engine of RE2. */
export function findWithRe2(pattern: string): FindMatches {
  const compiled = compileRe2(pattern);
  if (compiled instanceof EvaluationError) throw new RangeError(compiled.message);
  const { engine } = compiled;
  const names = engine.namedGroups();
  return function* find(text): Generator<PatternMatch> {
    const matcher = engine.matcher(text);
    while (matcher.find()) {
      yield {
        start: matcher.start(),
        end: matcher.end(),
        group: number => (number <= engine.groupCount() ? (matcher.group(number) ?? undefined) : undefined),
        named: name => (Object.hasOwn(names, name) ? (matcher.group(name) ?? undefined) : undefined),
      };
    }
  };
}

/** Patterns that match only themselves. Compiling one costs as much as a thousand searches. */
const PLAIN_TEXT = /^[\w\-/:=&%@,;~"'<>!# ]+$/;

/** Returns a function that finds a string. */
export function findPlain(sought: string): FindMatches {
  return function* find(text): Generator<PatternMatch> {
    for (let start = text.indexOf(sought); start >= 0; start = text.indexOf(sought, start + sought.length)) {
      const group = (number: number) => (number === 0 ? sought : undefined);
      yield { start, end: start + sought.length, group, named: () => undefined };
    }
  };
}
