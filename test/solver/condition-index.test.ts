import { type Condition, ConditionQuestions, SolverSession } from '@tollgate/solver/conditions';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { CONTEXT, policyOf } from './random-policies.ts';
import { SOLVER_CONDITIONS } from './solver-conditions.ts';

// Compares what the indexes of conditions find with asking about each condition in turn.

const CASES = runs(20, 2000, 'TOLLGATE_INDEX_CASES');
/** Fixed unless `TOLLGATE_INDEX_SEED` is set. */
const SEED = seed(20_261_124, 'TOLLGATE_INDEX_SEED');

/** Conditions that need a string, the end of one, an address or a number, beside those that need none. */
const KEYED: readonly string[] = [
  ...["req.Path.endsWith('.b')", "req.Path.endsWith('a.b')", "req.Path.endsWith('b')", "req.Path.contains('/a/')"],
  ...[
    "req.Path.matches('^/a/b/')",
    "req.Path.matches('^/(a|ab)c')",
    "req.Path in ['/a', '/a/b', '/c']",
    "req.Path == ''",
  ],
  ...["inCidrRange(conn.ClientIP, '10.1.0.0/16')", "inCidrRanges(conn.ClientIP, ['10.0.0.0/8', '::1/128'])"],
  ...["inCidrRange(conn.ClientIP, '0.0.0.0/0')", "conn.ClientIP == '10.1.2.3'", 'req.ContentLength == 7'],
  ...[
    'req.ContentLength in [7, 8, 900]',
    'req.ContentLength > 1000',
    "req.Path.startsWith('/ab') && req.Path != '/abc'",
  ],
  ...["getReqHeader('X').exists(one, one.contains('ab'))", "req.Path.startsWith('/') && req.Path.startsWith('/ab')"],
  ...["req.Path.endsWith('😀')", "req.Path == '/😀'", "req.Path.matches('^/[^a]')", "req.Path in ['/a', 'b'] || false"],
];

const ATOM = fc.oneof(fc.constantFrom(...KEYED), fc.constantFrom(...SOLVER_CONDITIONS));
const SOURCE = fc.oneof(
  { arbitrary: ATOM, weight: 3 },
  fc.tuple(ATOM, fc.constantFrom('&&', '&&', '||'), ATOM).map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
);
const SOURCES = fc.array(SOURCE, { minLength: 2, maxLength: 12 });

interface Subjects {
  readonly questions: ConditionQuestions;
  readonly conditions: readonly Condition[];
}

function read(sources: readonly string[]): Subjects {
  const policy = policyOf(sources.map(source => ({ expressions: [source], actions: [{ type: 'deny' }] })));
  const questions = new ConditionQuestions(new SolverSession(CONTEXT, { traffic: 'any' }), 'inbound');
  return { questions, conditions: policy.rules.inbound.map(rule => questions.read(rule.expressions[0]!.typed!)) };
}

it(`skip only conditions that exclude each other (seed ${SEED})`, () => {
  const counts = { pairs: 0, disjoint: 0, skipped: 0 };
  fc.assert(
    fc.property(SOURCES, sources => {
      const { questions, conditions } = read(sources);
      const index = questions.overlaps(conditions);
      for (const [position, condition] of conditions.entries()) {
        const found = [...index.before(position)];
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
        for (let at = 0; at < position; at++) {
          const isDisjoint = questions.areDisjoint(condition, conditions[at]!);
          const isSkipped = !found.includes(at);
          counts.pairs++;
          if (isDisjoint) counts.disjoint++;
          if (isSkipped) counts.skipped++;
          if (isSkipped && !isDisjoint) expect([sources[position], sources[at]]).toBe('not skipped');
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  expect(counts.skipped / counts.disjoint).toBeGreaterThan(0.2);
});

it(`find the first condition that holds for values (seed ${SEED})`, () => {
  let found = 0;
  fc.assert(
    fc.property(SOURCES, sources => {
      const { questions, conditions } = read(sources);
      const list = questions.inOrder(conditions);
      for (const condition of conditions) {
        const sample = questions.sampleWhere(condition);
        if (sample === undefined) continue;
        for (let start = 0; start < conditions.length; start++) {
          const first = conditions.findIndex((one, at) => at >= start && sample.holds(one.whenTrue));
          const at = list.firstHolding(sample, start, conditions.length);
          expect({ sources, start, at }).toEqual({ sources, start, at: first < 0 ? undefined : first });
          if (first >= 0) found++;
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  expect(found).toBeGreaterThan(CASES);
});

it('find conditions by strings, ends, addresses and numbers', () => {
  const sources = [
    ...["req.Path.startsWith('/a')", "req.Path.startsWith('/b')", "req.Path.endsWith('.x')", "req.Path.endsWith('.y')"],
    ...["inCidrRange(conn.ClientIP, '10.0.0.0/8')", "inCidrRange(conn.ClientIP, '11.0.0.0/8')"],
    ...["req.Path == '/a.x'", "inCidrRange(conn.ClientIP, '10.1.0.0/16')", "req.Path.matches('^/a/[0-9]+$')"],
  ];
  const { questions, conditions } = read(sources);
  const index = questions.overlaps(conditions);
  expect(sources.map((_, at) => [...index.before(at)])).toEqual([
    ...[[], [], [0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]],
    ...[
      [0, 2, 4, 5],
      [0, 1, 2, 3, 4, 6],
      [0, 2, 3, 4, 5, 7],
    ],
  ]);
});
