// Runs a policy: on one request, on recorded traffic, and on policy tests.

import { SourceText } from '@tollgate/diagnostics';
import { ipVersion } from '@tollgate/diagnostics/portable';
import { type ParsedSettings, parseTests, rangeAt, testsIn, type WrittenTests } from '@tollgate/policy';
import {
  createSimulation,
  type Outcome,
  type PolicySummary,
  PolicyTally,
  replay as replayFiles,
  runTests,
  type TestRun,
  testExchange,
  verdictOf,
} from '@tollgate/simulator';
import type { Exchange, ReadTrafficOptions, TrafficReader } from '@tollgate/traffic';
import { hasErrors, type RunnablePolicy, simulationOptions } from './documents.ts';
import { findingsIn, OptionError, PolicyError, type PolicyOptions, runnablePolicy } from './policy-options.ts';

/** The options of {@link simulate} and `replay`. */
export interface RunOptions extends PolicyOptions {
  /** Current time for the policy; by default the time of each request. */
  readonly now?: Date;
  /** Seed for random functions; without it, their results are unknown. */
  readonly seed?: number;
  /** Scheme and host for requests with a path only, such as `https://example.com`. */
  readonly origin?: string;
}

/** What one rule did. */
export interface RuleOutcome {
  readonly phase: string;
  /** One-based, within the phase. */
  readonly number: number;
  readonly name: string | undefined;
  readonly status: 'matched' | 'not-matched' | 'failed' | 'undetermined' | 'not-reached';
}

/** The result of {@link simulate}. */
export interface SimulateResult {
  /** The certain outcome; undefined if it depends on unknown inputs. */
  readonly outcome: Outcome | undefined;
  /** Every possible outcome; one, unless undetermined. */
  readonly outcomes: readonly Outcome[];
  /** Inputs that would decide the outcome, such as `conn.ClientIP`; empty if it is certain. */
  readonly needs: readonly string[];
  /** All rules, in policy order. */
  readonly rules: readonly RuleOutcome[];
}

/** Runs a policy on one request. Throws a `PolicyError` if the policy has errors, and an `OptionError` for an invalid request. */
export function simulate(policy: string, request: TrafficRequest, options: RunOptions = {}): SimulateResult {
  return simulatorOf(runnablePolicy(policy, options), options)(request);
}

/** Returns a function that runs a policy on one request. */
function simulatorOf(runnable: RunnablePolicy, options: RunOptions): (request: TrafficRequest) => SimulateResult {
  const { decide } = createSimulation(runnable.policy, { ...runnable, ...simulatorOptions(options) });
  const described = runnable.profile.phases.flatMap(phase =>
    runnable.policy.rules[phase].map(({ name }, index) => ({ phase, number: index + 1, name: name?.value })),
  );
  return request => {
    const { outcomes, needs, rules } = decide(exchangeFor(request, 1));
    return {
      outcome: outcomes.length === 1 ? outcomes[0] : undefined,
      outcomes,
      needs,
      rules: described.map((rule, index) => ({ ...rule, status: rules[index]!.status })),
    };
  };
}

/** Returns the options in the form of the simulator. */
function simulatorOptions({ now, seed, origin }: RunOptions) {
  return simulationOptions({ now: now?.getTime(), seed, origin });
}

/** Headers by name; null for a header that is not sent. */
export type Headers = Readonly<Record<string, string | readonly string[] | null>>;

/** A request, as much of it as is known. What is left out, other than headers, is unknown to the policy. */
export interface TrafficRequest {
  /** `GET` by default. */
  readonly method?: string;
  /** Absolute, or a path with its query if scheme and host are unknown. */
  readonly url: string;
  readonly headers?: Headers;
  /** False if other headers than the given ones may have been sent; true by default. */
  readonly hasAllHeaders?: boolean;
  /** IPv4 or IPv6 address. */
  readonly clientAddress?: string;
  /** ISO 3166-1 alpha-2 code of the client's country, such as `DE`. */
  readonly country?: string;
  /** Such as `HTTP/1.1`. */
  readonly protocol?: string;
  /** Such as `TLS 1.3`. */
  readonly tlsVersion?: string;
  readonly time?: Date;
  /** The response of the upstream, if known. */
  readonly response?: { readonly status?: number; readonly headers?: Headers };
}

