import { createSimulation, DecisionComparer, prepareCoverage, runTests, type Simulation } from '@tollgate/simulator';
import { goalContext, type JudgedMutant, judgeMutants, type MutantVerdict, missingTests } from '@tollgate/solver';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, policyOf, RULES, type RuleDocument } from './random-policies.ts';

// What is said about the mutants of random policies, whose tests are those that are written for them: the test that kills a mutant fails with it, the
// request of a survivor is decided differently, as its test notices, and what is proved equivalent decides many exchanges alike.

/** Number of policies; 500 in deep runs. */
const CASES = runs(2, 500, 'TOLLGATE_MUTANT_CASES');
const SEED = seed(20_261_128, 'TOLLGATE_MUTANT_SEED');
/** Number of exchanges that a mutant must decide alike to be equivalent. */
const ATTACKS = runs(100, 1000, 'TOLLGATE_MUTANT_ATTACKS');

const HIDDEN = 'later rules decide alike what it changes';
const IDLE = 'where the rule differs, its action has nothing to do';
const ORDER = 'both rules do the same in either order';

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
  expect({ ...counts, ...after, isEnough: after.killed / after.all >= (CASES < 100 ? 0.5 : 0.95) }).toMatchObject({
    isEnough: true,
  });
});

const DENY = { type: 'deny' };
const ADD = { type: 'add-headers', config: { headers: { X: '1' } } };
const REMOVE = { type: 'remove-headers', config: { headers: ['X'] } };
const REDIRECT = { type: 'redirect', config: { from: '/b', to: '/c' } };
const REWRITE = { type: 'url-rewrite', config: { from: '/a', to: '/b' } };
const rule = (action: RuleDocument['actions'][number], ...expressions: readonly string[]): RuleDocument => ({
  expressions,
  actions: [action],
});
const A = "req.Method == 'A'";
const B = "req.Method == 'B'";

it.each<[string, readonly RuleDocument[], string, MutantVerdict['kind'], string?]>([
  ['a header that no upstream gets', [rule(ADD, A), rule(DENY, A)], '1: rule removed (1)', 'equivalent', HIDDEN],
  [
    'one that the next rule reads',
    [rule(ADD, A), rule(DENY, A, "'X' in req.Headers")],
    '1: rule removed (1)',
    'survived',
  ],
  ['one that is removed again', [rule(ADD, A), rule(REMOVE, A)], '1: rule removed (1)', 'equivalent', HIDDEN],
  ['one that is not there', [rule(REMOVE, A), rule(REMOVE, A)], '2: rule removed (1)', 'equivalent', IDLE],
  ['the same rewrite twice', [rule(REWRITE, A), rule(REWRITE, A)], '1: rule removed (1)', 'equivalent', HIDDEN],
  ['the same answer later', [rule(DENY, A), rule(ADD, B), rule(DENY, A)], '1: rule removed (1)', 'equivalent', HIDDEN],
  [
    'the same answer after another one',
    [rule(DENY, A), rule({ ...DENY, config: { status_code: 404 } }, A), rule(DENY, A)],
    '1: rule removed (1)',
    'survived',
  ],
  [
    'a header before an answer, or after it',
    [rule(ADD, A), rule(DENY, A)],
    '1: rules swapped (1)',
    'equivalent',
    ORDER,
  ],
  ['a header before a redirect', [rule(ADD, A), rule(REDIRECT, A)], '1: rules swapped (1)', 'equivalent', ORDER],
  ['a rewrite before a redirect', [rule(REWRITE, A), rule(REDIRECT, A)], '1: rules swapped (1)', 'survived'],
  ['two headers', [rule(ADD, A), rule(REWRITE, A)], '1: rules swapped (1)', 'equivalent', ORDER],
  ['a header that is added or removed', [rule(ADD, A), rule(REMOVE, A)], '1: rules swapped (1)', 'survived'],
  [
    'an address that the condition excludes',
    [rule({ type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } }, "inCidrRange(conn.ClientIP, '10.1.0.0/16')")],
    '1: rule removed (1)',
    'equivalent',
    IDLE,
  ],
  [
    'a larger range of addresses',
    [rule({ type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } }, A)],
    '1: CIDR prefix (1)',
    'survived',
  ],
])('judges %s', (_, rules, id, kind, reason) => {
  const policy = policyOf(rules);
  const coverage = prepareCoverage(policy, CONTEXT);
  const file = { policy: 'a.yaml', tests: [{ name: 'a', request: { method: 'A' }, expect: {} }] };
  const all = {
    name: 'b',
    request: { method: 'A', url: 'https://example.com/c' },
    connection: { client_ip: '10.1.0.1' },
  };
  const tests = [...file.tests, { ...all, expect: {} }];
  const { mutants } = judgeMutants({ policy, context: CONTEXT, coverage }, [{ ...file, tests }]);
  const found = mutants.find(({ mutant }) => mutant.id === `inbound ${id}`);
  expect(found?.verdict).toMatchObject({ kind, ...(reason !== undefined && { reason }) });
  if (kind === 'survived') expect(found?.verdict).toHaveProperty('test.expect');
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
