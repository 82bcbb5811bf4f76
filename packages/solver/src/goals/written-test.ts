// Traffic as a policy test: natural, with as little as it needs, and with the decision of today as its expectation.

import { phasesAt } from '@tollgate/catalog';
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
import type { Exchange } from '@tollgate/traffic';
import type { PolicyContext } from '../policy/session.ts';
import { type GoalSample, SEEDS } from './goal-questions.ts';
import { type NaturalWords, naturalExchange, naturalWords } from './natural-exchange.ts';

/** A test without its name. */
export type UnnamedTest = Omit<TestToWrite, 'name'>;

/** A decision on what a test states, with the goals that it reaches. */
export interface TestedDecision {
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
