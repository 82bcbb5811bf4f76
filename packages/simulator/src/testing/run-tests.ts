// Runs the tests of a policy.

import { type Profile, phasesAt, type VariableFact } from '@tollgate/catalog';
import type { NonValue, TypedAst } from '@tollgate/cel';
import { inlineBodies, nearest, unrollLists } from '@tollgate/cel/tooling';
import type { Policy, PolicyTest, PolicyTests, Rule } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { RunAction } from '../actions/effect.ts';
import { mayBeAssumed } from '../actions/registry.ts';
import { compileRules, type Preparation, type PreparedPhase } from '../conditions/prepare-policy.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import type { Coverage } from '../goals/collector.ts';
import type { Decision } from '../simulation/decision.ts';
import { createSimulation, type Simulation } from '../simulation/simulation.ts';
import type { DecisionTrace, DecisionWatch } from '../simulation/tracing.ts';
import { activationBuilder } from '../variables/activation.ts';
import { isStatable } from '../variables/variable-readers.ts';
import { checkDecision, type DecisionContext, type Mismatch } from './check-decision.ts';
import { testExchange } from './test-exchange.ts';

/**
 * Runs the tests of a file against a policy without errors. Counters start at zero in each test. An expectation that depends on unknown inputs
 * fails.
 * @param options the profile and the environments that the policy was analysed with
 * @param coverage collects which goals each test reaches, with the request that its expectations are about
 */
export function runTests(policy: Policy, file: PolicyTests, options: RunOptions, coverage?: Coverage): TestRun {
  const isNarrowed = file.tests.some(test => test.only);
  const { simulationOf = simulationsOf(policy, options) } = options;
  const rules: readonly Rule[] = options.profile.phases.flatMap(phase => policy.rules[phase]);
  const covered = rules.map(() => ({ matched: 0, notMatched: 0 }));
  const results = file.tests.map((test, index): TestResult => {
    const { name, skip } = test;
    if (isNarrowed && !test.only) return { name, status: 'left-out', mismatches: [] };
    if (skip !== undefined) return { name, status: 'skipped', reason: skip, mismatches: [] };
    const path = test.path ?? ['tests', index];
    const invalid = statementFaults(test, { policy, profile: options.profile, path });
    if (invalid.length > 0) return { name, status: 'failed', mismatches: invalid };
    const whole = { ...momentOf(file), ...test };
    const { decision, reached } = decide(simulationOf(whole), whole, coverage);
    for (const [at, { status }] of decision.rules.entries()) {
      if (status === 'matched') covered[at]!.matched++;
      if (status === 'not-matched') covered[at]!.notMatched++;
    }
    const context: DecisionContext = { rules, dialect: dialectOf(options.profile), path: [...path, 'expect'] };
    const mismatches = checkDecision(test.expect, decision, context);
    return { name, status: mismatches.length > 0 ? 'failed' : 'passed', mismatches, ...(reached && { reached }) };
  });
  return { results, isNarrowed, counts: countsOf(results), coverage: covered };
}

/** Returns a function that runs the tests of files and returns how they exercise the rules of a policy; undefined if there are none. */
export function coverageByTests(
  files: readonly PolicyTests[],
  options: Preparation,
): ((policy: Policy) => readonly RuleCoverage[]) | undefined {
  if (files.length === 0) return undefined;
  return policy => {
    const runs = files.map(file => runTests(policy, file, options).coverage);
    const sum = (index: number, key: keyof RuleCoverage) => runs.reduce((all, run) => all + run[index]![key], 0);
    return runs[0]!.map((_, index) => ({ matched: sum(index, 'matched'), notMatched: sum(index, 'notMatched') }));
  };
}

/** Returns what a file says for each of its tests. */
function momentOf({ now, seed }: PolicyTests): Pick<PolicyTests, 'now' | 'seed'> {
  return { ...(now !== undefined && { now }), ...(seed !== undefined && { seed }) };
}

/** What a policy was analysed with. */
interface RunOptions extends Preparation {
  /** Instead of compiling the policy for its tests. */
  readonly simulationOf?: SimulationOf;
}

/** Returns the simulation that decides what a test says. */
export type SimulationOf = (test: Pick<PolicyTest, 'seed' | 'assume'>) => Simulation;

/** Compiles a policy once per seed and assumptions. */
export function simulationsOf(policy: Policy, { profile, environments }: Preparation): SimulationOf {
  const made = new Map<string, Simulation>();
  return ({ seed, assume }) => {
    const key = assume === undefined ? `${seed}` : `${seed} ${JSON.stringify(assume)}`;
    const known = made.get(key);
    if (known) return known;
    const given = { ...(seed !== undefined && { seed }), ...(assume && { assume }) };
    const simulation = createSimulation(policy, { profile, environments, ...given });
    made.set(key, simulation);
    return simulation;
  };
}

