// Looks for an exchange that two policies decide differently, where proofs leave it open: exchanges that the solver found for single conditions,
// and others put together from the literals of both policies, are crossed and varied as long as their tests have new results. The same policies
// always lead to the same exchanges.

import type { Phase } from '@tollgate/catalog';
import { type Expr, type TypedAst, unparse } from '@tollgate/cel';
import { childrenOf, parseCidr } from '@tollgate/cel/tooling';
import { bytesToBase64 } from '@tollgate/diagnostics/portable';
import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation, SIGNATURE_HEADERS } from '@tollgate/simulator';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { exchangeOf, ordinaryParts, type Parts, partsOf } from '../policy/exchange.ts';
import type { PolicyContext } from '../policy/session.ts';
import { addressesIn, addressString } from '../values/int-set.ts';

/** A policy and what it is written for. */
export interface PolicyInContext {
  readonly policy: Policy;
  readonly context: PolicyContext;
}

/** What is looked for, and where. */
interface ExchangeSearch {
  readonly policies: readonly [PolicyInContext, PolicyInContext];
  /** Exchanges to start from. */
  readonly seeds: readonly Exchange[];
  readonly isWanted: (exchange: Exchange) => boolean;
}

/** Returns the first exchange that is wanted; undefined if none of those that were tried is, which proves nothing. */
export function searchExchanges({ policies, seeds, isWanted }: ExchangeSearch): Exchange | undefined {
  const { count, resultsOf } = testsOf(policies);
  const random = randomNumbers();
  const seen = new Set<string>();
  const kept: Parts[] = [];
  /** Returns true if the exchange is wanted; keeps it if it shows something new. */
  const attempt = (exchange: Exchange, parts: Parts): boolean => {
    if (isWanted(exchange)) return true;
    const results = resultsOf(exchange);
    if (!seen.has(results)) kept.push(parts);
    seen.add(results);
    return false;
  };
  for (const seed of seeds) if (attempt(seed, partsOf(seed))) return seed;
  const choices = choicesFor(policies.flatMap(({ policy }) => Object.values(policy.rules).flat()));
  const most = Math.min(MAX_EXCHANGES, Math.ceil(MAX_TESTS / Math.max(1, count)));
  for (let round = 0; round < most; round++) {
    const isVaried = kept.length > 0 && random(4) > 0;
    const parts = isVaried ? copyOf(kept[random(kept.length)]!) : ordinaryParts();
    if (isVaried && random(2) === 0) cross(parts, kept[random(kept.length)]!, random);
    for (let changes = isVaried ? random(3) : 1 + random(DIMENSIONS.length); changes > 0; changes--)
      DIMENSIONS[random(DIMENSIONS.length)]!(parts, choices, random);
    const exchange = exchangeOf(parts);
    if (attempt(exchange, parts)) return exchange;
  }
  return undefined;
}

const MAX_EXCHANGES = 4000;
/** Tests that are evaluated for all exchanges together, so that large policies do not take longer. */
const MAX_TESTS = 200_000;

/** Returns what evaluates each test of the conditions by itself: a string that is equal where all have the same results. */
function testsOf(policies: ExchangeSearch['policies']) {
  const same = policies[0].context === policies[1].context;
  const groups = same ? [policies] : policies.map(one => [one]);
  const all = groups.map(group =>
    leafRules(
      group.map(one => one.policy),
      group[0]!.context,
    ),
  );
  const simulations = all.map(({ policy, context }) => createSimulation(policy, context));
  return {
    count: all.reduce((sum, { policy }) => sum + Object.values(policy.rules).flat().length, 0),
    resultsOf: (exchange: Exchange) =>
      simulations
        .map(one =>
          one
            .decide(exchange)
            .rules.map(({ status }) => status[0])
            .join(''),
        )
        .join(),
  };
}

