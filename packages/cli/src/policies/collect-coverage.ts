// What the tests of a run reach of each policy, and what none can reach. Loaded only for coverage.

import type { Profile } from '@tollgate/catalog';
import type { RunnablePolicy } from '@tollgate/core/documents';
import { humanPosition } from '@tollgate/diagnostics';
import { type EmbeddedPolicy, type PolicyTests, partAddress, type Rule, rangeInFile } from '@tollgate/policy';
import type { CoveredGoal, PolicyCoverage } from '@tollgate/reports';
import { type Coverage, prepareCoverage, runTests, type TestRun } from '@tollgate/simulator';
import { type GoalContext, goalContext, type MissingTests, missingTests } from '@tollgate/solver';

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
  /** Names of the tests, by file. */
  readonly #names = new Map<string, Set<string>>();
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
    const files = [...this.#names].toSorted(([, a], [, b]) => b.size - a.size);
    return files[0]![0];
  }

  run(tests: PolicyTests, path: string): TestRun {
    const names = this.#names.get(path) ?? new Set();
    for (const { name, table } of tests.tests) for (const one of [name, table]) if (one !== undefined) names.add(one);
    this.#names.set(path, names);
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

  /** Returns tests that reach what no test reaches. */
  missing(): MissingTests {
    const reached = new Set(this.#tests.flatMap((tests, goal) => (tests.length > 0 ? [goal] : [])));
    return missingTests(this.context, { reached, names: this.#names.get(this.testFile)! });
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
