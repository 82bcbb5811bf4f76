import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { type MatchAnswer, PolicyQuestions, Session } from '@tollgate/solver';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EXCHANGES } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { SOLVER_CONDITIONS } from './solver-conditions.ts';

// Asks of random policies which rules can match. What is proved impossible is attacked with exchanges; what is possible comes with an
// exchange, which the simulator decides again.

/** Number of policies; 100,000 with `TOLLGATE_SOLVER_CASES=100000`. */
const CASES = runs(30, 1500, 'TOLLGATE_SOLVER_CASES');
/** Fixed unless `TOLLGATE_SOLVER_SEED` is set. */
const SEED = seed(20_261_123, 'TOLLGATE_SOLVER_SEED');
const ATTACKS = 200;

const TARGET = { profile: EDGE_V2, endpoint: 'https-route' } as const;
const ENVIRONMENTS = createPhaseEnvironments(EDGE_V2, TARGET.endpoint);
const CONTEXT = { ...TARGET, environments: ENVIRONMENTS };

const ACTIONS = [
  ...[{ type: 'deny' }, { type: 'deny', config: { status_code: 403 } }, { type: 'deny' }, { type: 'deny' }],
  { type: 'log', config: { metadata: { a: '1' } } },
  { type: 'url-rewrite', config: { from: '/a', to: '/b' } },
  { type: 'add-headers', config: { headers: { X: '1' } } },
  { type: 'remove-headers', config: { headers: ['X'] } },
  { type: 'restrict-ips', config: { allow: ['10.0.0.0/8'] } },
];

const POLICIES = fc
  .uniqueArray(fc.constantFrom(...SOLVER_CONDITIONS), { minLength: 2, maxLength: 6 })
  .chain(conditions => {
    const atom = fc.constantFrom(...conditions);
    const pair = fc
      .tuple(atom, fc.constantFrom('&&', '||'), atom)
      .map(([a, operator, b]) => `(${a}) ${operator} (${b})`);
    const negated = atom.map(one => `!(${one})`);
    const expressions = fc.array(fc.oneof({ arbitrary: atom, weight: 2 }, pair, negated), {
      minLength: 1,
      maxLength: 3,
    });
    const rule = fc.record({ expressions, actions: fc.tuple(fc.constantFrom(...ACTIONS)) });
    return fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 6 }), at: fc.nat(EXCHANGES.length - 1) });
  });

function read(rules: unknown): Policy {
  const text = JSON.stringify({ inbound: rules });
  const { policy, diagnostics } = analyzePolicy(new SourceText('policy.json', text), CONTEXT);
  const errors = diagnostics.flatMap(one => (one.severity === 'error' ? [one.message] : []));
  expect({ text, errors }).toEqual({ text, errors: [] });
  return policy!;
}

it(`proves only what no exchange refutes (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const counts = { possible: 0, impossible: 0, unknown: 0 };
  fc.assert(
    fc.property(POLICIES, ({ rules, at }) => {
      const policy = read(rules);
      const simulation = createSimulation(policy, CONTEXT);
      const questions = new PolicyQuestions(new Session(CONTEXT), policy);
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
