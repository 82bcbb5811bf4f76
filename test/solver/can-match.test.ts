import { createSimulation } from '@tollgate/simulator';
import { type MatchAnswer, PolicyQuestions, SolverSession } from '@tollgate/solver';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, policyOf, RICH, RULES } from './random-policies.ts';

// Asks of random policies which rules can match. What is proved impossible is attacked with exchanges; what is possible comes with an
// exchange, which the simulator decides again.

/** Number of policies; 100,000 with `TOLLGATE_SOLVER_CASES=100000`. */
const CASES = runs(12, 1500, 'TOLLGATE_SOLVER_CASES');
/** Fixed unless `TOLLGATE_SOLVER_SEED` is set. */
const SEED = seed(20_261_123, 'TOLLGATE_SOLVER_SEED');
const ATTACKS = 200;

const CASE = fc.record({ rules: RULES, at: fc.nat(EXCHANGES.length - 1) });

it(`proves only what no exchange refutes (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const counts = { possible: 0, impossible: 0, unknown: 0 };
  fc.assert(
    fc.property(CASE, ({ rules, at }) => {
      const policy = policyOf(rules);
      const simulation = createSimulation(policy, CONTEXT);
      const questions = new PolicyQuestions(new SolverSession(CONTEXT), policy);
      const answers = policy.rules.inbound.map(rule => questions.canMatch(rule));
      const attacks = Array.from({ length: ATTACKS }, (_, index) => EXCHANGES[(at + index * 61) % EXCHANGES.length]!);
      const found = answers.flatMap(answer => (answer.kind === 'possible' ? [answer.exchange] : []));
      for (const exchange of [...attacks, ...found]) {
        const { rules: results } = simulation.decide(exchange);
        answers.forEach((answer: MatchAnswer, index) => {
          const isRefuted = answer.kind === 'impossible' && results[index]!.status === 'matched';
          if (isRefuted) expect({ rules, index, exchange }).toBe('matched by nothing');
        });
      }
      answers.forEach((answer, index) => {
        counts[answer.kind]++;
        if (answer.kind !== 'possible') return;
        expect(simulation.decide(answer.exchange).rules[index]!.status).toBe('matched');
      });
    }),
    { numRuns: CASES, seed: SEED },
  );
  // Most questions must be decided, or the claims above say little.
  const all = counts.possible + counts.impossible + counts.unknown;
  expect(counts.impossible / all).toBeGreaterThan(0.1);
  expect(counts.unknown / all).toBeLessThan(0.2);
});

it('does not ask about empty paths, even of malformed requests', () => {
  const policy = policyOf([{ expressions: ["req.url.path.substring(1) == 'a'"], actions: [{ type: 'deny' }] }], RICH);
  const questions = new PolicyQuestions(new SolverSession(RICH.context, { traffic: 'any' }), policy);
  expect(questions.canFail(policy.rules.on_http_request[0]!)).toMatchObject({ kind: 'impossible' });
});

it('shows a path without a slash, such as `*`, as it is sent, and not as a part of a URL', () => {
  const policy = policyOf([{ expressions: ["req.url.path.split('/')[1] == 'a'"], actions: [{ type: 'deny' }] }], RICH);
  const questions = new PolicyQuestions(new SolverSession(RICH.context, { traffic: 'any' }), policy);
  const answer = questions.canFail(policy.rules.on_http_request[0]!);
  if (answer.kind !== 'possible') return expect(answer.kind).toBe('unknown');
  expect(answer.exchange.url).toBeUndefined();
  const [rule] = createSimulation(policy, RICH.context).decide(answer.exchange).rules;
  expect(rule?.status).toBe('failed');
});

it.each([
  "req.headers['x'].map(v, v + req.host).exists(v, v.reverse() == 'a')",
  "req.url.path.split('/').filter(s, s != '').map(s, s.reverse()).join('-') == 'a'",
  "req.headers['x'].exists_one(v, v.reverse() == req.host)",
  "req.headers['x'].sortBy(v, v.reverse())[0] == 'a'",
])('names what is open as its author wrote it: %s', condition => {
  const policy = policyOf([{ expressions: [condition], actions: [{ type: 'deny' }] }], RICH);
  const prover = new PolicyQuestions(new SolverSession(RICH.context), policy);
  const answer = prover.canMatch(policy.rules.on_http_request[0]!);
  if (answer.kind === 'unknown') expect(answer.reason).not.toMatch(/@|#unused/);
});
