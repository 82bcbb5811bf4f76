import { ipVersion } from '@tollgate/diagnostics/portable';
import { createSimulation, type Outcome, testExchange } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { type RunnablePolicy, simulationOptions } from './documents.ts';
import { OptionError, type PolicyOptions, runnablePolicy } from './policy-options.ts';

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
export function simulatorOf(
  runnable: RunnablePolicy,
  options: RunOptions,
): (request: TrafficRequest) => SimulateResult {
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
export function simulatorOptions({ now, seed, origin }: RunOptions) {
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
export function exchangeFor(request: TrafficRequest, number: number): Exchange {
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