/** Returns the exchange with a request. Throws an {@link OptionError} for an invalid URL or address. */
function exchangeFor(request: TrafficRequest, number: number): Exchange {
  const { method = 'GET', url, headers = {}, hasAllHeaders = true, clientAddress, country } = request;
  if (clientAddress !== undefined && ipVersion(clientAddress) === 0)
    throw new OptionError(`\`clientAddress\` expects an IP address, found \`${clientAddress}\``);
  const host = hostOf(url);
  const named = new Set(Object.keys(headers).map(name => name.toLowerCase()));
  const sent = host === undefined || named.has('host') ? headers : { Host: host, ...headers };
  const { protocol, tlsVersion, time, response } = request;
  const exchange = testExchange(
    {
      ...(time && { now: time.toISOString() }),
      connection: {
        ...(clientAddress !== undefined && { client_ip: clientAddress }),
        ...(tlsVersion !== undefined && { tls: { version: tlsVersion } }),
      },
      request: { method, url, headers: sent, no_other_headers: hasAllHeaders, ...(protocol && { protocol }) },
      ...(response && { response: { ...response, no_other_headers: hasAllHeaders } }),
    },
    { file: 'request', number, unit: 'entry' },
  );
  return country === undefined ? exchange : { ...exchange, geo: { ...exchange.geo, countryCode: country } };
}

/** Returns the host of an absolute URL, and undefined for a path. */
function hostOf(url: string): string | undefined {
  if (url.startsWith('/')) return undefined;
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url).host;
  throw new OptionError(`\`url\` expects a URL such as \`https://example.com/a\`, or a path, found \`${url}\``);
}

/** The options of {@link replay}. */
export interface ReplayOptions extends PolicyOptions, RunOptions {
  /** Reads files: `FILE_READER` of `@tollgate/traffic-node`. Needed for paths of recordings only. */
  readonly reader?: TrafficReader;
  /** How to read files; the format is detected by default. */
  readonly reading?: Pick<ReadTrafficOptions, 'format' | 'logFormat' | 'mapping' | 'strict'>;
  /** Paths of MaxMind databases that locate client addresses. */
  readonly geoip?: readonly string[];
}

/** Paths of recordings, or requests in the order of their time. */
export type Traffic = readonly string[] | Iterable<TrafficRequest> | AsyncIterable<TrafficRequest>;

/** The result of {@link replay}. */
export interface ReplayResult extends PolicySummary {
  /** Number of exchanges that the policy ran on. */
  readonly exchanges: number;
  /** Number of records that are not exchanges. */
  readonly skipped: number;
  /** The files that could not be read to the end, and why. */
  readonly failures: readonly { readonly file: string; readonly code: string; readonly message: string }[];
}

/**
 * Runs a policy on recorded traffic and counts what it does. Rate limits and circuit breakers keep their state from request to request.
 * Throws a `PolicyError` if the policy has errors, and an `OptionError` for an invalid request, or for paths without a reader.
 */
export async function replay(policy: string, traffic: Traffic, options: ReplayOptions = {}): Promise<ReplayResult> {
  return replayerOf(runnablePolicy(policy, options), options)(traffic);
}

/** Returns a function that runs a policy on recorded traffic. */
function replayerOf(runnable: RunnablePolicy, options: ReplayOptions): (traffic: Traffic) => Promise<ReplayResult> {
  return async traffic => {
    const files = pathsIn(traffic);
    return files === undefined
      ? replayRequests(runnable, traffic as Iterable<TrafficRequest>, options)
      : replayRecordings(runnable, files, options);
  };
}

