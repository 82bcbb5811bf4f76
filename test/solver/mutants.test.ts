import { createSimulation, DecisionComparer, prepareCoverage, runTests, type Simulation } from '@tollgate/simulator';
import { goalContext, type JudgedMutant, judgeMutants, missingTests } from '@tollgate/solver';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, policyOf, RULES } from './random-policies.ts';

// What is said about the mutants of random policies, whose tests are those that are written for them: the test that kills a mutant fails with it, the
// request of a survivor is decided differently, as its test notices, and what is proved equivalent decides many exchanges alike.

/** Number of policies; 500 in deep runs. */
const CASES = runs(4, 500, 'TOLLGATE_MUTANT_CASES');
const SEED = seed(20_261_128, 'TOLLGATE_MUTANT_SEED');
/** Number of exchanges that a mutant must decide alike to be equivalent. */
const ATTACKS = runs(200, 1000, 'TOLLGATE_MUTANT_ATTACKS');

it(`says the truth about mutants (seed ${SEED})`, { timeout: 7_200_000 }, () => {
  const counts = { killed: 0, survived: 0, equivalent: 0, open: 0, unreached: 0 };
  const after = { killed: 0, all: 0 };
  fc.assert(
    fc.property(RULES, fc.nat(EXCHANGES.length - 1), (rules, at) => {
      const policy = policyOf(rules);
      const coverage = prepareCoverage(policy, CONTEXT);
      const { tests } = missingTests(goalContext(policy, CONTEXT, coverage), { reached: new Set(), names: new Set() });
      const file = { policy: 'random.yaml', tests: tests.map(one => one.test) };
      const { mutants } = judgeMutants({ policy, context: CONTEXT, coverage }, [file]);
      const own = createSimulation(policy, CONTEXT);
      const statusOf = (changed: typeof policy, test: (typeof file.tests)[number]) =>
        runTests(changed, { ...file, tests: [test] }, CONTEXT).results[0]!.status;
      for (const { mutant, verdict } of mutants) {
        const about = { rules, mutant: mutant.id, mutated: mutant.mutated };
        counts[verdict.kind]++;
        decidesAlike(own, mutant, at);
        if (verdict.kind === 'killed') {
          const test = file.tests.find(({ name }) => name === verdict.test)!;
          expect({ ...about, status: statusOf(mutant.policy, test) }).toEqual({ ...about, status: 'failed' });
        }
        if (verdict.kind === 'survived') {
          for (const test of file.tests) {
            const status = statusOf(mutant.policy, test);
            expect({ ...about, test: test.name, status }).toEqual({ ...about, test: test.name, status: 'passed' });
          }
          if (verdict.test !== undefined)
            expect({
              ...about,
              test: verdict.test,
              statuses: [policy, mutant.policy].map(one => statusOf(one, verdict.test!)),
            }).toEqual({ ...about, test: verdict.test, statuses: ['passed', 'failed'] });
        }
        if (verdict.kind === 'equivalent') attack(policy, mutant.policy, { at, about });
      }
      const telling = mutants.flatMap(({ verdict }) => (verdict.kind === 'survived' ? (verdict.test ?? []) : []));
      const written = { ...file, tests: [...new Set([...file.tests, ...telling])] };
      const { mutants: again } = judgeMutants({ policy, context: CONTEXT, coverage }, [written]);
      after.killed += again.filter(({ verdict }) => verdict.kind === 'killed').length;
      after.all += again.filter(({ verdict }) => ['killed', 'survived', 'open'].includes(verdict.kind)).length;
    }),
    { numRuns: CASES, seed: SEED },
  );
  expect(counts.killed).toBeGreaterThan(counts.survived);
  expect(counts.equivalent).toBeGreaterThan(0);
  // Few policies may happen to be the ones whose mutants stay open.
  expect({ ...counts, ...after, isEnough: after.killed / after.all >= (CASES < 100 ? 0.5 : 0.9) }).toMatchObject({
    isEnough: true,
  });
});

/** Most rules of a mutant are those of the policy, and are not compiled again. */
function decidesAlike(own: Simulation, mutant: JudgedMutant['mutant'], at: number): void {
  const [quick, compiled] = [own.changedTo(mutant.policy), createSimulation(mutant.policy, CONTEXT)];
  for (let index = 0; index < 3; index++) {
    const exchange = EXCHANGES[(at + index * 61) % EXCHANGES.length]!;
    const about = { id: mutant.id, exchange };
    expect({ ...about, decision: quick.decide(exchange) }).toEqual({ ...about, decision: compiled.decide(exchange) });
  }
}

function attack(
  policy: ReturnType<typeof policyOf>,
  mutant: ReturnType<typeof policyOf>,
  { at, about }: { readonly at: number; readonly about: object },
): void {
  const [own, other] = [policy, mutant].map(one => createSimulation(one, CONTEXT));
  const { profile } = CONTEXT;
  const comparer = new DecisionComparer({ policy, profile }, { policy: mutant, profile }, true);
  for (let index = 0; index < ATTACKS; index++) {
    const exchange = EXCHANGES[(at + index * 61) % EXCHANGES.length]!;
    const { isCertain } = comparer.ofDecisions(own!.decide(exchange), other!.decide(exchange));
    if (isCertain) expect({ ...about, exchange }).toBe('decided alike');
  }
}
