// What the tests of a run reach of each policy, and what none can reach. Loaded only for coverage.

import type { Profile } from '@tollgate/catalog';
import { humanPosition } from '@tollgate/diagnostics';
import {
  type EmbeddedPolicy,
  type PhaseEnvironments,
  type Policy,
  type PolicyTests,
  partAddress,
  type Rule,
  rangeInFile,
  type TestToWrite,
} from '@tollgate/policy';
import { type Coverage, prepareCoverage, runTests, type TestRun } from '@tollgate/simulator';
import {
  type GoalContext,
  goalContext,
  judgeMutants,
  type MissingTests,
  type MutationRun,
  missingTests,
} from '@tollgate/solver';
import type { CoveredGoal, PolicyCoverage } from './coverage-result.ts';
import type { PolicyMutants, ReportedMutant } from './mutation-result.ts';

/** A policy to run tests against, and what it was analysed with. */
interface RunnablePolicy {
  readonly policy: Policy;
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
}

/** A policy that tests run against. */
export interface TestedTarget {
  readonly embedded: EmbeddedPolicy;
  readonly runnable: RunnablePolicy;
  readonly profile: Profile;
}

/** Coverage of all policies of a run: several files may test the same one. */
export class CoverageOfRun {
  readonly #policies = new Map<string, CollectedPolicy>();

  /** Runs tests and collects what they reach. */
  run(target: TestedTarget, tests: PolicyTests, path: string): TestRun {
    const { embedded, runnable, profile } = target;
    const { policy } = runnable;
    const key = `${embedded.file.uri}#${partAddress(embedded.path)} ${profile.name} ${policy.endpoint}`;
    let found = this.#policies.get(key);
    if (found === undefined) {
      found = new CollectedPolicy(target);
      this.#policies.set(key, found);
    }
    return found.run(tests, path);
  }

