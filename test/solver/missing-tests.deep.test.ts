import { SourceText } from '@tollgate/diagnostics';
import { addTests, readTests } from '@tollgate/policy';
import { prepareCoverage, runTests } from '@tollgate/simulator';
import { goalContext, missingTests } from '@tollgate/solver';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { FILLING, FILLING_RULES, OLDEST, policyOf, RULES } from './random-policies.ts';

// The tests that are written for what no test reaches: added to a file, read again and run, they pass and reach what they were written for, and
// there is nothing left to write.

/** Number of policies; 500 in deep runs. */
const CASES = runs(6, 500, 'TOLLGATE_MISSING_CASES');
const SEED = seed(20_261_128, 'TOLLGATE_MISSING_SEED');

const FILE = new SourceText(
  'random.test.yaml',
  `# Tests of a random policy.
policy: random.yaml
tests:
  - { name: a first test, skip: only to have one, expect: { status: 200 } } # keeps its place

# the end
`,
);

it.each([
  ['in the oldest profile', RULES, OLDEST],
  ['in the modern profile, with expressions and redirects', FILLING_RULES, FILLING],
])(
  `writes tests that pass and reach what they are written for, %s (seed ${SEED})`,
  { timeout: 3_600_000 },
  (_, written, dialect) => {
    const { context: given } = dialect;
    // What is drawn at random is tried with many seeds.
    const numRuns = dialect === OLDEST ? CASES : Math.ceil(CASES / 5);
    const counts = { tests: 0, reached: 0, impossible: 0, open: 0 };
    fc.assert(
      fc.property(written, rules => {
        const policy = policyOf(rules, dialect);
        const coverage = prepareCoverage(policy, given);
        const context = goalContext(policy, given, coverage);
        const { tests, open } = missingTests(context, { reached: new Set(), names: new Set() });
        const text = addTests(
          FILE,
          tests.map(one => one.test),
        );
        expect(text?.startsWith(FILE.text.slice(0, FILE.text.indexOf('\n# the end')).trimEnd())).toBe(true);
        expect(text?.endsWith('\n\n# the end\n')).toBe(true);
        const read = readTests(new SourceText(FILE.uri, text!));
        expect(read.diagnostics).toEqual([]);
        const { results } = runTests(policy, read.value!, given, coverage);
        const reached = new Set<number>();
        for (const [at, { name, status, mismatches, reached: own = [] }] of results.slice(1).entries()) {
          expect({ rules, name, status, mismatches }).toEqual({ rules, name, status: 'passed', mismatches: [] });
          expect(own).toEqual(expect.arrayContaining([...tests[at]!.goals]));
          for (const goal of own) reached.add(goal);
        }
        for (const goal of coverage.goals.keys()) {
          if (reached.has(goal)) continue;
          const { kind } = context.questions.answer(goal);
          const isOpen = open.some(one => one.goal === goal);
          expect({ rules, goal: coverage.goals[goal]!.id, isOpen }).toMatchObject({ isOpen: kind !== 'impossible' });
          counts[kind === 'impossible' ? 'impossible' : 'open']++;
        }
        const again = missingTests(context, { reached, names: new Set() });
        expect(again.tests).toEqual([]);
        counts.tests += tests.length;
        counts.reached += reached.size;
      }),
      { numRuns, seed: SEED },
    );
    expect(counts.tests).toBeGreaterThan(numRuns);
    // Few policies may happen to be the ones that stay open.
    expect(counts.open / (counts.reached + counts.open)).toBeLessThan(
      CASES < 100 ? 0.3 : dialect === OLDEST ? 0.1 : 0.2,
    );
  },
);