/** Returns a policy of rules without actions, one for each test. */
function leafRules([policy, ...others]: readonly Policy[], context: PolicyContext): PolicyInContext {
  const rules: Record<Phase, readonly Rule[]> = { ...policy!.rules };
  for (const phase of context.profile.phases) {
    const tests = new Map<string, TypedAst>();
    for (const { expressions } of [policy!, ...others].flatMap(one => one.rules[phase])) {
      for (const { typed } of expressions) {
        if (typed === undefined) continue;
        for (const root of leavesOf(typed.ast.root)) {
          const test = { ...typed, ast: { ...typed.ast, root } };
          tests.set(unparse(test.ast), test);
        }
      }
    }
    const [model] = [policy!, ...others].flatMap(one => one.rules[phase]).filter(one => one.expressions.length > 0);
    rules[phase] = [...tests.values()].map((typed, index): Rule => {
      return { ...model!, index, expressions: [{ ...model!.expressions[0]!, typed }], actions: [] };
    });
  }
  return { policy: { ...policy!, enabled: true, rules }, context };
}

/** Returns what `&&`, `||`, `!` and `?:` join. */
function leavesOf(expr: Expr): readonly Expr[] {
  const isJoined = expr.kind === 'call' && ['_&&_', '_||_', '!_', '_?_:_'].includes(expr.function);
  return isJoined ? expr.args.flatMap(leavesOf) : [expr];
}