  /** Returns what was reached, for all policies in the order in which they were first tested. */
  results(thresholdOf: (file: string) => number | undefined): readonly PolicyCoverage[] {
    return Array.from(this.#policies.values(), one => one.result(thresholdOf(one.file)));
  }

  /** Returns the policies that were tested, in that order. */
  policies(): readonly CollectedPolicy[] {
    return [...this.#policies.values()];
  }
}

/** What the tests of one policy reach. */
export class CollectedPolicy {
  readonly #target: TestedTarget;
  readonly #coverage: Coverage;
  #context: GoalContext | undefined;
  /** The tests, by file. */
  readonly #files = new Map<string, PolicyTests>();
  /** Names of tests, by goal. */
  readonly #tests: readonly string[][];
  /** Tests that reach a rule. */
  readonly #reached: number[];

  constructor(target: TestedTarget) {
    const { policy } = target.runnable;
    this.#target = target;
    this.#coverage = prepareCoverage(policy, target.runnable);
    this.#tests = this.#coverage.goals.map(() => []);
    this.#reached = this.#coverage.rules.map(() => 0);
  }

  get file(): string {
    return this.#target.embedded.file.uri;
  }

  get name(): string {
    const { embedded } = this.#target;
    const part = partAddress(embedded.path);
    return part === '' ? embedded.file.uri : `${embedded.file.uri}#${part}`;
  }

  /** The file with most tests of the policy: where more belong. */
  get testFile(): string {
    const files = [...this.#files].toSorted(([, a], [, b]) => b.tests.length - a.tests.length);
    return files[0]![0];
  }

  run(tests: PolicyTests, path: string): TestRun {
    this.#files.set(path, tests);
    const { runnable } = this.#target;
    const { policy } = runnable;
    const run = runTests(policy, tests, runnable, this.#coverage);
    // What a disabled policy would do is counted; what it does is what the tests expect.
    const counted = policy.enabled ? run : runTests({ ...policy, enabled: true }, tests, runnable, this.#coverage);
    for (const { name, reached = [] } of counted.results) {
      for (const goal of reached) this.#tests[goal]!.push(name);
      const rules = new Set(reached.flatMap(goal => this.#coverage.goals[goal]!.rule ?? []));
      for (const rule of rules) this.#reached[rule]!++;
    }
    return run;
  }

  result(threshold: number | undefined): PolicyCoverage {
    const { embedded, runnable } = this.#target;
    const { goals, rules } = this.#coverage;
    const { policy } = runnable;
    const { questions } = this.context;
    return {
      name: this.name,
      source: embedded.file,
      rules: rules.map(({ rule }, at) => ({
        label: ruleLabel(rule),
        range: rangeInFile(embedded, rule.name?.range ?? rule.range),
        reached: this.#reached[at]!,
      })),
      goals: goals.map((goal, at): CoveredGoal => {
        const { range, members: _, impossible: __, ...rest } = goal;
        const place = { ...rest, range: rangeInFile(embedded, range), tests: this.#tests[at]! };
        if (this.#tests[at]!.length > 0) return { ...place, state: 'reached' };
        const answer = questions.answer(at);
        if (answer.kind !== 'impossible') return { ...place, state: 'open' };
        return { ...place, state: 'impossible', reason: answer.reason ?? this.#why(answer.because) };
      }),
      isDisabled: !policy.enabled,
      threshold,
    };
  }

  /** Returns tests that reach what no test reaches, and those that notice the mistakes that no test notices then. */
  missing(): Pick<MissingTests, 'open'> & { readonly tests: readonly TestToWrite[] } {
    const reached = new Set(this.#tests.flatMap((tests, goal) => (tests.length > 0 ? [goal] : [])));
    const file = this.#files.get(this.testFile)!;
    const names = new Set(file.tests.flatMap(({ name, table = name }) => [name, table]));
    const { tests, open } = missingTests(this.context, { reached, names });
    const written = tests.map(one => one.test);
    const { mutants } = this.#judge([...this.#files.values(), { ...file, tests: written }]);
    const telling = mutants.flatMap(({ verdict }) => (verdict.kind === 'survived' ? (verdict.test ?? []) : []));
    const all = [...new Set([...written, ...telling])];
    const { runnable } = this.#target;
    const enabled = { ...runnable.policy, enabled: true };
    const { results } = runTests(enabled, { ...file, tests: all }, runnable, this.#coverage);
    const isReached = new Set(results.flatMap(one => one.reached ?? []));
    return { tests: all, open: open.filter(({ goal }) => !isReached.has(goal)) };
  }

  /** Returns what the tests notice of the mutants of the policy. */
  mutants(threshold: number | undefined): PolicyMutants {
    const { embedded, runnable } = this.#target;
    const { mutants, cut } = this.#judge([...this.#files.values()]);
    return {
      name: this.name,
      source: embedded.file,
      mutants: mutants.map(({ mutant, verdict }): ReportedMutant => {
        const { id, operator, original, mutated, rule, range } = mutant;
        return {
          ...{ id, operator, original, mutated, state: verdict.kind },
          range: rangeInFile(embedded, range),
          rule: ruleLabel(this.#coverage.rules[rule]!.rule),
          ...(verdict.kind === 'killed' && { killer: verdict.test }),
          ...(verdict.kind === 'survived' && { request: verdict.request, ...(verdict.test && { test: verdict.test }) }),
          ...('reason' in verdict && { reason: verdict.reason }),
        };
      }),
      cut,
      isDisabled: !runnable.policy.enabled,
      threshold,
    };
  }

  #judge(files: readonly PolicyTests[]): MutationRun {
    const { policy } = this.#target.runnable;
    if (!policy.enabled) return { mutants: [], cut: 0 };
    return judgeMutants({ policy, context: this.context.context, coverage: this.#coverage }, files);
  }

  /** Returns the id of a goal. */
  idOf(goal: number): string {
    return this.#coverage.goals[goal]!.id;
  }

  get context(): GoalContext {
    const { runnable, profile } = this.#target;
    const { policy, environments } = runnable;
    this.#context ??= goalContext(policy, { profile, endpoint: policy.endpoint, environments }, this.#coverage);
    return this.#context;
  }

  #why(rules: readonly Rule[]): string {
    const { embedded } = this.#target;
    const named = rules.map(rule => {
      const { line } = humanPosition(embedded.file, rangeInFile(embedded, rule.range).start);
      return `${ruleLabel(rule)} (line ${line})`;
    });
    return named.length === 0 ? 'no traffic has such values' : `taken by ${named.join(' and ')}`;
  }
}

function ruleLabel({ phase, index, name }: Rule): string {
  const label = `${phase} ${index + 1}`;
  return name === undefined || name.value === '' ? label : `${label}, ${name.value}`;
}
