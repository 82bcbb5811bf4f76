/** Runs the tests of a policy. */
import type { Policy, PolicyTest, PolicyTests, Rule, TestMessage, WrittenExchange } from '@tollgate/policy';
import { type Exchange, type HeaderFacts, normalizeAddress, type RecordLocation } from '@tollgate/traffic';
import type { Preparation } from '../conditions/prepare-policy.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import { splitUrl, targetOf } from '../exchange-state/url.ts';
import type { Decision } from '../simulation/decision.ts';
import { createSimulation, type Simulation } from '../simulation/simulation.ts';
import {
  checkDecision,
  type DecisionContext,
  type TestResult,
  type TestRun,
  type TestStatus,
} from './check-decision.ts';

/**
 * Runs the tests of a file against a policy without errors. Counters start at zero in each test. An expectation that depends on unknown inputs
 * fails.
 * @param options the profile and the environments that the policy was analysed with
 */
export function runTests(policy: Policy, file: PolicyTests, options: Preparation): TestRun {
  const isNarrowed = file.tests.some(test => test.only);
  const simulationOf = simulationsOf(policy, options);
  const rules: readonly Rule[] = options.profile.phases.flatMap(phase => policy.rules[phase]);
  const covered = rules.map(() => ({ matched: 0, notMatched: 0 }));
  const results = file.tests.map((test, index): TestResult => {
    const { name, skip } = test;
    if (isNarrowed && !test.only) return { name, status: 'left-out', mismatches: [] };
    if (skip !== undefined) return { name, status: 'skipped', reason: skip, mismatches: [] };
    const whole = { ...momentOf(file), ...test };
    const decision = decide(simulationOf(whole.seed), whole);
    for (const [at, { status }] of decision.rules.entries()) {
      if (status === 'matched') covered[at]!.matched++;
      if (status === 'not-matched') covered[at]!.notMatched++;
    }
    const context: DecisionContext = { rules, dialect: dialectOf(options.profile), path: ['tests', index, 'expect'] };
    const mismatches = checkDecision(test.expect, decision, context);
    return { name, status: mismatches.length > 0 ? 'failed' : 'passed', mismatches };
  });
  return { results, isNarrowed, counts: countsOf(results), coverage: covered };
}

function momentOf({ now, seed }: PolicyTests): Pick<PolicyTests, 'now' | 'seed'> {
  return { ...(now !== undefined && { now }), ...(seed !== undefined && { seed }) };
}

/** Compiles a policy once per seed. */
function simulationsOf(policy: Policy, { profile, environments }: Preparation) {
  const made = new Map<number | undefined, Simulation>();
  return (seed: number | undefined): Simulation => {
    const known = made.get(seed);
    if (known) return known;
    const simulation = createSimulation(policy, { profile, environments, ...(seed !== undefined && { seed }) });
    made.set(seed, simulation);
    return simulation;
  };
}

/** Decides the exchange as often as the test says; returns the last decision. */
function decide(simulation: Simulation, test: PolicyTest): Decision {
  const { name, times = 1 } = test;
  const run = simulation.begin();
  // Random numbers depend only on the name of the test, so that they stay the same when tests are added or the file is moved.
  const exchangeOf = (number: number) => testExchange(test, { file: name, number, unit: 'entry' });
  for (let number = 1; number < times; number++) run.decide(exchangeOf(number));
  return run.decide(exchangeOf(times));
}

function countsOf(results: readonly TestResult[]): TestRun['counts'] {
  const counts: Record<TestStatus, number> = { passed: 0, failed: 0, skipped: 0, 'left-out': 0 };
  for (const { status } of results) counts[status]++;
  return counts;
}

/** Returns the exchange that a test describes. Everything else is unknown. */
export function testExchange({ connection, request, response, now }: WrittenExchange, place: RecordLocation): Exchange {
  const { tls, client_ip: address } = connection ?? {};
  const url = request?.url;
  const parts = url === undefined ? undefined : splitUrl(url);
  return {
    place,
    time: now === undefined ? undefined : Date.parse(now),
    clientIp: address === undefined ? undefined : (normalizeAddress(address) ?? address),
    tls: { version: tls?.version, cipherSuite: tls?.cipher_suite, serverName: tls?.server_name },
    method: request?.method,
    target: parts && (targetOf(parts).startsWith('/') ? targetOf(parts) : `/${targetOf(parts)}`),
    url: parts && parts.scheme !== '' ? url!.replace(/#.*$/s, '') : undefined,
    protocol: request?.protocol,
    requestHeaders: headerFacts(request),
    response: response && { status: response.status, headers: headerFacts(response), bodySize: undefined },
  };
}

function headerFacts({ headers = {}, no_other_headers: complete = false }: TestMessage = {}): HeaderFacts {
  const entries = Object.entries(headers);
  const fields = entries.flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : (value ?? [])).map(one => ({ name, value: one })),
  );
  const absent = entries.flatMap(([name, value]) => (value === null ? [name.toLowerCase()] : []));
  return { fields, absent, complete, withheld: [] };
}
