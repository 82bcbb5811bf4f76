import { Work } from '../../primitives/work.ts';
import type { Condition } from '../formula/condition.ts';
import { type Formula, termsOf } from '../formula/formula.ts';
import { findsAssignment, type Target } from './greedy-search.ts';
import { type Model, solve } from './solve.ts';

// An expression that fails does not match, so every query is about being true or not being true. Except for `possibleModel`, true is a
// proof; false means that the opposite holds or that no proof was found within the bound on work.

/** Returns true if the condition holds for no input. */
export function isUnsatisfiable(condition: Condition, work = new Work()): boolean {
  return cannotBe(work, [condition, 'true']);
}

/** Returns true if the condition holds for every input. */
export function isTautology(condition: Condition, work = new Work()): boolean {
  return cannotBe(work, [condition, 'untrue']);
}

/** Returns true if the condition is false for no input: it holds or fails. */
export function isNeverFalse(condition: Condition, work = new Work()): boolean {
  return cannotBe(work, [condition, 'false']);
}

/** Returns true if the second condition holds wherever the first one does. */
export function implies(a: Condition, b: Condition, work = new Work()): boolean {
  return cannotBe(work, [a, 'true'], [b, 'untrue']);
}

/** Returns true if no input satisfies both conditions. */
export function areDisjoint(a: Condition, b: Condition, work = new Work()): boolean {
  return cannotBe(work, [a, 'true'], [b, 'true']);
}

/** Returns true if the condition is true for some input and false for another. False proves nothing. */
export function isContingent(condition: Condition, work = new Work()): boolean {
  if (condition.freeTerms !== undefined) return true;
  return findsAssignment([[condition, 'true']], work) && findsAssignment([[condition, 'false']], work);
}

/**
 * Returns the positions of conditions that together hold wherever another one does. No position can be dropped, but a smaller set may
 * exist. Undefined if coverage cannot be proved.
 */
export function covering(
  conditions: readonly Condition[],
  condition: Condition,
  work = new Work(),
): readonly number[] | undefined {
  work.spend(conditions.length);
  if (findsAssignment([[condition, 'true'], ...conditions.map(one => [one, 'untrue'] as const)], work))
    return undefined;
  if (work.isSpent) {
    work.leaveOpen();
    return undefined;
  }
  const failures = conditions.map(one => one.whenUntrue);
  const isCovered = (by: readonly number[]) => cannotHold([condition.whenTrue, ...by.map(at => failures[at]!)], work);
  const related = relatedTo(condition.whenTrue, failures, work);
  if (!isCovered(related)) return undefined;
  const single = related.find(at => isCovered([at]));
  if (single !== undefined) return [single];
  let needed = related;
  for (const at of related) {
    const fewer = needed.filter(other => other !== at);
    if (isCovered(fewer)) needed = fewer;
  }
  return needed;
}

/** Returns the positions of formulas that share a term, directly or through others. Constants are related to everything. */
function relatedTo(formula: Formula, formulas: readonly Formula[], work: Work): readonly number[] {
  const terms = new Set(termsOf(formula));
  const related = new Set<number>();
  for (let size = -1; size < related.size; ) {
    size = related.size;
    work.spend(formulas.length);
    formulas.forEach((one, index) => {
      const own = related.has(index) ? [] : termsOf(one);
      if (formula.kind !== 'constant' && one.kind !== 'constant' && !own.some(term => terms.has(term))) return;
      related.add(index);
      for (const term of own) terms.add(term);
    });
  }
  return [...related].toSorted((a, b) => a - b);
}

/** Returns a model in which all formulas may hold; undefined if there is none or none was found. */
export function possibleModel(formulas: readonly Formula[], work = new Work()): Model | undefined {
  const answer = solve(formulas, work);
  if (answer.kind === 'open') work.leaveOpen();
  return answer.kind === 'model' ? answer.model : undefined;
}

/** Returns true if it is proved that the goals cannot be reached together. */
function cannotBe(work: Work, ...goals: readonly (readonly [Condition, Target])[]): boolean {
  if (areFree(goals, work) || findsAssignment(goals, work)) return false;
  if (!work.isSpent)
    return cannotHold(
      goals.map(([condition, wanted]) => condition[WHEN[wanted]]),
      work,
    );
  work.leaveOpen();
  return false;
}

/** Returns true if the goals are independent of each other and each result is possible. */
function areFree(goals: readonly (readonly [Condition, Target])[], work: Work): boolean {
  const [first, second] = goals;
  const terms = first?.[0].freeTerms;
  if (terms === undefined || second === undefined) return terms !== undefined;
  work.spend(1);
  return goals.length === 2 && (second[0].freeTerms?.every(term => !terms.includes(term)) ?? false);
}

const WHEN = { true: 'whenTrue', false: 'whenFalse', untrue: 'whenUntrue' } as const;

function cannotHold(formulas: readonly Formula[], work: Work): boolean {
  const { kind } = solve(formulas, work);
  if (kind === 'open') work.leaveOpen();
  return kind === 'unsatisfiable';
}
