import type { Policy, PolicyTest, PolicyTests, Rule } from '@tollgate/policy';
import type { Decision } from '../decision/decision.ts';
import { dialectOf } from '../message/dialect.ts';
import type { Preparation } from '../preparation/prepare-policy.ts';
import { createSimulation, type Simulation } from '../simulation/simulation.ts';
import { checkDecision, type DecisionContext } from './check-decision.ts';
import { testExchange } from './test-exchange.ts';
import type { TestResult, TestRun, TestStatus } from './test-result.ts';

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
