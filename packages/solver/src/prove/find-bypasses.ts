import type { Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation, type Decision, dependsOnOrder, SIDES } from '@tollgate/simulator';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { PolicyQuestions } from '../policy/can-match.ts';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import { type Upstream, upstreamView } from './upstreams.ts';

/** A request that reaches the upstream although it treats it as one that the policy refuses. */
export interface Bypass {
  /** The rule that refuses the plain request. */
  readonly rule: Rule;
  /** How the request is written differently: in one way, or in two that do not suffice alone. */
  readonly techniques: readonly Technique[];
  readonly upstream: Upstream;
  /** The request that passes; the simulator confirms it. */
  readonly exchange: Exchange;
  readonly decision: Decision;
  /** The plain request, which is refused. */
  readonly refused: Exchange;
}

/** What was found about the rules that keep requests from the upstream. */
export interface BypassFindings {
  /** At most one for each rule, technique or pair of techniques, and upstream. */
  readonly bypasses: readonly Bypass[];
  /** The rules for which requests were tried. */
  readonly tried: readonly Rule[];
  /** The rules for which no refused request was found. */
  readonly untried: readonly Rule[];
}

/** Looks for requests that a policy lets pass although an upstream treats them as requests that it refuses. */
export function findBypasses(policy: Policy, upstreams: readonly Upstream[], context: PolicyContext): BypassFindings {
  const search = new BypassSearch(policy, context);
  const rules = context.profile.phases.flatMap(phase => (SIDES[phase] === 'request' ? policy.rules[phase] : []));
  const found = rules.flatMap(rule => {
    const refused = search.refusedBy(rule);
    return refused === undefined ? [] : [{ rule, refused }];
  });
  const rulesTried = (isTried: boolean) =>
    found.filter(({ refused }) => refused.length > 0 === isTried).map(({ rule }) => rule);
  const bypasses = found.flatMap(({ rule, refused }) =>
    upstreams.flatMap(upstream => search.around(rule, refused, upstream)),
  );
  return { bypasses, tried: rulesTried(true), untried: rulesTried(false) };
}

class BypassSearch {
  readonly #rules: readonly Rule[];
  readonly #questions: PolicyQuestions;
  readonly #decide: (exchange: Exchange) => Decision;

  constructor(policy: Policy, context: PolicyContext) {
    const { profile, environments } = context;
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#questions = new PolicyQuestions(new SolverSession(context), policy);
    const simulation = createSimulation(policy, { profile, environments });
    const isFirst = dependsOnOrder(policy) !== undefined;
    this.#decide = exchange => (isFirst ? simulation.begin() : simulation).decide(exchange);
  }

  /** Returns requests that a rule refuses; undefined if it refuses none. */
  refusedBy(rule: Rule): readonly Exchange[] | undefined {
    const answer = this.#questions.canMatch(rule);
    if (answer.kind === 'impossible') return undefined;
    if (answer.kind === 'unknown') return [];
    const { exchange } = answer;
    const bases = [exchange, onOrdinaryHost(exchange)];
    const plain = [exchange, ...bases.flatMap(base => pathsIn(rule).map(path => withTarget(base, path)))];
    const all = [...plain, ...plain.flatMap(deeper), ...unordinary(exchange)];
    const refused = all.filter(one => this.#isRefusedBy(rule, this.#decide(one)));
    // A rule that only changes or logs requests refuses none.
    return refused.length === 0 ? undefined : refused;
  }

  #isRefusedBy(rule: Rule, decision: Decision): boolean {
    const result = decision.rules[this.#rules.indexOf(rule)]!;
    if (result.status !== 'matched' || decision.upstream.isAsked !== false) return false;
    const ending = result.actions.findLast(action => action.ending !== undefined)?.ending;
    // A redirect sends clients elsewhere; it keeps nobody out.
    return ending !== undefined && ending.outcome.kind !== 'redirected';
  }

  around(rule: Rule, refused: readonly Exchange[], upstream: Upstream): readonly Bypass[] {
    const found = new Map<string, Bypass>();
    const attempt = (plain: Exchange, techniques: readonly Technique[], exchange: Exchange) => {
      const name = techniques.toSorted().join();
      if (found.has(name) || upstreamView(exchange, upstream) !== upstreamView(plain, upstream)) return;
      const decision = this.#decide(exchange);
      if (decision.upstream.isAsked === true)
        found.set(name, { rule, techniques, upstream, exchange, decision, refused: plain });
    };
    const seen = refused.filter(plain => {
      const view = upstreamView(plain, upstream);
      return view !== undefined && !this.#isForItsSpelling(plain, { upstream, view });
    });
    for (const plain of seen) {
      for (const { technique, exchange } of disguisesOf(plain)) attempt(plain, [technique], exchange);
    }
    // Techniques that suffice alone say nothing in pairs.
    const others = (all: readonly Disguise[]) => fewOfEach(all.filter(({ technique }) => !found.has(technique)));
    for (const plain of seen.slice(0, MAX_COMBINED)) {
      for (const first of others(disguisesOf(plain))) {
        for (const second of others(disguisesOf(first.exchange))) {
          if (second.technique !== first.technique)
            attempt(plain, [first.technique, second.technique], second.exchange);
        }
      }
    }
    return [...found.values()];
  }

  /** Whether the policy refuses a request for how it is written: the same one in its usual spelling passes. */
  #isForItsSpelling(
    plain: Exchange,
    { upstream, view }: { readonly upstream: Upstream; readonly view: string },
  ): boolean {
    const [path = '/', ...query] = (plain.target ?? '/').split('?');
    const usual = usualSpelling(path);
    if (usual === path) return false;
    const exchange = withTarget(plain, [usual, ...query].join('?'));
    return upstreamView(exchange, upstream) === view && this.#decide(exchange).upstream.isAsked === true;
  }
}

