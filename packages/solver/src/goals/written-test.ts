// Traffic as a policy test: natural, with as little as it needs, and with the decision of today as its expectation.

import { phasesAt } from '@tollgate/catalog';
import { parseCidr } from '@tollgate/cel/tooling';
import { isRecord } from '@tollgate/diagnostics';
import type {
  ActionAssumptions,
  Expectation,
  Policy,
  Rule,
  TestHeaders,
  TestToWrite,
  WrittenExchange,
} from '@tollgate/policy';
import {
  type Coverage,
  createSimulation,
  type Decision,
  dialectOf,
  expectationOf,
  hasResponse,
  reduceExchange,
  SIDES,
  type Simulation,
  testExchange,
  writtenExchange,
} from '@tollgate/simulator';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { choicesFor } from '../compare/search-exchanges.ts';
import { exchangeOf, ordinaryParts, type Parts, partsOf } from '../policy/exchange.ts';
import type { PolicyContext } from '../policy/session.ts';
import { addressesIn, addressString } from '../values/int-set.ts';
import { type GoalSample, SEEDS } from './goal-questions.ts';

/** A test without its name. */
export type UnnamedTest = Omit<TestToWrite, 'name'>;

/** A decision on what a test states, with the goals that it reaches. */
interface TestedDecision {
  readonly decision: Decision;
  readonly reached: ReadonlySet<number>;
}

/** What a test must show. */
interface Wanted {
  /** Whether traffic shows it, as the solver found it. */
  readonly inTraffic: (sample: GoalSample) => boolean;
  /** Whether a test shows it, of which everything else is unknown. */
  readonly inTest: (test: UnnamedTest, decided: TestedDecision) => boolean;
  /** The rules that it is about, the one that is reached first. */
  readonly about: readonly Rule[];
  /** The name of the test, which selects what is drawn at random. */
  readonly name?: string;
}

/** Writes tests of one policy. */
export class TestWriter {
  readonly #policy: Policy;
  readonly #context: PolicyContext;
  readonly #coverage: Coverage;
  readonly #words: NaturalWords;
  readonly #hasRequests: boolean;
  readonly #simulations = new Map<string, Simulation>();

