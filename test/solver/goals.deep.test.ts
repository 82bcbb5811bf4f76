import { createSimulation, prepareCoverage, runTests } from '@tollgate/simulator';
import { type GoalAnswer, GoalQuestions, SolverSession } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, FILLING, FILLING_RULES, OLDEST, policyOf, RULES, type RuleDocument } from './random-policies.ts';

// What exchanges reach of random policies. The collector is compared with a count by the simulator alone: the atom of a condition decides if the
// decision on the rule differs between two policies with `true` and `false` in its place. Goals that are proved impossible are attacked.

/** Number of policies; 500 in deep runs. */
const CASES = runs(3, 500, 'TOLLGATE_COVERAGE_CASES');
const SEED = seed(20_261_128, 'TOLLGATE_COVERAGE_SEED');
const TRIED = 4;
/** Number of exchanges that must not reach a goal that is called impossible. */
const ATTACKS = runs(100, 1000, 'TOLLGATE_COVERAGE_ATTACKS');

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

it.each([
  ['in the oldest profile', RULES, OLDEST],
  ['in the modern profile, with expressions and redirects', FILLING_RULES, FILLING],
])(
  `calls impossible only what no exchange reaches, %s (seed ${SEED})`,
  { timeout: 3_600_000 },
  (_, written, dialect) => {
    const { context } = dialect;
    const all = fc.record({ rules: written, at: fc.nat(EXCHANGES.length - 1) });
    const counts: Record<GoalAnswer['kind'], number> = { possible: 0, impossible: 0, unknown: 0 };
    fc.assert(
      fc.property(all, ({ rules, at }) => {
        const policy = policyOf(rules, dialect);
        const coverage = prepareCoverage(policy, context);
        const questions = new GoalQuestions(new SolverSession(context), policy, coverage);
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
    const sum = counts.possible + counts.impossible + counts.unknown;
    expect(counts.impossible / sum).toBeGreaterThan(0.1);
    expect(counts.unknown / sum).toBeLessThan(dialect === OLDEST ? 0.2 : 0.3);
  },
);

/** Returns what is said of the goals of actions: which can be reached. */
function answersOf(rules: readonly RuleDocument[]): Readonly<Record<string, GoalAnswer['kind']>> {
  const policy = policyOf(rules, FILLING);
  const coverage = prepareCoverage(policy, FILLING.context);
  const questions = new GoalQuestions(new SolverSession(FILLING.context), policy, coverage);
  const entries = coverage.goals.map(
    ({ id, group }, goal) => [group, [id.replace('on_http_request ', ''), questions.answer(goal).kind]] as const,
  );
  return Object.fromEntries(entries.flatMap(([group, entry]) => (group === 'actions' ? [entry] : [])));
}

it('asks whether expressions in a configuration fail', () => {
  const log = (text: string, ...expressions: readonly string[]): RuleDocument => ({
    expressions,
    actions: [{ type: 'log', config: { metadata: { a: text } } }],
  });
  expect(
    answersOf([
      log('${req.method}'),
      log('${req.headers["x"][0]}'),
      log('${req.headers["x"][0]}', "'x' in req.headers"),
      log('${int(req.headers["y"][0])} and ${req.host}', "req.headers['y'][0] == 'a'"),
    ]),
  ).toEqual({
    ...{ '1: action 1 runs': 'possible', '1: action 1, expression 1 has a value': 'possible' },
    ...{ '1: action 1, expression 1 fails': 'impossible', '2: action 1 runs': 'possible' },
    ...{ '2: action 1, expression 1 has a value': 'possible', '2: action 1, expression 1 fails': 'possible' },
    ...{ '3: action 1 runs': 'possible', '3: action 1, expression 1 has a value': 'possible' },
    ...{ '3: action 1, expression 1 fails': 'impossible', '4: action 1 runs': 'possible' },
    ...{ '4: action 1, expression 1 has a value': 'impossible', '4: action 1, expression 1 fails': 'possible' },
    ...{ '4: action 1, expression 2 has a value': 'possible', '4: action 1, expression 2 fails': 'impossible' },
  });
});

it('asks whether a redirect leaves the URL as it is', () => {
  const redirect = (config: object, ...expressions: readonly string[]): RuleDocument => ({
    expressions,
    actions: [{ type: 'redirect', config }],
  });
  const lets = (rule: RuleDocument) => answersOf([rule])['1: action 1 lets traffic pass'];
  expect(lets(redirect({ to: 'https://e.co/x' }))).toBe('possible');
  expect(lets(redirect({ to: 'https://e.co/x' }, "req.url.path != '/x'"))).toBe('impossible');
  expect(lets(redirect({ from: '^http://(.*)', to: 'https://$1' }))).toBe('possible');
  expect(lets(redirect({ from: '^http://(.*)', to: 'https://$1' }, "req.url.startsWith('http://')"))).toBe(
    'impossible',
  );
  expect(lets(redirect({ from: '/a', to: '/b' }, "req.url.startsWith('https://e.co/a')"))).toBe('impossible');
  // The path may be written as `/%61`.
  expect(lets(redirect({ from: '/a', to: '/b' }, "req.url.path.startsWith('/a')"))).toBe('possible');
  // It finds `b` in each of these URLs, and may replace it by itself.
  expect(lets(redirect({ from: 'b+', to: 'b' }, "req.url.path == '/b'"))).not.toBe('impossible');
});

it('takes from the decision what was drawn at random', () => {
  const rules = [{ expressions: ["req.method == 'A' && rand.double() < 0.5"], actions: [{ type: 'deny' }] }];
  const policy = policyOf(rules, FILLING);
  const coverage = prepareCoverage(policy, FILLING.context);
  const reachedWith = (method: string, seed?: number) => {
    const test = { name: 'a', request: { method }, expect: {}, ...(seed !== undefined && { seed }) };
    const { results } = runTests(policy, { policy: 'a.yaml', tests: [test] }, FILLING.context, coverage);
    return results[0]!.reached!.map(goal => coverage.goals[goal]!.id.replace('on_http_request 1: ', '')).join(', ');
  };
  const drawn = Array.from({ length: 20 }, (_, seed) => reachedWith('A', seed));
  expect([...new Set(drawn)].toSorted()).toEqual([
    'does not match, atom 2 decides-false, no rule ends the policy',
    'matches, atom 1 decides-true, atom 2 decides-true, action 1 runs, action 1 is how the policy ends',
  ]);
  expect(reachedWith('A')).toBe('');
  expect(reachedWith('B', 1)).toBe('does not match, atom 1 decides-false, no rule ends the policy');
});
