import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LintTextOptions } from '@tollgate/lint';
import { type PolicyTests, readTests } from '@tollgate/policy';
import { findInputs, TESTS_NAME } from '../input/find-inputs.ts';
import type { PolicySource } from '../input/policy-sources.ts';
import { readSource } from '../input/read-source.ts';
import { testedPath } from '../policies/tested-policy.ts';
import type { Terminal } from '../process/terminal.ts';

/** The policy tests for the policies of a run: those among the linted files, and those next to each policy. */
export class TestCoverage {
  readonly #names: readonly string[];
  readonly #terminal: Terminal;
  readonly #known = new Set<string>();
  readonly #tests = new Map<string, PolicyTests[]>();
  #isComplete = false;

  constructor(names: readonly string[], terminal: Terminal) {
    this.#names = names;
    this.#terminal = terminal;
  }

  /** Returns a function that runs the tests of a policy and returns what they show about its rules; undefined if there are none. */
  async of({ path, part, target }: PolicySource): Promise<LintTextOptions['coverageOf'] | undefined> {
    await this.#readAll();
    for (const beside of ['yaml', 'yml', 'json'].map(ending => path.replace(/\.[^./]+$/, `.test.${ending}`)))
      if (beside !== path && existsSync(beside)) await this.#read(beside);
    const files = this.#tests.get(keyOf(path, part));
    if (!files) return undefined;
    const { runTests } = await import('@tollgate/simulator');
    const { profile, environments } = target;
    return policy => {
      const runs = files.map(file => runTests(policy, file, { profile, environments }).coverage);
      return runs[0]!.map((_, index) => ({
        matched: sum(runs.map(run => run[index]!.matched)),
        notMatched: sum(runs.map(run => run[index]!.notMatched)),
      }));
    };
  }

  async #readAll(): Promise<void> {
    if (this.#isComplete) return;
    this.#isComplete = true;
    const files = { pattern: '**/*.test.{yaml,yml,json}', isIncluded: () => true, what: 'tests' };
    const { paths } = await findInputs(this.#names, files);
    for (const path of paths) if (TESTS_NAME.test(path)) await this.#read(path);
  }

  /** Unreadable and invalid files are reported elsewhere. */
  async #read(path: string): Promise<void> {
    if (this.#known.has(resolve(path))) return;
    this.#known.add(resolve(path));
    // Named by a convention: a pipe would be waited for.
    const source = await readSource(path, this.#terminal, { repositoryOf: dirname(path) });
    const tests = source instanceof Error ? undefined : readTests(source).value;
    if (!tests) return;
    const { name, part } = testedPath(path, tests);
    const key = keyOf(name, part);
    this.#tests.set(key, [...(this.#tests.get(key) ?? []), tests]);
  }
}

function keyOf(path: string, part: PolicySource['part']): string {
  return `${resolve(path)}#${JSON.stringify(part)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
