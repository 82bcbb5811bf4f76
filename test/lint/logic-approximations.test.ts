import { EDGE_V2 } from '@tollgate/catalog';
import { compileToJavaScript, type Program } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import {
  allOf,
  type Condition,
  createVocabulary,
  leavesUncoveredInput,
  nameMetadataAt,
  RuleApproximation,
  RuleIndex,
  readCondition,
  solve,
} from '@tollgate/lint/solver';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { activationsOf, GROUPS, type MutableActivation } from './logic-inputs.ts';
import { SHAPE } from './logic-shapes.ts';

// Approximations answer questions about rules before the search does. Whatever the search proves impossible, no approximation may show.

/** Number of cases; more with `TOLLGATE_SKETCH_CASES=60000`. */
const CASES = runs(300, 4_000, 'TOLLGATE_SKETCH_CASES');

const PLACE = { endpoint: 'https-route', phase: 'outbound' } as const;
const environment = createPhaseEnvironments(EDGE_V2, PLACE.endpoint)[PLACE.phase];
const FACTS = nameMetadataAt(EDGE_V2, PLACE);

const CASE = fc.record({
  groups: fc.uniqueArray(fc.nat(GROUPS.length - 1), { minLength: 1, maxLength: 3 }),
  shapes: fc.array(SHAPE, { minLength: 4, maxLength: 4 }),
});

type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

interface Subject {
  readonly sources: readonly string[];
  readonly condition: Condition;
  readonly approximation: RuleApproximation;
  readonly programs: readonly (() => Program)[];
}

/** Builds three rules: one with two expressions, and two with one. */
function rulesOf({ groups, shapes }: Case): readonly Subject[] {
  const atoms = groups.flatMap(at => GROUPS[at]!.atoms);
  const vocabulary = createVocabulary();
  const [first, ...others] = shapes.map(shape => shape(atoms));
  const rules = [[first!, others[0]!], [others[1]!], [others[2]!]];
  return rules.map(sources => {
    const typed = sources.map(source => checkCondition(source, { profile: EDGE_V2, place: PLACE, environment }).typed!);
    const conditions = typed.map(one => readCondition(one, { environment, facts: FACTS, vocabulary }));
    const programs = typed.map(one => () => compileToJavaScript(inlineBodies(one, environment), environment));
    return {
      sources,
      condition: allOf(conditions),
      approximation: new RuleApproximation(typed, environment),
      programs,
    };
  });
}

interface Claim {
  readonly name: string;
  readonly isSeen: boolean;
  readonly isPossible: boolean;
}

function claimsOf(rules: readonly Subject[]): readonly Claim[] {
  const [rule, ...others] = rules as readonly [Subject, ...Subject[]];
  const approximations = others.map(one => one.approximation);
  const index = new RuleIndex(approximations);
  const otherRules = {
    mayHoldIn: (assignment: Parameters<RuleIndex['mayHoldIn']>[0]) =>
      [...index.mayHoldIn(assignment)].map(at => approximations[at]!),
  };
  const untrue = others.map(one => one.condition.whenUntrue);
  const isPossible = (...formulas: Parameters<typeof solve>[0]) => solve(formulas).kind !== 'unsatisfiable';
  return [
    ...rules.flatMap(({ condition, approximation }) => [
      { name: 'can match', isSeen: approximation.canMatch(), isPossible: isPossible(condition.whenTrue) },
      { name: 'can fail', isSeen: approximation.canFail(), isPossible: isPossible(condition.whenUntrue) },
    ]),
    ...others.map(({ condition, approximation }) => {
      const isEither = isPossible(condition.whenTrue) && isPossible(condition.whenFalse);
      return { name: 'is contingent', isSeen: approximation.isContingent(), isPossible: isEither };
    }),
    {
      name: 'has uncovered input',
      isSeen: rule.approximation.hasUncoveredInput(otherRules),
      isPossible: isPossible(rule.condition.whenTrue, ...untrue),
    },
    { name: 'leaves uncovered input', isSeen: leavesUncoveredInput(approximations), isPossible: isPossible(...untrue) },
  ];
}

/** Returns the rules that, according to the index, are disjoint from the first. */
function leftOut(rules: readonly Subject[]): readonly Subject[] {
  const index = new RuleIndex(rules.map(one => one.approximation));
  const overlapping = new Set(index.overlapping(0, 1, rules.length));
  return rules.filter((_, at) => at > 0 && !overlapping.has(at));
}

function isMet({ programs }: Subject, activation: MutableActivation): boolean {
  return programs.map(one => one()).every(program => program.evaluate(activation as never) === true);
}

describe('the rule index', () => {
  const RUNS = CASES / 4;

  it('omits only rules that are disjoint from the given one', () => {
    let count = 0;
    fc.assert(
      fc.property(CASE, one => {
        const rules = rulesOf(one);
        const out = leftOut(rules);
        count += out.length;
        const inputs = out.length === 0 ? [] : activationsOf(one.groups.map(at => GROUPS[at]!));
        const wrong = out.filter(other => inputs.some(input => isMet(rules[0]!, input) && isMet(other, input)));
        expect(wrong.map(other => [rules[0]!.sources, other.sources])).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20_261_122 },
    );
    expect(count).toBeGreaterThan(RUNS / 50);
  });
});

describe('an approximation of rules', () => {
  it('shows nothing that the search proves impossible', () => {
    fc.assert(
      fc.property(CASE, one => {
        const rules = rulesOf(one);
        const wrong = claimsOf(rules).filter(({ isSeen, isPossible }) => isSeen && !isPossible);
        expect(wrong.map(({ name }) => [name, ...rules.map(rule => rule.sources)])).toEqual([]);
      }),
      { numRuns: CASES, seed: seed(20_261_122, 'TOLLGATE_REFUTATION_SEED') },
    );
  });

  it('shows at least 30 % of what is possible in fixed cases', () => {
    const claims = fc.sample(CASE, { numRuns: 500, seed: 1 }).flatMap(one => claimsOf(rulesOf(one)));
    const possible = claims.filter(one => one.isPossible);
    expect(possible.filter(one => one.isSeen).length / possible.length).toBeGreaterThan(0.3);
  });
});
