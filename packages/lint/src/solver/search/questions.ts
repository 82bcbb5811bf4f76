import { Work } from '../../primitives/work.ts';
import { type Formula, termsOf } from '../formula/formula.ts';
import { all, any, type Outcomes } from '../formula/outcomes.ts';
import { isFulfilled, type Wanted } from './greedy-search.ts';
import { type Model, solve } from './solve.ts';

// An expression that fails does not match: every question is about being true, or about not being true. All answers but
// `possibleModel` are proofs: false means that there is none, or that it was not found within the bound on work.

/** When an expression holds, and when it is false; when neither, it fails. */
export type Condition = Outcomes;

/** Several conditions, all of which must hold. */
export function allOf(conditions: readonly Condition[]): Condition {
  return all(conditions);
}

/** Several conditions, one of which must hold. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return any(conditions);
}

/** It holds for no input. */
export function isUnsatisfiable(condition: Condition, work = new Work()): boolean {
  return cannotBe(work, [condition, 'true']);
}

/** It holds for every input. */
export function isTautology(condition: Condition, work = new Work()): boolean {
  return cannotBe(work, [condition, 'untrue']);
}

/** It is false for no input: it holds, or fails. */
export function isNeverFalse(condition: Condition, work = new Work()): boolean {
  return cannotBe(work, [condition, 'false']);
}

/** Wherever the first holds, the second does. */
export function implies(a: Condition, b: Condition, work = new Work()): boolean {
  return cannotBe(work, [a, 'true'], [b, 'untrue']);
}

/** No input fulfils both. */
export function areDisjoint(a: Condition, b: Condition, work = new Work()): boolean {
  return cannotBe(work, [a, 'true'], [b, 'true']);
}

/** It certainly is true for some input, and false for another. False says nothing. */
export function isContingent(condition: Condition, work = new Work()): boolean {
  if (condition.free !== undefined) return true;
  return isFulfilled([[condition, 'true']], work) && isFulfilled([[condition, 'false']], work);
}

/**
 * Of conditions, those that together hold wherever another one does: as few as dropping them one by one leaves, by position. Undefined
 * when it cannot be shown that they do.
 */
export function covering(
  conditions: readonly Condition[],
  condition: Condition,
  work = new Work(),
): readonly number[] | undefined {
  work.spend(conditions.length);
  if (isFulfilled([[condition, 'true'], ...conditions.map(one => [one, 'untrue'] as const)], work)) return undefined;
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

/** Positions of formulas that have a term in common, or are linked by others that do. What is about nothing is related to all. */
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

/** What inputs may look like that fulfil all formulas; undefined when there are none, or none was found. */
export function possibleModel(formulas: readonly Formula[], work = new Work()): Model | undefined {
  const answer = solve(formulas, work);
  if (answer.kind === 'open') work.leaveOpen();
  return answer.kind === 'model' ? answer.model : undefined;
}

/** Whether conditions cannot come to these at once. */
function cannotBe(work: Work, ...wishes: readonly (readonly [Condition, Wanted])[]): boolean {
  if (areFree(wishes, work) || isFulfilled(wishes, work)) return false;
  if (!work.isSpent)
    return cannotHold(
      wishes.map(([condition, wanted]) => condition[WHEN[wanted]]),
      work,
    );
  work.leaveOpen();
  return false;
}

/** Each may be true or false whatever the others are. */
function areFree(wishes: readonly (readonly [Condition, Wanted])[], work: Work): boolean {
  const [first, second] = wishes;
  const terms = first?.[0].free;
  if (terms === undefined || second === undefined) return terms !== undefined;
  work.spend(1);
  return wishes.length === 2 && (second[0].free?.every(term => !terms.includes(term)) ?? false);
}

const WHEN = { true: 'whenTrue', false: 'whenFalse', untrue: 'whenUntrue' } as const;

function cannotHold(formulas: readonly Formula[], work: Work): boolean {
  const { kind } = solve(formulas, work);
  if (kind === 'open') work.leaveOpen();
  return kind === 'unsatisfiable';
}
