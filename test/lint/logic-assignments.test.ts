import { EDGE_V2 } from '@tollgate/catalog';
import {
  type Condition,
  createVocabulary,
  findsAssignment,
  nameMetadataAt,
  readCondition,
  solve,
  type Target,
} from '@tollgate/lint/solver';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { GROUPS } from './logic-inputs.ts';
import { SHAPE } from './logic-shapes.ts';

// A greedy search for an assignment runs before the complete search. It must not find an assignment for what the complete search proves
// impossible.

const PLACE = { endpoint: 'https-route', phase: 'outbound' } as const;
const environment = createPhaseEnvironments(EDGE_V2, PLACE.endpoint)[PLACE.phase];
const FACTS = nameMetadataAt(EDGE_V2, PLACE);

const WANTED: readonly Target[] = ['true', 'false', 'untrue'];
const WHEN = { true: 'whenTrue', false: 'whenFalse', untrue: 'whenUntrue' } as const;

const CASE = fc.record({
  groups: fc.uniqueArray(fc.nat(GROUPS.length - 1), { minLength: 1, maxLength: 2 }),
  shapes: fc.array(SHAPE, { minLength: 3, maxLength: 3 }),
});

type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

function conditionsOf({ groups, shapes }: Case): readonly (readonly [source: string, condition: Condition])[] {
  const atoms = groups.flatMap(at => GROUPS[at]!.atoms);
  const vocabulary = createVocabulary();
  return shapes.map(shape => {
    const source = shape(atoms);
    const { typed } = checkCondition(source, { profile: EDGE_V2, place: PLACE, environment });
    return [source, readCondition(typed!, { environment, facts: FACTS, vocabulary })];
  });
}

/** Lists queries about the conditions: each condition alone, and several combinations of all. */
function questionsOf(conditions: readonly Condition[]): readonly (readonly (readonly [Condition, Target])[])[] {
  const [first, ...rest] = conditions;
  return [
    ...conditions.flatMap(condition => WANTED.map(wanted => [[condition, wanted] as const])),
    conditions.map(condition => [condition, 'true'] as const),
    [[first!, 'true'], ...rest.map(condition => [condition, 'untrue'] as const)],
    [[first!, 'false'], ...rest.map(condition => [condition, 'true'] as const)],
  ];
}

interface Answers {
  readonly possible: number;
  /** According to the complete search, which answers every query. */
  readonly all: number;
}

function answersTo(one: Case): Answers {
  const conditions = conditionsOf(one);
  let [possible, all] = [0, 0];
  for (const question of questionsOf(conditions.map(([, condition]) => condition))) {
    const { kind } = solve(question.map(([condition, wanted]) => condition[WHEN[wanted]]));
    if (kind === 'model') all++;
    if (!findsAssignment(question)) continue;
    possible++;
    const wanted = question.map(([, own]) => own);
    if (kind === 'unsatisfiable') expect({ sources: conditions.map(([source]) => source), wanted }).toBe('impossible');
  }
  return { possible, all };
}

describe('the greedy search for an assignment', () => {
  it('satisfies nothing that the complete search proves impossible', () => {
    fc.assert(
      fc.property(CASE, one => {
        answersTo(one);
      }),
      { numRuns: runs(400, 4_000), seed: seed(20_261_121, 'TOLLGATE_REFUTATION_SEED') },
    );
  });

  it('satisfies at least 80 % of what is possible in fixed cases', () => {
    const answers = fc.sample(CASE, { numRuns: 500, seed: 1 }).map(answersTo);
    const possible = answers.reduce((sum, one) => sum + one.possible, 0);
    const all = answers.reduce((sum, one) => sum + one.all, 0);
    expect(possible / all).toBeGreaterThan(0.8);
  });
});
