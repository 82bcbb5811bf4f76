// Looks for an exchange that two policies decide differently, where proofs leave it open: exchanges are put together from the literals of
// both policies, and those for which their tests have new results are varied further. The same policies always lead to the same exchanges.

import type { Phase } from '@tollgate/catalog';
import { type Expr, type TypedAst, unparse } from '@tollgate/cel';
import { childrenOf, parseCidr } from '@tollgate/cel/tooling';
import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { exchangeOf, ordinaryParts, type Parts } from '../policy/exchange.ts';
import type { PolicyContext } from '../policy/session.ts';
import { addressesIn, addressString } from '../values/int-set.ts';

/** Returns the first exchange that is wanted; undefined if none of those that were tried is, which proves nothing. */
export function searchExchanges(
  policies: readonly Policy[],
  context: PolicyContext,
  isWanted: (exchange: Exchange) => boolean,
): Exchange | undefined {
  const choices = choicesFor(policies.flatMap(policy => Object.values(policy.rules).flat()));
  const resultsOf = testsOf(policies, context);
  const random = randomNumbers();
  const seen = new Set<string>();
  const kept: Parts[] = [];
  for (let round = 0; round < MAX_EXCHANGES; round++) {
    const isVaried = kept.length > 0 && random(3) > 0;
    const parts = isVaried ? copyOf(kept[random(kept.length)]!) : ordinaryParts();
    for (let count = isVaried ? 1 + random(2) : 1 + random(DIMENSIONS.length); count > 0; count--)
      DIMENSIONS[random(DIMENSIONS.length)]!(parts, choices, random);
    const exchange = exchangeOf(parts);
    if (isWanted(exchange)) return exchange;
    const results = resultsOf(exchange);
    if (seen.has(results)) continue;
    seen.add(results);
    kept.push(parts);
  }
  return undefined;
}

const MAX_EXCHANGES = 2000;

/** Returns what evaluates each test of the conditions by itself: a string that is equal where all have the same results. */
function testsOf(
  [policy, ...others]: readonly Policy[],
  { profile, environments }: PolicyContext,
): (exchange: Exchange) => string {
  const rules: Record<Phase, readonly Rule[]> = { ...policy!.rules };
  for (const phase of profile.phases) {
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
  const simulation = createSimulation({ ...policy!, enabled: true, rules }, { profile, environments });
  return exchange =>
    simulation
      .decide(exchange)
      .rules.map(({ status }) => status[0])
      .join('');
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

/** What parts of exchanges are chosen from. */
interface Choices {
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

function choicesFor(rules: readonly Rule[]): Choices {
  const found = { words: new Set(['', '1', '2', 'a']), keys: new Set<string>(), numbers: new Set([0, 1]) };
  for (const { expressions, actions } of rules) {
    for (const { typed } of expressions) if (typed !== undefined) collect(typed.ast.root, found);
    for (const { config } of actions) for (const hint of hintsIn(config)) found.words.add(hint);
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
    hosts: ['example.com', ...all.filter(word => /^[A-Za-z0-9][\w.-]*$/.test(word))],
    paths: ['/', '/index.html', ...paths, ...lengths.map(length => `/${'a'.repeat(length - 1)}`)],
    addresses: ['198.51.100.7', '2001:db8::7', ...networks.map(one => addressString(addressesIn(one)[0]))],
    countries: ['DE', '', ...all.filter(word => /^[A-Z]{2}$/.test(word))],
    numbers: [...found.numbers].flatMap(number => [number, number + 1, Math.max(0, number - 1)]),
  };
}

const MAX_LENGTH = 300;

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
  if (random(5) === 0) headers.splice(random(headers.length + 1), 1);
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

/** Returns all strings in a configuration, keys included. */
function hintsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(hintsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...hintsIn(inner)]);
}

function variantsFor(exchange: Exchange, hint: string): readonly Exchange[] {
  const cidr = parseCidr(hint) ?? parseCidr(`${hint}/32`) ?? parseCidr(`${hint}/128`);
  if (cidr !== undefined) return [{ ...exchange, clientIp: addressString(addressesIn(cidr)[0]) }];
  if (HEADER_NAME.test(hint)) return [withHeader(exchange, hint)];
  const path = /^\^?(?:https?:\/\/[^/]*)?(\/[\w./-]*)/.exec(hint)?.[1];
  return path === undefined ? [] : withPath(exchange, path);
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
  const host = exchange.requestHeaders.fields[0]!.value;
  const [own = '/', query] = (exchange.target ?? '/').split('?');
  const targets = [
    path,
    `${path}${own}`,
    own === '/' ? `/x${path}` : `${own}${path}`,
    `${own}?${query ?? 'x'}&${path}`,
  ];
  return targets.map(target => ({ ...exchange, target, url: `https://${host}${target}` }));
}