async function replayRecordings(
  runnable: RunnablePolicy,
  files: readonly string[],
  options: ReplayOptions,
): Promise<ReplayResult> {
  const { reader } = options;
  if (reader === undefined)
    throw new OptionError('recordings need a `reader`; pass `FILE_READER` of `@tollgate/traffic-node`');
  const {
    exchanges,
    skipped,
    files: read,
    ...summary
  } = await replayFiles(runnable.policy, {
    ...runnable,
    ...simulatorOptions(options),
    files,
    reader,
    ...(options.reading && { traffic: options.reading }),
    ...(options.geoip && { geoip: options.geoip }),
  });
  const failures = read.flatMap(({ file, failure }) =>
    failure ? [{ file, code: failure.code, message: failure.message }] : [],
  );
  return { ...summary, exchanges, skipped: skipped.reduce((sum, { count }) => sum + count, 0), failures };
}

async function replayRequests(
  runnable: RunnablePolicy,
  requests: Iterable<TrafficRequest> | AsyncIterable<TrafficRequest>,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const run = createSimulation(runnable.policy, { ...runnable, ...simulatorOptions(options) }).begin();
  const tally = new PolicyTally(runnable.policy, runnable);
  let exchanges = 0;
  for await (const request of requests) {
    const exchange = exchangeFor(request, ++exchanges);
    tally.add(exchange, verdictOf(run.decide(exchange)));
  }
  return { ...tally.summary(run.late()), exchanges, skipped: 0, failures: [] };
}

function pathsIn(traffic: Traffic): readonly string[] | undefined {
  const isPaths = Array.isArray(traffic) && traffic.every(one => typeof one === 'string');
  return isPaths ? (traffic as readonly string[]) : undefined;
}

/** A checked and compiled policy, for any number of requests and replays. Each call starts from a fresh state of rate limits. */
export interface PolicyRunner {
  /** Runs the policy on one request. Throws an `OptionError` for an invalid request. */
  readonly simulate: (request: TrafficRequest) => SimulateResult;
  /** Runs the policy on recorded traffic, as `replay` does. */
  readonly replay: (traffic: Traffic) => Promise<ReplayResult>;
}

/** Checks and compiles a policy once, to run it repeatedly. Throws a `PolicyError` if the policy has errors. */
export function prepare(policy: string, options: ReplayOptions = {}): PolicyRunner {
  const runnable = runnablePolicy(policy, options);
  return { simulate: simulatorOf(runnable, options), replay: replayerOf(runnable, options) };
}

/** The options of {@link test}. */
export interface TestOptions extends PolicyOptions {
  /** File name of the tests in findings; `policy.test.yaml` by default. */
  readonly testsFile?: string;
}

/** The result of {@link test}. */
export interface TestPolicyResult extends TestRun {
  /** True if no test failed. */
  readonly isPassed: boolean;
}

/**
 * Runs policy tests in YAML or JSON. Their key `policy` is ignored, since the policy is given; `profile` and `endpoint` apply unless
 * overridden. Throws a {@link PolicyError} if the policy or the tests have errors, or if the tests extend a file, since none is read.
 */
export function test(policy: string, tests: string, options: TestOptions = {}): TestPolicyResult {
  const source = new SourceText(options.testsFile ?? 'policy.test.yaml', tests);
  const parsed = parseTests(source);
  refuseExtends(parsed, source);
  const { value, diagnostics } = testsIn(parsed, source);
  if (value === undefined || hasErrors(diagnostics)) throw new PolicyError(findingsIn(source, diagnostics));
  const { profile, endpoint } = value;
  const runnable = runnablePolicy(policy, { ...(profile && { profile }), ...(endpoint && { endpoint }), ...options });
  const run = runTests(runnable.policy, value, runnable);
  return { ...run, isPassed: run.counts.failed === 0 };
}

function refuseExtends({ value, root }: ParsedSettings<WrittenTests>, source: SourceText): void {
  if (value?.extends === undefined || root === undefined) return;
  const message = 'no file is read, so tests cannot extend one; write its fixtures into the tests';
  const range = rangeAt(root, { path: ['extends'] });
  const fault = { code: 'test/invalid', severity: 'error', message, uri: source.uri, range, args: {} } as const;
  throw new PolicyError(findingsIn(source, [fault]));
}
