import { createSimulation, prepareCoverage } from '@tollgate/simulator';
import { type GoalAnswer, GoalQuestions, SolverSession } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, policyOf, RULES, type RuleDocument } from './random-policies.ts';

// What exchanges reach of random policies. The collector is compared with a count by the simulator alone: the atom of a condition decides if the
// decision on the rule differs between two policies with `true` and `false` in its place. Goals that are proved impossible are attacked.

/** Number of policies; 500 in deep runs. */
const CASES = runs(6, 500, 'TOLLGATE_COVERAGE_CASES');
const SEED = seed(20_261_128, 'TOLLGATE_COVERAGE_SEED');
const TRIED = 4;
/** Number of exchanges that must not reach a goal that is called impossible. */
const ATTACKS = runs(200, 1000, 'TOLLGATE_COVERAGE_ATTACKS');

const CASE = fc.record({ rules: RULES, at: fc.nat(EXCHANGES.length - 1) });

function exchangesFrom(at: number, count: number): readonly Exchange[] {
  return Array.from({ length: count }, (_, index) => EXCHANGES[(at + index * 61) % EXCHANGES.length]!);
}

function statusIn(rules: readonly RuleDocument[], exchange: Exchange, at: number): string {
  return createSimulation(policyOf(rules), CONTEXT).decide(exchange).rules[at]!.status;
}

/** Returns the goals of conditions that an exchange reaches, by deciding it in changed policies. */
function conditionsCounted(rules: readonly RuleDocument[], exchange: Exchange): readonly string[] {
  const policy = policyOf(rules);
  const { goals, rules: covered } = prepareCoverage(policy, CONTEXT);
  const { rules: results } = createSimulation(policy, CONTEXT).decide(exchange);
  let isCertain = true;
  return covered.flatMap((rule, at) => {
    const result = results[at]!;
    if (!isCertain || result.status === 'not-reached') return [];
    if ('actions' in result && result.actions.some(one => one.ending !== undefined && one.needs.length > 0))
      isCertain = false;
    const with_ = (expressions: readonly string[]) =>
      statusIn(rules.with(at, { ...rules[at]!, expressions }), exchange, at);
    const own = [
      ...(result.status === 'matched' ? [rule.matches] : []),
      ...(result.status === 'not-matched' ? [rule.doesNotMatch!] : []),
    ];
    const { expressions } = rules[at]!;
    const failing = expressions.findIndex((_, part) => with_([expressions[part]!]) !== 'matched');
    if (failing >= 0 && with_([expressions[failing]!]) === 'failed') own.push(rule.fails[failing]!);
    for (const [index, decide] of rule.decides.entries()) {
      const { expression, typed } = rule.atoms[index]!;
      const { start, end } = typed.ast.root.range;
      const source = expressions[expression]!;
      const value = with_([source.slice(start, end)]);
      const [yes, no] = ['true', 'false'].map(
        literal =>
          with_(expressions.with(expression, `${source.slice(0, start)}(${literal})${source.slice(end)}`)) ===
          'matched',
      );
      if (yes !== no && value !== 'failed') own.push(value === 'matched' ? decide.true : decide.false);
    }
    return own.map(goal => goals[goal]!.id);
  });
}

it(`collects what a count by the simulator finds (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  let reached = 0;
  fc.assert(
    fc.property(CASE, ({ rules, at }) => {
      const policy = policyOf(rules);
      const coverage = prepareCoverage(policy, CONTEXT);
      const run = createSimulation(policy, CONTEXT).begin();
      for (const exchange of exchangesFrom(at, TRIED)) {
        const watch = coverage.watch();
        const found = watch.reached(run.observe(exchange, watch)).map(goal => coverage.goals[goal]!);
        const conditions = found.filter(({ group }) => group === 'rules' || group === 'conditions').map(({ id }) => id);
        expect({ rules, exchange, goals: conditions.toSorted() }).toEqual({
          ...{ rules, exchange },
          goals: conditionsCounted(rules, exchange).toSorted(),
        });
        reached += found.length;
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  expect(reached).toBeGreaterThan(CASES * TRIED);
});

it(`calls impossible only what no exchange reaches (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const counts: Record<GoalAnswer['kind'], number> = { possible: 0, impossible: 0, unknown: 0 };
  fc.assert(
    fc.property(CASE, ({ rules, at }) => {
      const policy = policyOf(rules);
      const coverage = prepareCoverage(policy, CONTEXT);
      const questions = new GoalQuestions(new SolverSession(CONTEXT), policy, coverage);
      const answers = coverage.goals.map((_, goal) => questions.answer(goal));
      for (const [goal, answer] of answers.entries()) {
        counts[answer.kind]++;
        if (answer.kind === 'possible') expect(questions.reachedBy(answer.sample)).toContain(goal);
      }
      for (const exchange of exchangesFrom(at, ATTACKS))
        for (const goal of questions.reachedBy({ exchange, times: 1 }))
          if (answers[goal]!.kind === 'impossible')
            expect({ rules, exchange, goal: coverage.goals[goal]!.id }).toBe('reached by nothing');
    }),
    { numRuns: CASES, seed: SEED },
  );
  const all = counts.possible + counts.impossible + counts.unknown;
  expect(counts.impossible / all).toBeGreaterThan(0.1);
  expect(counts.unknown / all).toBeLessThan(0.2);
});
