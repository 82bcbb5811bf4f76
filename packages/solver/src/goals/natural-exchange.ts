// An exchange as a person would write it: an ordinary host, path, method, address and agent, unless what it is for needs others.

import { parseCidr } from '@tollgate/cel/tooling';
import type { Rule } from '@tollgate/policy';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { choicesFor } from '../compare/search-exchanges.ts';
import { exchangeOf, ordinaryParts, type Parts, partsOf } from '../policy/exchange.ts';
import { addressesIn, addressString } from '../values/int-set.ts';

/** The words of a policy, from which natural values are made. */
export interface NaturalWords {
  readonly methods: readonly string[];
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly addresses: readonly string[];
  readonly countries: readonly string[];
  readonly words: readonly string[];
  /** Names of headers that conditions and actions mention. */
  readonly headers: readonly string[];
  readonly readsAgent: boolean;
}

/** Returns the words of rules, the likeliest first. */
export function naturalWords(rules: readonly Rule[]): NaturalWords {
  const found = choicesFor(rules);
  const sources = rules.flatMap(({ expressions }) => expressions.map(({ source }) => source));
  const configured = rules.flatMap(({ actions }) => actions.map(({ config }) => JSON.stringify(config)));
  const all = [...sources, ...configured].join('\n');
  const quoted = Array.from(all.matchAll(/['"]([A-Za-z][\w-]*)['"]/g), ([, name]) => name!);
  const paths = found.paths.filter(path => /^\/[\w./-]+$/.test(path) && !path.includes('//'));
  return {
    methods: [...new Set([...METHODS, ...found.methods.filter(one => /^[A-Z]+$/.test(one))])],
    hosts: found.hosts.filter(one => /^[a-z0-9-]+(?:[.][a-z0-9-]+)+$/.test(one) && !/^[\d.]+$/.test(one)),
    paths: [...new Set(['/', '/books', '/index.php', ...paths.flatMap(below)])],
    addresses: [USUAL.clientIp, ...addressesOf(found.words)],
    countries: ['DE', 'US', 'FR', ...found.countries.filter(one => one !== '')],
    words: found.words.filter(one => /^[\x21-\x7e]{1,40}$/.test(one)),
    headers: distinct([...found.names, ...quoted, ...IMPLIED.flatMap(([how, name]) => (how.test(all) ? [name] : []))]),
    readsAgent: /user.?agent/i.test(all),
  };
}

const USUAL = ordinaryParts();
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const AGENTS = ['Mozilla/5.0', 'curl/8.5.0', 'Googlebot/2.1', 'GPTBot/1.2', 'ClaudeBot/1.0', 'CCBot/2.0', 'sqlmap/1.8'];

/** Headers that variables stand for. */
const IMPLIED: readonly (readonly [RegExp, string])[] = [
  [/user.?agent/i, 'User-Agent'],
  [/content.?length/i, 'Content-Length'],
  [/cookie/i, 'Cookie'],
];

/** Names that differ by more than case. */
function distinct(names: readonly string[]): readonly string[] {
  return [...new Map(names.toReversed().map(name => [name.toLowerCase(), name])).values()].toReversed();
}

/** Returns ordinary paths that begin with a path, or are it. */
function below(path: string): readonly string[] {
  if (path.endsWith('/')) return [`${path}users`, `${path}1`, `${path}index.html`, path, `/books${path}`];
  const longer = [`${path}s`, `${path}1`, `${path}.html`, `${path}/1`, `/books${path}`];
  return /\w$/.test(path) ? [path, ...longer] : [`${path}admin`, path, ...longer];
}

/** The fifth address of each range: people do not write the first one, which is the network. */
function addressesOf(words: readonly string[]): readonly string[] {
  const ranges = words.flatMap(word => parseCidr(word) ?? parseCidr(`${word}/32`) ?? parseCidr(`${word}/128`) ?? []);
  const found = ranges.map(range => {
    const [first, last] = addressesIn(range);
    return addressString(first + 5n <= last ? first + 5n : first);
  });
  return [...found.filter(one => one.includes('.')), ...found.filter(one => one.includes(':'))];
}

/**
 * Returns an exchange that is still wanted and as natural as possible: for each part, the first of the usual values with which it is. Takes some
 * hundreds of tries.
 */
export function naturalExchange(
  exchange: Exchange,
  words: NaturalWords,
  isWanted: (exchange: Exchange) => boolean,
): Exchange {
  let parts = partsOf(exchange);
  const attempt = (change: Partial<Parts>): boolean => {
    const changed = { ...parts, ...change };
    if (!isWanted(exchangeOf(changed))) return false;
    parts = changed;
    return true;
  };
  const first = <T>(candidates: readonly T[], change: (value: T) => Partial<Parts>, current: T) => {
    for (const one of candidates) if (one === current || attempt(change(one))) return;
  };
  if (!isWanted(exchangeOf(parts))) return exchange;
  if (parts.url !== undefined) attempt({ url: undefined });
  first(['https'], scheme => ({ scheme }), parts.scheme);
  attempt({ names: {} });
  first(['TLS 1.3', 'TLS 1.2', 'TLS 1.1', 'TLS 1.0'], tlsVersion => ({ tlsVersion }), parts.tlsVersion);
  first([USUAL.protocol, 'HTTP/2.0', 'HTTP/1.0'], protocol => ({ protocol }), parts.protocol);
  first([USUAL.time], time => ({ time }), parts.time);
  first(words.methods, method => ({ method }), parts.method);
  first([USUAL.host, ...words.hosts], host => ({ host }), parts.host);
  first(words.addresses, clientIp => ({ clientIp }), parts.clientIp);
  if (!attempt({ geo: {} }))
    first(words.countries, countryCode => ({ geo: { countryCode } }), parts.geo.countryCode ?? '');
  makeQueryNatural(() => parts, words, attempt);
  first(words.paths, path => ({ path }), parts.path);
  makeHeadersNatural('headers', { current: () => parts, words, attempt });
  if (words.readsAgent && !parts.headers.some(isAgent))
    attempt({ headers: [...parts.headers, { name: 'User-Agent', value: AGENTS[0]! }] });
  if (words.headers.includes('Content-Length') && WITH_BODY.has(parts.method) && !parts.headers.some(isLength))
    attempt({ headers: [...parts.headers, { name: 'Content-Length', value: '10' }] });
  attempt({ cookies: [] });
  first([200, 404, 500, 503, 201, 301, 401], status => ({ status }), parts.status);
  makeHeadersNatural('responseHeaders', { current: () => parts, words, attempt });
  const { clientName } = parts.names;
  if (clientName !== undefined) {
    const names = words.words
      .flatMap(word => [word, `device-1${word}`, `${word}1`])
      .filter(one => /^[\w.@-]+$/.test(one));
    first(['device-1', ...names], one => ({ names: { ...parts.names, clientName: one } }), clientName);
  }
  return exchangeOf(parts);
}

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function isLength({ name }: HeaderField): boolean {
  return name.toLowerCase() === 'content-length';
}

function isAgent({ name }: HeaderField): boolean {
  return name.toLowerCase() === 'user-agent';
}

type Attempt = (change: Partial<Parts>) => boolean;

function makeQueryNatural(current: () => Parts, { words }: NaturalWords, attempt: Attempt): void {
  const { query } = current();
  if (query === undefined || attempt({ query: undefined })) return;
  const pairs = query.split('&').map(pair => pair.split('='));
  for (let at = 0; at < pairs.length; at++) {
    const without = pairs.filter((_, index) => index !== at);
    if (without.length > 0 && attempt({ query: queryOf(without) })) {
      pairs.splice(at--, 1);
      continue;
    }
    const [name, value] = pairs[at]!;
    const plain = words.filter(word => /^[\w.-]+$/.test(word));
    for (const candidate of ['1', '10', '100', '1000', 'books', ...plain]) {
      if (candidate === value) break;
      if (!attempt({ query: queryOf(pairs.with(at, [name!, candidate])) })) continue;
      pairs[at] = [name!, candidate];
      break;
    }
  }
}

function queryOf(pairs: readonly (readonly string[])[]): string {
  return pairs.map(pair => pair.join('=')).join('&');
}

function makeHeadersNatural(
  side: 'headers' | 'responseHeaders',
  {
    current,
    words,
    attempt,
  }: { readonly current: () => Parts; readonly words: NaturalWords; readonly attempt: Attempt },
): void {
  for (const field of [...current()[side]]) {
    const fields = current()[side];
    const at = fields.indexOf(field);
    if (attempt({ [side]: fields.filter(one => one !== field) })) continue;
    for (const value of valuesFor(field, words)) {
      if (value === field.value || attempt({ [side]: fields.with(at, { name: field.name, value }) })) break;
    }
  }
}

function valuesFor({ name }: HeaderField, { words }: NaturalWords): readonly string[] {
  switch (name.toLowerCase()) {
    case 'user-agent':
      return [...AGENTS, ...words.flatMap(word => [`${word}/1.0`, `Mozilla/5.0 ${word}`, word])];
    case 'content-length':
      return ['0', '10', '1000', '100000'];
    case 'content-type':
      return ['text/html', 'application/json', 'text/plain', ...words];
    case 'accept':
      return ['text/html', 'application/json', '*/*', ...words];
    case 'server':
      return ['nginx'];
    default:
      return ['example', '1', ...words];
  }
}
