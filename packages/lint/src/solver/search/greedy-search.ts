import { Work } from '../../primitives/work.ts';
import type { Claim, Formula } from '../formula/formula.ts';
import type { Outcomes } from '../formula/outcomes.ts';
import { passes, type SimpleTest, valuesToPass } from '../formula/simple-test.ts';
import { holdsOf, type TrialValue, valuesToTry } from '../formula/trial-values.ts';
import type { Term } from '../values/vocabulary.ts';

/** What a condition is to come to; `untrue`: false, or failing. */
export type Wanted = 'true' | 'false' | 'untrue';

/** A condition and what it is to come to. */
export type Wish = readonly [condition: Outcomes, wanted: Wanted];

/**
 * Whether values of terms were found with which all wishes come true; then nothing can be proved against them. False says nothing. Takes
 * one look at each part of the conditions, without going back: most conditions of people are easily fulfilled.
 */
export function isFulfilled(wishes: readonly Wish[], work = new Work()): boolean {
  const trial: Trial = { choices: new Map(), isRevised: false, stepsLeft: MAX_STEPS, work };
  for (const [condition, wanted] of wishes) if (!steer(trial, condition, wanted)) return false;
  // What was chosen for one may have spoiled another.
  return !trial.isRevised || wishes.every(([condition, wanted]) => isMet(outcomesAt(trial, condition), wanted));
}

/** What is to hold of a term, and a value of which all of it does; chosen only when something else is asked of the term. */
interface Choice {
  readonly demands: Demand[];
  value: TrialValue | undefined;
}

/** A simple test that is to be true, or false. */
interface TestDemand {
  readonly kind: 'test';
  readonly test: SimpleTest;
  readonly wanted: boolean;
}

/** What is to hold of a term. Each by itself can. */
type Demand = Claim | TestDemand;

/** What holds of terms, and a value of which all of it does; chosen only when something else is asked of the term. */
interface Trial {
  readonly choices: Map<Term, Choice>;
  /** Whether another value was chosen for a term after something was decided by the first. */
  isRevised: boolean;
  stepsLeft: number;
  readonly work: Work;
}

/** Parts of conditions that are made to come to something, beyond which the search is asked, whose work is bounded too. */
const MAX_STEPS = 20_000;

/** Of a string that is searched. */
const CHARACTERS_A_STEP = 16;

/** Looking through demands is quicker than anything else. */
const DEMANDS_A_STEP = 16;

// What a condition may come to as far as values are chosen; bits.
const TRUE = 1;
const FALSE = 2;
const FAILS = 4;

function isMet(outcomes: number, wanted: Wanted): boolean {
  if (wanted === 'untrue') return (outcomes & TRUE) === 0;
  return outcomes === (wanted === 'true' ? TRUE : FALSE);
}

function outcomesAt(trial: Trial, condition: Outcomes): number {
  trial.work.spend(1);
  const { joint, test } = condition;
  if (test !== undefined) return testAt(trial, test);
  if (joint === undefined) return singleAt(trial, condition);
  switch (joint.kind) {
    case 'not':
      return swapped(outcomesAt(trial, joint.operand));
    case 'all':
      return allAt(trial, joint.operands);
    case 'any':
      return swapped(allAt(trial, joint.operands, swapped));
    case 'choice': {
      const chosen = outcomesAt(trial, joint.condition);
      const yes = (chosen & TRUE) === 0 ? 0 : outcomesAt(trial, joint.yes);
      const no = (chosen & FALSE) === 0 ? 0 : outcomesAt(trial, joint.no);
      return yes | no | (chosen & FAILS);
    }
  }
}

function swapped(outcomes: number): number {
  return (outcomes & FAILS) | ((outcomes & TRUE) << 1) | ((outcomes & FALSE) >> 1);
}

/** Of `&&`; `||` is the same the other way about. */
function allAt(trial: Trial, operands: readonly Outcomes[], see = same): number {
  let found = TRUE;
  for (const operand of operands) {
    const own = see(outcomesAt(trial, operand));
    if (own === FALSE) return FALSE;
    const fails = ((found & FAILS) !== 0 && own !== FALSE) || ((own & FAILS) !== 0 && found !== FALSE);
    found = (found & own & TRUE) | ((found | own) & FALSE) | (fails ? FAILS : 0);
  }
  return found;
}

function same(outcomes: number): number {
  return outcomes;
}

function testAt(trial: Trial, test: SimpleTest): number {
  const choice = trial.choices.get(test.term);
  trial.work.spend((choice?.demands.length ?? 0) / DEMANDS_A_STEP);
  const demand = choice?.demands.find(one => one.kind === 'test' && one.test === test) as TestDemand | undefined;
  const passed = demand?.wanted ?? (choice && passesIn(trial, choice, test));
  if (passed === undefined) return TRUE | FALSE | FAILS;
  return passed ? TRUE : FALSE;
}

function passesIn(trial: Trial, choice: Choice, test: SimpleTest): boolean | undefined {
  const value = chosenValue(trial, choice);
  return value === undefined ? undefined : passes(test, value);
}