/** Decides the earlier exchanges of a test and then its own, as often as it says; returns the last decision. */
function decide(
  simulation: Simulation,
  test: PolicyTest,
  coverage: Coverage | undefined,
): { readonly decision: Decision; readonly reached?: readonly number[] } {
  const run = simulation.begin();
  const { earlier, last } = exchangesOf(test);
  for (const exchange of earlier) run.decide(exchange);
  if (coverage === undefined) return { decision: run.decide(last) };
  const watch = coverage.watch();
  const decision = run.observe(last, watch);
  return { decision, reached: watch.reached(decision) };
}

/** Traces the decision that the expectations of a test are about. */
export function traceTest(
  policy: Policy,
  { file, test }: { readonly file: PolicyTests; readonly test: PolicyTest },
  options: Preparation,
): DecisionTrace {
  const whole = { ...momentOf(file), ...test };
  const run = simulationsOf(policy, options)(whole).begin();
  const { earlier, last } = exchangesOf(whole);
  for (const exchange of earlier) run.decide(exchange);
  return run.trace(last);
}

/** Returns the exchanges of a test, in order. The expectation is about the last one. */
function exchangesOf(test: PolicyTest): { readonly earlier: Iterable<Exchange>; readonly last: Exchange } {
  const { name, times = 1, after = [] } = test;
  // Random numbers depend only on the name of the test, so that they stay the same when tests are added or the file is moved.
  const place = (number: number) => ({ file: name, number, unit: 'entry' }) as const;
  const before = after.reduce((sum, { repeat = 1 }) => sum + repeat, 0);
  const count = before + times;
  return { earlier: earlierExchanges(test, place), last: testExchange(test, place(count)) };
}

function* earlierExchanges(test: PolicyTest, place: (number: number) => Exchange['place']): Iterable<Exchange> {
  const { times = 1, after = [], now } = test;
  let number = 0;
  for (const { repeat = 1, ...one } of after)
    for (let sent = 0; sent < repeat; sent++)
      yield testExchange({ ...(now !== undefined && { now }), ...one }, place(++number));
  for (let sent = 1; sent < times; sent++) yield testExchange(test, place(++number));
}

function countsOf(results: readonly TestResult[]): TestRun['counts'] {
  const counts: Record<TestStatus, number> = { passed: 0, failed: 0, skipped: 0, 'left-out': 0 };
  for (const { status } of results) counts[status]++;
  return counts;
}

/** The results of one test file. */
export interface TestRun {
  /** One result per test, in the order of the file. */
  readonly results: readonly TestResult[];
  /** Only tests with `only` were run. */
  readonly isNarrowed: boolean;
  readonly counts: Readonly<Record<TestStatus, number>>;
  /** One entry per rule, in the order of the phases. */
  readonly coverage: readonly RuleCoverage[];
}

/** The number of tests in which a rule matched, and in which it was evaluated without matching. */
export interface RuleCoverage {
  readonly matched: number;
  readonly notMatched: number;
}

/** `left-out`: other tests set `only`. */
export type TestStatus = 'passed' | 'failed' | 'skipped' | 'left-out';

/** The result of one test. */
export interface TestResult {
  readonly name: string;
  readonly status: TestStatus;
  /** Why it was skipped. */
  readonly reason?: string;
  /** The expectations that failed; empty unless the test failed. */
  readonly mismatches: readonly Mismatch[];
  /** Positions of the goals that it reaches, if coverage is collected and it ran. */
  readonly reached?: readonly number[];
}

// Where the tests of a policy reach its rules, to try other conditions there without running the tests again.

/** What a test reaches. */
export interface ObservedTest {
  /** Its position in the file. */
  readonly index: number;
  /** By the position of a rule: the states in which it is reached, one for each different request of the test. */
  readonly states: readonly (readonly TrafficState[])[];
  /** By the position of a rule: whether it ran, or may have. */
  readonly ran: readonly boolean[];
}

/** Runs the tests of a file that are not skipped, and returns what they reach. */
export function observeTests(policy: Policy, file: PolicyTests, options: Preparation): readonly ObservedTest[] {
  const simulationOf = simulationsOf(policy, options);
  const count = options.profile.phases.reduce((sum, phase) => sum + policy.rules[phase].length, 0);
  return file.tests.flatMap((test, index): readonly ObservedTest[] => {
    if (test.skip !== undefined) return [];
    const whole = { ...momentOf(file), ...test };
    const run = simulationOf(whole).begin();
    const states: TrafficState[][] = Array.from({ length: count }, () => []);
    const ran: boolean[] = Array.from({ length: count }, () => false);
    const observe = (decide: (watch: DecisionWatch) => Decision) => {
      const watch = new ReachWatch();
      const { rules } = decide(watch);
      for (const [rule, { status }] of rules.entries()) {
        const state = watch.states[rule];
        if (state !== undefined) states[rule]!.push(state);
        if (status === 'matched' || status === 'undetermined') ran[rule] = true;
      }
    };
    const { earlier, last } = exchangesOf(whole);
    const sent = (whole.after ?? []).length > 0;
    for (const exchange of earlier) {
      if (sent) observe(watch => run.observe(exchange, watch));
      else run.decide(exchange);
    }
    observe(watch => run.observe(last, watch));
    return [{ index, states, ran }];
  });
}