/** Numbers from 0 up to a bound, always the same ones (mulberry32). */
function randomNumbers(): (below: number) => number {
  let state = 20_261_128;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomNumbers>;

function copyOf(parts: Parts): Parts {
  return {
    ...parts,
    parameters: [...parts.parameters],
    headers: [...parts.headers],
    cookies: [...parts.cookies],
    responseHeaders: [...parts.responseHeaders],
    names: { ...parts.names },
    geo: { ...parts.geo },
  };
}

/** Takes one part of another exchange. */
function cross(parts: Parts, other: Parts, random: Random): void {
  const from = copyOf(other);
  const taken: readonly Partial<Parts>[] = [
    { method: from.method },
    { host: from.host, url: undefined, names: from.names },
    { path: from.path, url: undefined },
    { url: from.url },
    { query: from.query, parameters: from.parameters },
    { headers: from.headers },
    { headers: [...parts.headers, ...from.headers] },
    { clientIp: from.clientIp },
    { cookies: from.cookies },
    { status: from.status, responseHeaders: from.responseHeaders },
    { time: from.time },
    { geo: from.geo },
  ];
  Object.assign(parts, taken[random(taken.length)]);
}

/** What parts of exchanges are chosen from. */
export interface Choices {
  /** All literals. */
  readonly words: readonly string[];
  readonly names: readonly string[];
  readonly methods: readonly string[];
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly addresses: readonly string[];
  readonly countries: readonly string[];
  readonly numbers: readonly number[];
}

/** Returns values for the parts of exchanges that rules may tell apart. */
export function choicesFor(rules: readonly Rule[]): Choices {
  const found = { words: new Set(['', '1', '2', 'a']), keys: new Set<string>(), numbers: new Set([0, 1]) };
  for (const { expressions, actions } of rules) {
    for (const { typed } of expressions) if (typed !== undefined) collect(typed.ast.root, found);
    for (const hint of actions.flatMap(({ config }) => hintsIn(config))) {
      found.words.add(hint);
      if (HEADER_NAME.test(hint)) found.keys.add(hint);
    }
  }
  const words = [...found.words].filter(word => word.length < MAX_LENGTH);
  const pieces = words.flatMap(word => word.match(/[\w.%~-]+/g) ?? []);
  const all = [...new Set([...words, ...pieces])];
  const networks = words.flatMap(word => parseCidr(word) ?? parseCidr(`${word}/32`) ?? parseCidr(`${word}/128`) ?? []);
  const paths = all.flatMap(word => {
    const path = /^(?:\^?https?:\/\/[^/]*)?(?=\/)([^?#^$()[\]*+|\\]*)/.exec(word)?.[1];
    return path === undefined ? (/^[\w.~-]+$/.test(word) ? [`/${word}`] : []) : [path];
  });
  const lengths = [...found.numbers].filter(number => number > 1 && number < MAX_LENGTH);
  return {
    words: all,
    names: [...found.keys].filter(word => /^[A-Za-z][\w-]*$/.test(word)),
    methods: ['GET', 'POST', ...all.filter(word => /^[A-Za-z]+$/.test(word))],
    hosts: ['example.com', 'a', ...all.flatMap(hostsWith)],
    paths: ['/', '/index.html', ...paths, ...lengths.map(length => `/${'a'.repeat(length - 1)}`)],
    addresses: ['198.51.100.7', '2001:db8::7', ...networks.flatMap(one => addressesIn(one).map(addressString))],
    countries: ['DE', '', ...all.filter(word => /^[A-Z]{2}$/.test(word))],
    numbers: [...found.numbers].flatMap(number => [number, number + 1, Math.max(0, number - 1)]),
  };
}

const MAX_LENGTH = 300;

/** Returns hosts that contain a word, or what is before or after it in one. */
function hostsWith(word: string): readonly string[] {
  if (/^[A-Za-z0-9][\w.-]*$/.test(word)) return [word, `a.${word}`];
  return /^[.-][\w.-]*$/.test(word) ? [`a${word}`] : [];
}

interface Found {
  readonly words: Set<string>;
  /** Keys of maps, and names that functions look up. */
  readonly keys: Set<string>;
  readonly numbers: Set<number>;
}

function collect(expr: Expr, found: Found): void {
  if (expr.kind === 'literal' && expr.literal.type === 'string') found.words.add(expr.literal.value);
  if (expr.kind === 'literal' && (expr.literal.type === 'int' || expr.literal.type === 'double'))
    found.numbers.add(Number(expr.literal.value));
  if (expr.kind === 'select' && expr.operand.kind === 'select' && MAPS.test(expr.operand.field))
    found.keys.add(expr.field);
  if (expr.kind === 'call') {
    for (const arg of expr.args)
      if (arg.kind === 'literal' && arg.literal.type === 'string') addKey(expr, arg.literal.value, found);
  }
  for (const child of childrenOf(expr)) collect(child, found);
}

const MAPS = /headers|params|cookies|trailers/i;

function addKey({ function: name }: Extract<Expr, { kind: 'call' }>, text: string, { keys }: Found): void {
  if (['_[_]', '_[?_]', '@in'].includes(name) || /^(?:get|has)[A-Z]/.test(name)) keys.add(text);
}

/** Varies one part of an exchange. */
type Variation = (parts: Parts, choices: Choices, random: Random) => void;

const changeHeaders: Variation = ({ headers }, { names, words }, random) => {
  const way = random(5);
  const old = headers[random(headers.length + 1)];
  if (way === 0) headers.splice(random(headers.length + 1), 1);
  else if (way === 1 && old !== undefined)
    headers[headers.indexOf(old)] = { name: old.name, value: pick(words, random, '1').trim() };
  else headers.push({ name: pick(names, random, 'x'), value: pick(words, random, '1').trim() });
};

const changeParameters: Variation = ({ parameters }, { names, words }, random) => {
  if (random(5) === 0) parameters.splice(random(parameters.length + 1), 1);
  else parameters.push([pick(names, random, 'q'), pick(words, random, '1')]);
};

/** Longer, shorter or joined from two. */
const changePath: Variation = (parts, { paths, words }, random) => {
  const path = pick(paths, random, '/');
  const way = random(7);
  const plain = /^[\w.~-]+$/;
  const word = pick(words, random, 'a');
  if (way === 0 && plain.test(word)) parts.path = `${path}${word}`;
  else if (way === 1) parts.path = `${path}${pick(paths, random, '/')}`;
  else if (way === 2) parts.path = `${path}/`;
  else if (way === 3) parts.path = path.slice(0, 1 + random(path.length));
  else if (way === 4) parts.path = path.replace(/\w/, one => `%${one.charCodeAt(0).toString(16)}`);
  else parts.path = path;
};

const DIMENSIONS: readonly Variation[] = [
  changeHeaders,
  changeHeaders,
  changePath,
  changePath,
  changeParameters,
  (parts, { methods }, random) => {
    parts.method = pick(methods, random, 'GET');
  },
  (parts, { hosts }, random) => {
    parts.host = pick(hosts, random, 'example.com');
    if (random(3) === 0) parts.names.serverName = pick(hosts, random, 'example.com');
  },
  (parts, { addresses }, random) => {
    parts.clientIp = pick(addresses, random, '198.51.100.7');
  },
  (parts, { countries }, random) => {
    parts.geo.countryCode = pick(countries, random, 'DE');
  },
  (parts, _, random) => {
    parts.scheme = random(2) === 0 ? 'http' : 'https';
  },
  ({ headers }, { numbers }, random) => {
    headers.push({ name: 'Content-Length', value: `${pick(numbers, random, 1)}` });
  },
  ({ headers }, { words }, random) => {
    headers.push({ name: 'User-Agent', value: pick(words, random, 'a').trim() });
  },
  ({ cookies }, { names, words }, random) => {
    cookies.push(`${pick(names, random, 'a')}=${pick(words, random, '1')}`);
  },
  (parts, { numbers }, random) => {
    const statuses = [200, 404, 500, ...numbers.filter(number => number >= 100 && number < 600)];
    parts.status = pick(statuses, random, 200);
  },
  ({ responseHeaders }, { names, words }, random) => {
    responseHeaders.push({ name: pick(names, random, 'x'), value: pick(words, random, '1').trim() });
  },
  (parts, { numbers }, random) => {
    const years = [1970, ...numbers.filter(number => number > 1970 && number < 3000)];
    if (random(2) === 0) parts.time = Date.UTC(pick(years, random, 2026), 0);
    parts.time += random(366 * 24) * 3_600_000;
  },
];

function pick<T>(from: readonly T[], random: Random, otherwise: T): T {
  return from[random(Math.max(1, from.length))] ?? otherwise;
}

/**
 * Returns exchanges that differ from this one in what the actions of rules depend on: headers that they name, addresses that they list,
 * paths that they rewrite. An action without effect on the original may have one on these.
 */
export function exchangeVariants(exchange: Exchange, rules: readonly Rule[]): readonly Exchange[] {
  const found = new Map<string, Exchange>();
  const hints = [...new Set(rules.flatMap(rule => rule.actions.flatMap(({ config }) => hintsIn(config))))];
  for (const hint of hints.slice(0, MAX_HINTS)) {
    for (const variant of variantsFor(exchange, hint)) found.set(JSON.stringify(variant), variant);
  }
  return [...found.values()];
}

const MAX_HINTS = 60;

/** Returns the exchange with credentials that actions of rules may admit; undefined if none asks for any. */
export function withCredentials(exchange: Exchange, rules: readonly Rule[]): Exchange | undefined {
  const fields = rules.flatMap(({ actions }) => actions.flatMap(credentialsFor));
  if (fields.length === 0) return undefined;
  const { requestHeaders } = exchange;
  const names = new Set(fields.map(({ name }) => name.toLowerCase()));
  const others = requestHeaders.fields.filter(({ name }) => !names.has(name.toLowerCase()));
  return { ...exchange, requestHeaders: { ...requestHeaders, fields: [...others, ...fields] } };
}

function credentialsFor({ type, config }: Rule['actions'][number]): readonly HeaderField[] {
  if (type.value === 'basic-auth' && Array.isArray(config.credentials)) {
    const [first] = config.credentials;
    return typeof first === 'string' ? [{ name: 'Authorization', value: `Basic ${base64Of(first)}` }] : [];
  }
  if (type.value === 'verify-webhook') {
    const name = SIGNATURE_HEADERS[String(config.provider)]?.at(-1);
    return name === undefined ? [] : [{ name, value: 'example' }];
  }
  if (type.value !== 'jwt-validation') return [];
  const { http, jws, issuer, audience } = config as Readonly<Record<string, Nested>>;
  const [alg, iss, aud] = [jws?.allowed_algorithms, issuer?.allow_list, audience?.allow_list].map(firstOf);
  const parts = [
    { alg: alg ?? 'RS256', typ: 'JWT' },
    { ...(iss && { iss }), ...(aud && { aud }) },
  ];
  const token = `${parts.map(part => urlSafe(base64Of(JSON.stringify(part)))).join('.')}.c2lnbmF0dXJl`;
  const places = Array.isArray(http?.tokens) ? (http.tokens as readonly Nested[]) : [];
  return places.flatMap(({ method, name, prefix }) =>
    method === 'header' && typeof name === 'string'
      ? [{ name, value: `${typeof prefix === 'string' ? prefix : ''}${token}` }]
      : [],
  );
}

type Nested = Readonly<Record<string, unknown>>;

/** Returns the first of a list of strings, or of objects with a value. */
function firstOf(list: unknown): string | undefined {
  const [first] = Array.isArray(list) ? (list as readonly unknown[]) : [];
  const value = typeof first === 'object' && first !== null ? (first as Nested).value : first;
  return typeof value === 'string' ? value : undefined;
}

function base64Of(text: string): string {
  return bytesToBase64(new TextEncoder().encode(text));
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns all strings in a configuration, keys included. */
function hintsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(hintsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...hintsIn(inner)]);
}

function variantsFor(exchange: Exchange, hint: string): readonly Exchange[] {
  const cidr = parseCidr(hint) ?? parseCidr(`${hint}/32`) ?? parseCidr(`${hint}/128`);
  if (cidr !== undefined) return addressesIn(cidr).map(one => ({ ...exchange, clientIp: addressString(one) }));
  if (HEADER_NAME.test(hint)) return [withHeader(exchange, hint)];
  const path = /^\^?(?:https?:\/\/[^/]*)?(\/[\w./-]*)/.exec(hint)?.[1];
  if (path !== undefined) return withPath(exchange, path);
  // What a pattern finds at the start of a URL may also be in a query.
  const start = /^\^?(\w+:\/\/)/.exec(hint)?.[1];
  return start === undefined ? [] : [withTarget(exchange, `${(exchange.target ?? '/').split('?')[0]}?${start}`)];
}

const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

function withHeader(exchange: Exchange, name: string): Exchange {
  const { requestHeaders } = exchange;
  if (requestHeaders.fields.some(field => field.name.toLowerCase() === name.toLowerCase())) return exchange;
  return {
    ...exchange,
    requestHeaders: { ...requestHeaders, fields: [...requestHeaders.fields, { name, value: 'a' }] },
  };
}

/** The path may be all of the URL's path, its beginning or a part of it; a query may contain it too. */
function withPath(exchange: Exchange, path: string): readonly Exchange[] {
  const [own = '/', query] = (exchange.target ?? '/').split('?');
  const targets = [
    path,
    `${path}${own}`,
    own === '/' ? `/x${path}` : `${own}${path}`,
    `${own}?${query ?? 'x'}&${path}`,
  ];
  return targets.map(target => withTarget(exchange, target));
}

function withTarget(exchange: Exchange, target: string): Exchange {
  const scheme = exchange.url?.startsWith('http:') ? 'http' : 'https';
  return { ...exchange, target, url: `${scheme}://${exchange.requestHeaders.fields[0]!.value}${target}` };
}
