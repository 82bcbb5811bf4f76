import { Work } from '../../primitives/work.ts';
import { type CandidateValue, holdsOf, valuesToTry } from '../formula/candidate-values.ts';
import type { Condition } from '../formula/condition.ts';
import type { Claim, Formula } from '../formula/formula.ts';
import { passes, type SimpleTest, valuesToPass } from '../formula/simple-test.ts';
import { ANY_RESULT, conjoin, disjoin, FAILS, FALSE, negate, TRUE } from '../formula/truth.ts';
import type { Term } from '../values/vocabulary.ts';

/** The result that a condition shall have; `untrue`: false or failing. */
export type Target = 'true' | 'false' | 'untrue';

/** A condition and the result that it shall have. */
type Goal = readonly [condition: Condition, target: Target];

/**
 * Returns true if it finds values for terms that reach all goals; then nothing can be proved against them. False proves nothing. Visits
 * each part of the conditions once, without backtracking, which is enough for most conditions that people write.
 */
export function findsAssignment(goals: readonly Goal[], work = new Work()): boolean {
  const assignment: Assignment = { choices: new Map(), isRevised: false, stepsLeft: MAX_STEPS, work };
  for (const [condition, target] of goals) if (!satisfy(assignment, condition, target)) return false;
  // A value chosen for one goal may have undone another.
  return (
    !assignment.isRevised || goals.every(([condition, target]) => isReached(resultsOf(assignment, condition), target))
  );
}

/** The constraints on a term, and a value that meets all of them, chosen only when a second constraint is added. */
interface Choice {
  readonly constraints: Constraint[];
  value: CandidateValue | undefined;
}

/** A simple test that shall be true or false. */
interface TestConstraint {
  readonly kind: 'test';
  readonly test: SimpleTest;
  readonly target: boolean;
}

/** A constraint on one term. Each can be met by itself. */
type Constraint = Claim | TestConstraint;

interface Assignment {
  readonly choices: Map<Term, Choice>;
  /** True once the value of a term was replaced after something was decided by it. */
  isRevised: boolean;
  stepsLeft: number;
  readonly work: Work;
}

/** Parts of conditions visited before the complete search, which has its own bound, takes over. */
const MAX_STEPS = 20_000;

/** Characters of a string that are searched in one step. */
const CHARACTERS_PER_STEP = 16;

/** Constraints that are looked through in one step. */
const CONSTRAINTS_PER_STEP = 16;

function isReached(results: number, target: Target): boolean {
  if (target === 'untrue') return (results & TRUE) === 0;
  return results === (target === 'true' ? TRUE : FALSE);
}

/** Returns the results that a condition may have, given the values chosen so far. */
function resultsOf(assignment: Assignment, condition: Condition): number {
  assignment.work.spend(1);
  const { compound, test } = condition;
  if (test !== undefined) return resultsOfTest(assignment, test);
  if (compound === undefined) return resultsOfAtom(assignment, condition);
  switch (compound.kind) {
    case 'not':
      return negate(resultsOf(assignment, compound.operand));
    case 'all': {
      let results = TRUE;
      for (const operand of compound.operands) {
        results = conjoin(results, resultsOf(assignment, operand));
        if (results === FALSE) break;
      }
      return results;
    }
    case 'any': {
      let results = FALSE;
      for (const operand of compound.operands) {
        results = disjoin(results, resultsOf(assignment, operand));
        if (results === TRUE) break;
      }
      return results;
    }
    case 'choice': {
      const chosen = resultsOf(assignment, compound.condition);
      const yes = (chosen & TRUE) === 0 ? 0 : resultsOf(assignment, compound.yes);
      const no = (chosen & FALSE) === 0 ? 0 : resultsOf(assignment, compound.no);
      return yes | no | (chosen & FAILS);
    }
  }
}

function resultsOfTest(assignment: Assignment, test: SimpleTest): number {
  const choice = assignment.choices.get(test.term);
  assignment.work.spend((choice?.constraints.length ?? 0) / CONSTRAINTS_PER_STEP);
  const constraint = choice?.constraints.find(one => one.kind === 'test' && one.test === test) as
    | TestConstraint
    | undefined;
  const passed = constraint?.target ?? (choice && passesIn(assignment, choice, test));
  if (passed === undefined) return ANY_RESULT;
  return passed ? TRUE : FALSE;
}

function passesIn(assignment: Assignment, choice: Choice, test: SimpleTest): boolean | undefined {
  const value = chosenValue(assignment, choice);
  return value === undefined ? undefined : passes(test, value);
}

function resultsOfAtom(assignment: Assignment, { whenTrue, whenFalse }: Condition): number {
  const isTrue = holdsAt(assignment, whenTrue);
  if (isTrue === true) return TRUE;
  const isFalse = holdsAt(assignment, whenFalse);
  if (isFalse === true) return FALSE;
  return FAILS | (isTrue === undefined ? TRUE : 0) | (isFalse === undefined ? FALSE : 0);
}