class ReachWatch implements DecisionWatch {
  readonly states: (TrafficState | undefined)[] = [];

  evaluate(_: PreparedPhase, __: TrafficState, evaluate: () => readonly (boolean | NonValue)[]) {
    return evaluate();
  }

  reach(_: PreparedPhase, __: number, state: TrafficState | undefined): void {
    this.states.push(state);
  }

  watched(actions: readonly RunAction[]): readonly RunAction[] {
    return actions;
  }
}

/** Returns what evaluates a condition of a phase in a state. */
export function conditionIn(
  { phase, expressions }: Pick<Rule, 'phase' | 'expressions'>,
  { endpoint }: Pick<Policy, 'endpoint'>,
  { profile, environments }: Preparation,
): (state: TrafficState) => boolean | NonValue {
  const environment = environments[phase];
  const typed = expressions.map(one => unrollLists(inlineBodies(one.typed as TypedAst, environment)));
  const build = activationBuilder(profile, { endpoint, phase }, typed);
  const conditions = compileRules([typed], environment);
  const results: (boolean | NonValue)[] = [];
  return state => {
    conditions.evaluateAll(build(state), results);
    return results[0]!;
  };
}

// What a test states although it cannot: variables that follow from the exchange, and assumptions about what the simulator decides.

/** What a test is about. */
interface TestedPolicy {
  readonly policy: Policy;
  readonly profile: Profile;
  /** Of the test in its file. */
  readonly path: Mismatch['path'];
}

/** Returns the statements of a test about variables and actions that have no effect, or not the one that is meant. */
function statementFaults(test: PolicyTest, { policy, profile, path }: TestedPolicy): readonly Mismatch[] {
  const { variables, assume, after } = test;
  if (variables === undefined && assume === undefined && after === undefined) return NO_MISMATCHES;
  const stated = [
    { at: [...path, 'variables'], variables },
    ...(after ?? []).map((one, index) => ({ at: [...path, 'after', index, 'variables'], variables: one.variables })),
  ];
  return [
    ...stated.flatMap(({ at, variables: values = {} }) =>
      Object.entries(values).flatMap(([name, value]) =>
        variableFault(name, value, profile).map(text => fault([...at, name], text)),
      ),
    ),
    ...Object.entries(assume ?? {}).flatMap(([action, assumption]) =>
      assumptionFault(action, assumption, { policy, profile }).map(text => fault([...path, 'assume', action], text)),
    ),
  ];
}

const NO_MISMATCHES: readonly Mismatch[] = [];

function variableFault(name: string, value: unknown, profile: Profile): readonly string[] {
  const fact = profile.variables.find(one => one.path === name);
  if (fact === undefined) {
    const meant = nearest(
      name,
      profile.variables.filter(one => isStatable(one.path, profile)).map(one => one.path),
    );
    return [`unknown variable \`${name}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`];
  }
  if (fact.setBy !== undefined) return [`\`${name}\` is a result of \`${fact.setBy}\`; state it under \`assume\``];
  if (!isStatable(name, profile)) return [`\`${name}\` follows from other parts of the exchange; state those`];
  return isOfType(value, fact.type)
    ? []
    : [`\`${name}\` is of type \`${fact.type}\`, found \`${JSON.stringify(value)}\``];
}

/** Null stands for an absent value. */
function isOfType(value: unknown, type: VariableFact['type']): boolean {
  if (value === null) return true;
  if (type.startsWith('list(')) {
    const element = type.slice('list('.length, -1);
    return Array.isArray(value) && value.every(one => isOfType(one, element));
  }
  switch (type) {
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'int':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'timestamp':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    default:
      return true;
  }
}

function assumptionFault(
  action: string,
  assumption: NonNullable<PolicyTest['assume']>[string],
  { policy, profile }: Omit<TestedPolicy, 'path'>,
): readonly string[] {
  const used = phasesAt(profile, policy.endpoint).flatMap(phase =>
    policy.rules[phase].flatMap(rule => rule.actions.map(one => one.type.value)),
  );
  if (!used.includes(action)) {
    const meant = nearest(action, used);
    return [`no rule has the action \`${action}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`];
  }
  if (!mayBeAssumed(action)) return [`what \`${action}\` does follows from the exchange; remove the assumption`];
  if (typeof assumption === 'string') return [];
  const results = profile.variables
    .filter(one => one.setBy === action)
    .map(one => one.path.split('.').slice(3).join('.'));
  return Object.keys(assumption).flatMap(name => {
    if (name === 'passes' || results.some(one => one === name || one.startsWith(`${name}.`))) return [];
    const meant = nearest(name, ['passes', ...results]);
    return [`\`${action}\` has no result \`${name}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`];
  });
}

function fault(path: Mismatch['path'], message: string): Mismatch {
  return { kind: 'invalid', path, message, expected: undefined, found: undefined, needs: [] };
}