function singleAt(trial: Trial, { whenTrue, whenFalse }: Outcomes): number {
  const isTrue = holdsAt(trial, whenTrue);
  if (isTrue === true) return TRUE;
  const isFalse = holdsAt(trial, whenFalse);
  if (isFalse === true) return FALSE;
  return FAILS | (isTrue === undefined ? TRUE : 0) | (isFalse === undefined ? FALSE : 0);
}

/** Undefined where it hangs on what is not chosen, or cannot be told. */
function holdsAt(trial: Trial, formula: Formula): boolean | undefined {
  if (formula.kind === 'constant') return formula.holds;
  if (formula.kind === 'claim') {
    const choice = trial.choices.get(formula.variable.term);
    return choice && isMetIn(trial, choice, formula);
  }
  const deciding = formula.kind === 'or';
  let found: boolean | undefined = !deciding;
  for (const part of formula.parts) {
    const own = holdsAt(trial, part);
    if (own === deciding) return deciding;
    if (own === undefined) found = undefined;
  }
  return found;
}

/** Chooses values that make a condition come to what is wanted; false where that did not work out. */
function steer(trial: Trial, condition: Outcomes, wanted: Wanted): boolean {
  const { joint, test } = condition;
  trial.work.spend(1);
  if (trial.stepsLeft-- <= 0 || trial.work.isSpent) return false;
  if (test !== undefined) return holdDemand(trial, test.term, { kind: 'test', test, wanted: wanted === 'true' });
  if (joint === undefined) return steerSingle(trial, condition, wanted);
  switch (joint.kind) {
    case 'not':
      return steer(trial, joint.operand, wanted === 'true' ? 'false' : 'true');
    case 'choice':
      return steerChoice(trial, joint, wanted);
    default:
      return (joint.kind === 'all') === (wanted === 'true')
        ? joint.operands.every(one => steer(trial, one, wanted))
        : steerOne(trial, joint.operands, wanted);
  }
}

function steerSingle(trial: Trial, condition: Outcomes, wanted: Wanted): boolean {
  if (wanted === 'true') return hold(trial, condition.whenTrue);
  return hold(trial, condition.whenFalse) || (wanted === 'untrue' && hold(trial, condition.whenUntrue));
}

/** One that has come to it already, or the first that can be made to. */
function steerOne(trial: Trial, operands: readonly Outcomes[], wanted: Wanted): boolean {
  return operands.some(one => isMet(outcomesAt(trial, one), wanted)) || operands.some(one => steer(trial, one, wanted));
}

function steerChoice(
  trial: Trial,
  { condition, yes, no }: Extract<Outcomes['joint'], { readonly kind: 'choice' }>,
  wanted: Wanted,
): boolean {
  const chosen = outcomesAt(trial, condition);
  if (chosen !== FALSE && steer(trial, condition, 'true') && steer(trial, yes, wanted)) return true;
  return chosen !== TRUE && steer(trial, condition, 'false') && steer(trial, no, wanted);
}

function hold(trial: Trial, formula: Formula): boolean {
  switch (formula.kind) {
    case 'constant':
      return formula.holds;
    case 'claim':
      return holdDemand(trial, formula.variable.term, formula);
    case 'and':
      return formula.parts.every(part => hold(trial, part));
    case 'or':
      return holdsAt(trial, formula) === true || formula.parts.some(part => hold(trial, part));
  }
}

function holdDemand(trial: Trial, term: Term, demand: Demand): boolean {
  const choice = trial.choices.get(term);
  if (choice === undefined) {
    trial.choices.set(term, { demands: [demand], value: undefined });
    return true;
  }
  if (isMetIn(trial, choice, demand) !== true) {
    const demands = [...choice.demands, demand];
    const value = fitting(trial, demand, demands, choice.value);
    if (value === undefined) return false;
    trial.isRevised ||= choice.value !== undefined;
    choice.value = value;
  }
  choice.demands.push(demand);
  return true;
}

function isMetIn(trial: Trial, choice: Choice, demand: Demand): boolean | undefined {
  trial.work.spend(choice.demands.length / DEMANDS_A_STEP);
  if (choice.demands.includes(demand)) return true;
  const value = chosenValue(trial, choice);
  return value === undefined ? undefined : isMetBy(value, demand);
}

function isMetBy(value: TrialValue, demand: Demand): boolean | undefined {
  if (demand.kind === 'claim') return holdsOf(value, demand);
  const passed = passes(demand.test, value);
  return passed === undefined ? undefined : passed === demand.wanted;
}

function chosenValue(trial: Trial, choice: Choice): TrialValue | undefined {
  choice.value ??= fitting(trial, choice.demands[0]!, choice.demands, undefined);
  return choice.value;
}

function fitting(
  { work }: Trial,
  demand: Demand,
  demands: readonly Demand[],
  before: TrialValue | undefined,
): TrialValue | undefined {
  const values =
    demand.kind === 'claim' ? valuesToTry(demand, before) : valuesToPass(demand.test, demand.wanted, before);
  return values.find(value => {
    const cost = 1 + (typeof value === 'string' ? value.length / CHARACTERS_A_STEP : 0);
    return demands.every(one => {
      work.spend(cost);
      return isMetBy(value, one) === true;
    });
  });
}