  constructor(policy: Policy, context: PolicyContext, coverage: Coverage) {
    this.#policy = policy;
    this.#context = context;
    this.#coverage = coverage;
    const { profile, endpoint } = context;
    this.#hasRequests = phasesAt(profile, endpoint).some(phase =>
      hasResponse({ place: { endpoint, phase }, side: SIDES[phase] }),
    );
    this.#words = naturalWords(coverage.rules.map(one => one.rule));
  }

  /** Returns a test of traffic; undefined if no test can state it, or the decision on what it states is not certain. */
  write(sample: GoalSample, wanted: Wanted): UnnamedTest | undefined {
    const natural = this.#natural(sample, wanted);
    const seeds = sample.isDrawn ? [undefined, ...SEEDS] : [undefined];
    for (const seed of seeds) {
      const test = this.#writeWith(seed, { ...sample, exchange: natural }, wanted);
      if (test !== undefined) return test;
    }
    return undefined;
  }

  #writeWith(
    seed: number | undefined,
    { exchange: natural, times, assume }: GoalSample,
    { inTest, about, name }: Wanted,
  ): UnnamedTest | undefined {
    const given = (exchange: WrittenExchange, assumed = assume) => ({
      ...(seed !== undefined && { seed }),
      ...exchange,
      ...(times > 1 && { times }),
      ...(assumed && Object.keys(assumed).length > 0 && { assume: assumed }),
    });
    const { now, ...stated } = writtenExchange(natural);
    const whole = { ...(now !== undefined && { now: now.replace('.000Z', 'Z') }), ...stated };
    const expected = this.#expectation(given(whole), about, name);
    if (expected === undefined) return undefined;
    const keys = keysOf(expected);
    const isAsTelling = (exchange: WrittenExchange, assumed = assume) => {
      if (!isUrl(exchange.request?.url)) return false;
      const test = given(exchange, assumed);
      const expectation = this.#expectation(test, about, name);
      if (expectation === undefined || !inTest({ ...test, expect: expectation }, this.decide(test, name))) return false;
      const left = keysOf(expectation);
      return [...keys].every(key => left.has(key));
    };
    if (!isAsTelling(whole)) return undefined;
    const reduced = this.#reduced(whole, natural, isAsTelling);
    const test = given(
      reduced,
      reducedAssumptions(assume, less => isAsTelling(reduced, less)),
    );
    return { ...test, expect: this.#expectation(test, about, name)! };
  }

  /** Sending each try hundreds of times would take seconds; what reaches the rule once does so again. */
  #natural(sample: GoalSample, { inTraffic, about }: Pick<Wanted, 'inTraffic' | 'about'>): Exchange {
    const { exchange, times, assume } = sample;
    const matches = this.#coverage.rules.find(({ rule }) => rule === about[0])?.matches;
    if (times <= FEW_TIMES || matches === undefined)
      return naturalExchange(exchange, this.#words, one => inTraffic({ ...sample, exchange: one }));
    const isReached = (one: Exchange) => {
      const watch = this.#coverage.watch();
      return watch.reached(this.#simulation(true, assume).begin().observe(one, watch)).includes(matches);
    };
    const natural = naturalExchange(exchange, this.#words, isReached);
    return inTraffic({ ...sample, exchange: natural }) ? natural : exchange;
  }

  /** Decides what a test states as `tollgate test` does, and collects the goals that it reaches if the policy is enabled. */
  decide({ times = 1, assume, seed, ...written }: Omit<UnnamedTest, 'expect'>, name = 'test'): TestedDecision {
    const run = this.#simulation(true, assume, seed).begin();
    const exchange = testExchange(written, placeOf(name, times));
    for (let sent = 1; sent < times; sent++) run.decide(exchange);
    const watch = this.#coverage.watch();
    const decision = run.observe(exchange, watch);
    return { decision, reached: new Set(watch.reached(decision)) };
  }

  #expectation(
    { times = 1, assume, seed, ...written }: Omit<UnnamedTest, 'expect'>,
    about: readonly Rule[],
    name = 'test',
  ): Expectation | undefined {
    const run = this.#simulation(this.#policy.enabled, assume, seed).begin();
    const exchange = testExchange(written, placeOf(name, times));
    for (let sent = 1; sent < times; sent++) run.decide(exchange);
    return expectationOf(run.decide(exchange), { dialect: dialectOf(this.#context.profile), about });
  }

  #simulation(enabled: boolean, assume: ActionAssumptions | undefined, seed?: number): Simulation {
    const key = `${enabled} ${seed} ${JSON.stringify(assume ?? {})}`;
    let simulation = this.#simulations.get(key);
    const { profile, environments } = this.#context;
    simulation ??= createSimulation(
      { ...this.#policy, enabled },
      { profile, environments, assume, ...(seed !== undefined && { seed }) },
    );
    this.#simulations.set(key, simulation);
    return simulation;
  }

  /** Says which headers are absent by name, as people do, instead of that there are no others; leaves out what is not needed. */
  #reduced(
    whole: WrittenExchange,
    { target }: Exchange,
    isWanted: (part: WrittenExchange) => boolean,
  ): WrittenExchange {
    let current = whole;
    const attempt = (changed: WrittenExchange) => {
      if (isWanted(changed)) current = changed;
    };
    const { no_other_headers: _, ...request } = whole.request ?? {};
    attempt({ ...current, request: { ...request, headers: this.#named(request.headers) } });
    if (target?.startsWith('/')) attempt({ ...current, request: { ...current.request, url: target } });
    if (whole.response !== undefined) {
      const { no_other_headers: __, ...response } = whole.response;
      attempt({ ...current, response: { ...response, headers: this.#named(response.headers) } });
    }
    current = reduceExchange(current, isWanted);
    const { request: sent, ...silent } = current;
    if (!this.#hasRequests) attempt(silent);
    const { method, ...rest } = sent ?? {};
    if (method === 'GET') attempt({ ...current, request: rest });
    return current;
  }

  #named(headers: TestHeaders = {}): TestHeaders {
    const known = new Set(Object.keys(headers).map(name => name.toLowerCase()));
    const absent = this.#words.headers.filter(name => HEADER.test(name) && !known.has(name.toLowerCase()));
    return { ...headers, ...Object.fromEntries(absent.map(name => [name, null])) };
  }
}

const FEW_TIMES = 3;

/** As `tollgate test` numbers the requests of a test. */
function placeOf(name: string, number: number): Exchange['place'] {
  return { file: name, number, unit: 'entry' };
}

const HEADER = /^[A-Za-z][\w-]*$/;

/** Files of tests accept no other URLs: the solver and logs know hosts such as `a.1`, which are none. */
function isUrl(url: string | undefined): boolean {
  return url === undefined || url.startsWith('/') || URL.canParse(url);
}

/** Returns the assumptions that are needed. */
function reducedAssumptions(
  assume: ActionAssumptions | undefined,
  isWanted: (assume: ActionAssumptions) => boolean,
): ActionAssumptions | undefined {
  let current = assume;
  for (const type of Object.keys(assume ?? {})) {
    const { [type]: _, ...less } = current!;
    if (isWanted(less)) current = less;
  }
  return current;
}

/** Returns what an expectation states. The status of the upstream is left out: it depends on a response that the test need not state. */
function keysOf(expectation: Expectation): ReadonlySet<string> {
  const { status, ...rest } = expectation;
  const isOwn = status !== undefined && rest.outcome !== 'passed' && rest.outcome !== 'forwarded';
  return new Set([...(isOwn ? ['status'] : []), ...leavesOf(rest, '')]);
}

function leavesOf(value: unknown, path: string): readonly string[] {
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, `${path}/${key}`));
}

// An exchange as a person would write it: an ordinary host, path, method, address and agent, unless what it is for needs others.

/** The words of a policy, from which natural values are made. */
interface NaturalWords {
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
function naturalWords(rules: readonly Rule[]): NaturalWords {
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
function naturalExchange(exchange: Exchange, words: NaturalWords, isWanted: (exchange: Exchange) => boolean): Exchange {
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
