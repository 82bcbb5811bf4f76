import { EDGE_V2 } from '@tollgate/catalog';
import { compileToJavaScript, type Program } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { type CheckedExpression, checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import { type Condition, ConditionQuestions, SolverSession } from '@tollgate/solver/conditions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { activationsOf, GROUPS, type InputGroup, type MutableActivation } from './condition-inputs.ts';
import { SHAPE } from './condition-shapes.ts';

/** Number of fixed cases. */
const SAMPLE = runs(15, 500, 'TOLLGATE_CONDITION_SAMPLE');
/** Number of cases; a million with `TOLLGATE_CONDITION_CASES=1000000`. */
const CASES = runs(6, 2000, 'TOLLGATE_CONDITION_CASES');

/** Fixed unless `TOLLGATE_CONDITION_SEED` is set. */
const SEED = seed(20_261_121, 'TOLLGATE_CONDITION_SEED');

const PLACE = { endpoint: 'https-route', phase: 'outbound' } as const;
const environments = createPhaseEnvironments(EDGE_V2, PLACE.endpoint);
const environment = environments[PLACE.phase];

/** A condition in the two forms that are compared: as read by the solver and as evaluated. */
interface Subject {
  readonly source: string;
  readonly condition: Condition;
  /** Its result on each activation: true, false, or undefined for an error. */
  readonly results: readonly (boolean | undefined)[];
}

function checked(source: string): CheckedExpression {
  return checkCondition(source, { profile: EDGE_V2, place: PLACE, environment });
}

function subjectOf(source: string, questions: ConditionQuestions, activations: readonly MutableActivation[]): Subject {
  const { typed } = checked(source);
  const program: Program = compileToJavaScript(inlineBodies(typed!, environment), environment);
  const results = activations.map(one => {
    const value = program.evaluate(one as never);
    return typeof value === 'boolean' ? value : undefined;
  });
  return { source, condition: questions.read(typed!), results };
}

/** Cases with few inputs, so that their conditions are related. */
const CASE = fc.record({
  groups: fc.uniqueArray(fc.nat(GROUPS.length - 1), { minLength: 1, maxLength: 2 }),
  shapes: fc.array(SHAPE, { minLength: 4, maxLength: 4 }),
});

type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

const ACTIVATIONS = new Map<string, readonly MutableActivation[]>();

function inputsOf(groups: readonly InputGroup[]): readonly MutableActivation[] {
  const key = groups.map(group => GROUPS.indexOf(group)).join();
  const known = ACTIVATIONS.get(key) ?? activationsOf(groups);
  ACTIVATIONS.set(key, known);
  return known;
}

interface Claim {
  readonly kind: 'never' | 'always' | 'never false' | 'implies' | 'disjoint' | 'covers';
  readonly sources: readonly string[];
  /** True if the results on an activation refute the claim. */
  readonly isRefutedBy: (at: number) => boolean;
}

function claimsAbout(subjects: readonly Subject[], questions: ConditionQuestions): readonly Claim[] {
  return [
    ...subjects.flatMap(one => claimsAboutOne(one, questions)),
    ...subjects.flatMap(one => claimsAboutTwo(one, subjects, questions)),
    ...coverage(subjects, questions),
  ];
}

function claimsAboutOne({ source, condition, results }: Subject, questions: ConditionQuestions): readonly Claim[] {
  const claims: readonly (readonly [Claim['kind'], boolean, (result: boolean | undefined) => boolean])[] = [
    ['never', questions.isUnsatisfiable(condition), result => result === true],
    ['always', questions.isTautology(condition), result => result !== true],
    ['never false', questions.isNeverFalse(condition), result => result === false],
  ];
  return claims.flatMap(([kind, isClaimed, refutes]) =>
    isClaimed ? [{ kind, sources: [source], isRefutedBy: (at: number) => refutes(results[at]) }] : [],
  );
}

function claimsAboutTwo(a: Subject, subjects: readonly Subject[], questions: ConditionQuestions): readonly Claim[] {
  return subjects.flatMap((b): readonly Claim[] => {
    if (a === b) return [];
    const sources = [a.source, b.source];
    const implied = questions.implies(a.condition, b.condition);
    const disjoint = questions.areDisjoint(a.condition, b.condition);
    return [
      ...(implied
        ? [
            {
              kind: 'implies',
              sources,
              isRefutedBy: (at: number) => a.results[at] === true && b.results[at] !== true,
            } as const,
          ]
        : []),
      ...(disjoint
        ? [
            {
              kind: 'disjoint',
              sources,
              isRefutedBy: (at: number) => a.results[at] === true && b.results[at] === true,
            } as const,
          ]
        : []),
    ];
  });
}

function coverage(subjects: readonly Subject[], questions: ConditionQuestions): readonly Claim[] {
  const [covered, ...others] = subjects.toReversed();
  const by = questions
    .covering(
      others.map(one => one.condition),
      covered!.condition,
    )
    ?.map(at => others[at]!);
  if (by === undefined) return [];
  const isRefutedBy = (at: number) => covered!.results[at] === true && !by.some(one => one.results[at] === true);
  return [{ kind: 'covers', sources: [...by, covered!].map(one => one.source), isRefutedBy }];
}

/** Returns the claims about a case; fails if an input refutes one. */
function checkCase({ groups, shapes }: Case): readonly Claim[] {
  const chosen = groups.map(at => GROUPS[at]!);
  const activations = inputsOf(chosen);
  const atoms = chosen.flatMap(group => group.atoms);
  const session = new SolverSession({ profile: EDGE_V2, endpoint: PLACE.endpoint, environments }, { traffic: 'any' });
  const questions = new ConditionQuestions(session, PLACE.phase);
  const subjects = shapes.map(shape => subjectOf(shape(atoms), questions, activations));
  const claims = claimsAbout(subjects, questions);
  for (const { kind, sources, isRefutedBy } of claims) {
    const at = activations.findIndex((_, index) => isRefutedBy(index));
    if (at >= 0) expect({ kind, sources, activation: activations[at] }).toBe('refuted by nothing');
  }
  return claims;
}

it('uses only atoms that type-check', () => {
  const atoms = GROUPS.flatMap(group => group.atoms);
  expect(atoms.filter(atom => checked(atom).typed === undefined)).toEqual([]);
});

describe('claims about conditions', () => {
  it('are refuted by no input', () => {
    fc.assert(
      fc.property(CASE, one => {
        checkCase(one);
      }),
      { numRuns: CASES, seed: SEED },
    );
  });

  it('are at least this many in fixed cases', () => {
    const counts: Partial<Record<Claim['kind'], number>> = {};
    for (const one of fc.sample(CASE, { numRuns: SAMPLE, seed: 1 })) {
      for (const { kind } of checkCase(one)) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    // In a thousand cases; few may have a third of them in proportion.
    const least = { never: 135, always: 110, 'never false': 180, implies: 2030, disjoint: 2120, covers: 440 };
    for (const [kind, count] of Object.entries(least)) {
      const expected = Math.floor((count * SAMPLE) / (SAMPLE < 500 ? 3000 : 1000));
      expect(counts[kind as Claim['kind']] ?? 0, kind).toBeGreaterThanOrEqual(expected);
    }
  });
});