/** Returns a path without doubled slashes, dot segments, path parameters and encoded letters. */
function usualSpelling(path: string): string {
  const decoded = path.replace(/%(?:[46][1-9A-F]|[57][0-9A])/gi, code =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  const plain = decoded
    .replaceAll('\\', '/')
    .replace(/;[^/]*/g, '')
    .replace(/\/{2,}/g, '/');
  return new URL(plain, 'https://e.co').pathname;
}

/** Refused requests whose disguises are disguised again. */
const MAX_COMBINED = 4;
/** Disguises of one technique that are combined with others. */
const MAX_OF_EACH = 6;

function fewOfEach(disguises: readonly Disguise[]): readonly Disguise[] {
  return [...Map.groupBy(disguises, ({ technique }) => technique).values()].flatMap(all => all.slice(0, MAX_OF_EACH));
}

/** Returns the request on a host that no condition is likely to name: a condition about a URL may hold because of the host alone. */
function onOrdinaryHost(exchange: Exchange): Exchange {
  const { requestHeaders, target } = exchange;
  const fields = requestHeaders.fields.map(field => (field.name === 'Host' ? { ...field, value: HOST } : field));
  return { ...exchange, url: `https://${HOST}${target}`, requestHeaders: { ...requestHeaders, fields } };
}

const HOST = 'example.com';

/** Returns the paths that the conditions of a rule name, as strings or at the start of patterns. */
function pathsIn({ expressions }: Rule): readonly string[] {
  const strings = expressions.flatMap(({ typed }) => (typed === undefined ? [] : stringsIn(typed.ast.root)));
  return [...new Set(strings.flatMap(text => /^\^?(\/[\w./-]*)/.exec(text)?.[1] ?? []))].slice(0, MAX_PATHS);
}

const MAX_PATHS = 20;

function stringsIn(expr: Expr): readonly string[] {
  if (expr.kind === 'literal') return expr.literal.type === 'string' ? [expr.literal.value] : [];
  return childrenOf(expr).flatMap(stringsIn);
}

/** Returns requests below the path: a rule about a directory refuses them, too. */
function deeper(exchange: Exchange): readonly Exchange[] {
  const [path = '/', query] = (exchange.target ?? '/').split('?');
  const paths = path.endsWith('/') ? [`${path}x`, `${path}x/y`] : [`${path}/`, `${path}/x`];
  return paths.map(one => withTarget(exchange, query === undefined ? one : `${one}?${query}`));
}

/** Returns requests with values that rules often name. */
function unordinary(exchange: Exchange): readonly Exchange[] {
  return exchange.clientIp?.includes(':') ? [{ ...exchange, clientIp: '198.51.100.7' }] : [];
}

/** A way to write a request differently. */
type Technique =
  | 'encoded characters'
  | 'doubled slashes'
  | 'dot segments'
  | 'path parameters'
  | 'letter case'
  | 'trailing slash'
  | 'backslash'
  | 'form of the host'
  | 'repeated headers'
  | 'repeated parameters';

/** A request that is written differently. */
interface Disguise {
  readonly technique: Technique;
  readonly exchange: Exchange;
}

/** Returns the request in other spellings, the simplest of each technique first. */
export function disguisesOf(exchange: Exchange): readonly Disguise[] {
  const [path = '/', query] = splitTarget(exchange.target ?? '/');
  const paths = Object.entries(PATHS).flatMap(([technique, spell]) =>
    [...new Set(spell(path))]
      .filter(one => one !== path)
      .map(one => ({
        technique: technique as Technique,
        exchange: withTarget(exchange, query === undefined ? one : `${one}?${query}`),
      })),
  );
  return [...paths, ...hosts(exchange), ...headers(exchange), ...parameters(exchange)];
}

function splitTarget(target: string): readonly [path: string, query: string | undefined] {
  const at = target.indexOf('?');
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

/** Returns the exchange with another path and query. */
function withTarget(exchange: Exchange, target: string): Exchange {
  const [, origin = ''] = /^([a-z]+:\/\/[^/?#]*)/.exec(exchange.url ?? '') ?? [];
  return { ...exchange, target, url: `${origin}${target}` };
}

const PATHS: Partial<Record<Technique, (path: string) => readonly string[]>> = {
  'encoded characters': path => [
    ...lettersOf(path).map(at => spliced(path, at, encoded(path[at]!))),
    ...slashesOf(path).flatMap(at => (at === 0 ? [] : [spliced(path, at, '%2F')])),
    path.replace(/[A-Za-z]/g, encoded),
  ],
  'doubled slashes': path => slashesOf(path).map(at => spliced(path, at, '//')),
  'dot segments': path => [
    ...slashesOf(path).flatMap(at => ['/./', '/x/../', '/%2e/', '/x/%2e%2e/'].map(dots => spliced(path, at, dots))),
    path.endsWith('/') ? `${path}.` : `${path}/.`,
  ],
  'path parameters': path => [
    ...slashesOf(path).flatMap(at => (at === 0 ? ['/;x/', '/x/..;/'] : [';x/']).map(one => spliced(path, at, one))),
    path.endsWith('/') ? path.replace(/\/$/, ';x/') : `${path};x`,
  ],
  'letter case': path => [
    path.toUpperCase(),
    path.toLowerCase(),
    ...lettersOf(path).map(at => spliced(path, at, swapped(path[at]!))),
  ],
  'trailing slash': path => (path.endsWith('/') && path !== '/' ? [path.slice(0, -1)] : [`${path}/`]),
  backslash: path => slashesOf(path).flatMap(at => (at === 0 ? [] : ['\\', '%5C'].map(one => spliced(path, at, one)))),
};

function lettersOf(path: string): readonly number[] {
  return [...path.matchAll(/(?<!%[0-9A-Fa-f]?)[A-Za-z]/g)].map(({ index }) => index);
}

function slashesOf(path: string): readonly number[] {
  return [...path.matchAll(/\//g)].map(({ index }) => index);
}

function spliced(text: string, at: number, replacement: string): string {
  return `${text.slice(0, at)}${replacement}${text.slice(at + 1)}`;
}

function encoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function hosts(exchange: Exchange): readonly Disguise[] {
  const [own, ...fields] = exchange.requestHeaders.fields;
  if (own?.name !== 'Host' || own.value.startsWith('[')) return [];
  const [name = '', port] = own.value.split(':');
  const forms = [`${name}.`, name.toUpperCase()].map(form => (port === undefined ? form : `${form}:${port}`));
  return forms.map(host => ({
    technique: 'form of the host',
    exchange: {
      ...withFields(exchange, [{ name: 'Host', value: host }, ...fields]),
      url: exchange.url?.replace(/\/\/[^/?#]*/, () => `//${host}`),
    },
  }));
}

function withFields(exchange: Exchange, fields: readonly HeaderField[]): Exchange {
  return { ...exchange, requestHeaders: { ...exchange.requestHeaders, fields } };
}

function headers(exchange: Exchange): readonly Disguise[] {
  const { fields } = exchange.requestHeaders;
  return fields.flatMap((field, at): readonly Disguise[] => {
    if (field.name === 'Host') return [];
    const other = { name: field.name, value: OTHER_VALUE };
    return [[field, other] as const, [other, field] as const].map(pair => ({
      technique: 'repeated headers',
      exchange: withFields(exchange, fields.toSpliced(at, 1, ...pair)),
    }));
  });
}

const OTHER_VALUE = 'x';

function parameters(exchange: Exchange): readonly Disguise[] {
  const [path, query] = splitTarget(exchange.target ?? '/');
  if (query === undefined || query === '') return [];
  const all = query.split('&');
  return all.flatMap((parameter, at): readonly Disguise[] => {
    const other = `${parameter.split('=')[0]}=${OTHER_VALUE}`;
    return [[parameter, other] as const, [other, parameter] as const].map(pair => ({
      technique: 'repeated parameters',
      exchange: withTarget(exchange, `${path}?${all.toSpliced(at, 1, ...pair).join('&')}`),
    }));
  });
}