/** Returns whether the formula holds; undefined if that depends on terms without a value, or is unknown. */
function holdsAt(assignment: Assignment, formula: Formula): boolean | undefined {
  if (formula.kind === 'constant') return formula.holds;
  if (formula.kind === 'claim') {
    const choice = assignment.choices.get(formula.variable.term);
    return choice && isMetIn(assignment, choice, formula);
  }
  const deciding = formula.kind === 'or';
  let found: boolean | undefined = !deciding;
  for (const part of formula.parts) {
    const own = holdsAt(assignment, part);
    if (own === deciding) return deciding;
    if (own === undefined) found = undefined;
  }
  return found;
}

/** Chooses values so that a condition has the target result; returns false if the attempt fails. */
function satisfy(assignment: Assignment, condition: Condition, target: Target): boolean {
  const { compound, test } = condition;
  assignment.work.spend(1);
  if (assignment.stepsLeft-- <= 0 || assignment.work.isSpent) return false;
  if (test !== undefined)
    return addConstraint(assignment, test.term, { kind: 'test', test, target: target === 'true' });
  if (compound === undefined) return satisfyAtomic(assignment, condition, target);
  switch (compound.kind) {
    case 'not':
      return satisfy(assignment, compound.operand, target === 'true' ? 'false' : 'true');
    case 'choice':
      return satisfyConditional(assignment, compound, target);
    default:
      return (compound.kind === 'all') === (target === 'true')
        ? compound.operands.every(one => satisfy(assignment, one, target))
        : satisfyAny(assignment, compound.operands, target);
  }
}

function satisfyAtomic(assignment: Assignment, condition: Condition, target: Target): boolean {
  if (target === 'true') return satisfyFormula(assignment, condition.whenTrue);
  return (
    satisfyFormula(assignment, condition.whenFalse) ||
    (target === 'untrue' && satisfyFormula(assignment, condition.whenUntrue))
  );
}

/** Prefers an operand that already has the target result; otherwise satisfies the first that it can. */
function satisfyAny(assignment: Assignment, operands: readonly Condition[], target: Target): boolean {
  return (
    operands.some(one => isReached(resultsOf(assignment, one), target)) ||
    operands.some(one => satisfy(assignment, one, target))
  );
}

function satisfyConditional(
  assignment: Assignment,
  { condition, yes, no }: Extract<Condition['compound'], { readonly kind: 'choice' }>,
  target: Target,
): boolean {
  const chosen = resultsOf(assignment, condition);
  if (chosen !== FALSE && satisfy(assignment, condition, 'true') && satisfy(assignment, yes, target)) return true;
  return chosen !== TRUE && satisfy(assignment, condition, 'false') && satisfy(assignment, no, target);
}

function satisfyFormula(assignment: Assignment, formula: Formula): boolean {
  switch (formula.kind) {
    case 'constant':
      return formula.holds;
    case 'claim':
      return addConstraint(assignment, formula.variable.term, formula);
    case 'and':
      return formula.parts.every(part => satisfyFormula(assignment, part));
    case 'or':
      return holdsAt(assignment, formula) === true || formula.parts.some(part => satisfyFormula(assignment, part));
  }
}

function addConstraint(assignment: Assignment, term: Term, constraint: Constraint): boolean {
  const choice = assignment.choices.get(term);
  if (choice === undefined) {
    assignment.choices.set(term, { constraints: [constraint], value: undefined });
    return true;
  }
  if (isMetIn(assignment, choice, constraint) !== true) {
    const constraints = [...choice.constraints, constraint];
    const value = fitting(assignment, constraint, constraints, choice.value);
    if (value === undefined) return false;
    assignment.isRevised ||= choice.value !== undefined;
    choice.value = value;
  }
  choice.constraints.push(constraint);
  return true;
}

function isMetIn(assignment: Assignment, choice: Choice, constraint: Constraint): boolean | undefined {
  assignment.work.spend(choice.constraints.length / CONSTRAINTS_PER_STEP);
  if (choice.constraints.includes(constraint)) return true;
  const value = chosenValue(assignment, choice);
  return value === undefined ? undefined : meets(value, constraint);
}

function meets(value: CandidateValue, constraint: Constraint): boolean | undefined {
  if (constraint.kind === 'claim') return holdsOf(value, constraint);
  const passed = passes(constraint.test, value);
  return passed === undefined ? undefined : passed === constraint.target;
}

function chosenValue(assignment: Assignment, choice: Choice): CandidateValue | undefined {
  choice.value ??= fitting(assignment, choice.constraints[0]!, choice.constraints, undefined);
  return choice.value;
}

function fitting(
  { work }: Assignment,
  constraint: Constraint,
  constraints: readonly Constraint[],
  before: CandidateValue | undefined,
): CandidateValue | undefined {
  const values =
    constraint.kind === 'claim'
      ? valuesToTry(constraint, before)
      : valuesToPass(constraint.test, constraint.target, before);
  return values.find(value => {
    const cost = 1 + (typeof value === 'string' ? value.length / CHARACTERS_PER_STEP : 0);
    return constraints.every(one => {
      work.spend(cost);
      return meets(value, one) === true;
    });
  });
}
