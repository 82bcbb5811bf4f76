import { difference, meet, type ValueSet } from '../values/value-set.ts';
import type { Term, Variable } from '../values/vocabulary.ts';
import { ALWAYS, and, claim, type Formula, NEVER, not, or, termsOf } from './formula.ts';
import type { SimpleTest } from './simple-test.ts';

/** When an expression is true, and when it is false. When neither holds, it fails. Formulas of what is put together are made when asked for. */
export interface Outcomes {
  readonly whenTrue: Formula;
  readonly whenFalse: Formula;
  /** That it is false, or fails. */
  readonly whenUntrue: Formula;
  /** What it is put together from; undefined where it is not. */
  readonly joint: Joint | undefined;
  /** What it asks, where that is easily tried. */
  readonly test: SimpleTest | undefined;
  /** What the formulas for true and for false together are no larger than. */
  readonly size: number;
  /**
   * What it is about, where it asks of each of these one thing that may be so or not: then it may be true, and may be false, and so may
   * all that it is put together from. Undefined where that takes a closer look.
   */
  readonly free: readonly Term[] | undefined;
}

/** Outcomes put together from others. */
export type Joint =
  | { readonly kind: 'all' | 'any'; readonly operands: readonly Outcomes[] }
  | { readonly kind: 'not'; readonly operand: Outcomes }
  | { readonly kind: 'choice'; readonly condition: Outcomes; readonly yes: Outcomes; readonly no: Outcomes };

class Single implements Outcomes {
  readonly whenTrue: Formula;
  readonly whenFalse: Formula;
  readonly joint = undefined;
  readonly test = undefined;
  readonly free: readonly Term[] | undefined;
  #whenUntrue: Formula | undefined;

  constructor(whenTrue: Formula, whenFalse: Formula) {
    this.whenTrue = whenTrue;
    this.whenFalse = whenFalse;
    this.free = freelyChosen(whenTrue, whenFalse);
  }

  get whenUntrue(): Formula {
    this.#whenUntrue ??= not(this.whenTrue);
    return this.#whenUntrue;
  }

  get size(): number {
    return this.whenTrue.size + this.whenFalse.size;
  }
}

/** The terms of two formulas each of which only claims one thing of each of them. */
function freelyChosen(whenTrue: Formula, whenFalse: Formula): readonly Term[] | undefined {
  if (!isFree(whenTrue) || !isFree(whenFalse)) return undefined;
  const terms = [...termsOf(whenTrue)];
  for (const term of termsOf(whenFalse)) if (!terms.includes(term)) terms.push(term);
  return terms;
}

/** Claims hold for something each; about one term they may exclude each other. */
function isFree(formula: Formula): boolean {
  if (formula.kind === 'claim') return true;
  if (formula.kind !== 'and' || formula.terms.size < formula.parts.length) return false;
  return formula.parts.every(part => part.kind === 'claim');
}

/** Most conditions are decided by trying values: writing out what they mean would cost more than all else. */
class Tested implements Outcomes {
  readonly joint = undefined;
  readonly test: SimpleTest;
  /** Of two claims. */
  readonly size = 2;
  readonly free: readonly Term[];
  readonly #find: () => Outcomes;
  #found: Outcomes | undefined;

  constructor(test: SimpleTest, find: () => Outcomes) {
    this.test = test;
    this.free = [test.term];
    this.#find = find;
  }

  get whenTrue(): Formula {
    return this.#outcomes.whenTrue;
  }

  get whenFalse(): Formula {
    return this.#outcomes.whenFalse;
  }

  get whenUntrue(): Formula {
    return this.#outcomes.whenUntrue;
  }

  get #outcomes(): Outcomes {
    this.#found ??= this.#find();
    return this.#found;
  }
}

class Joined implements Outcomes {
  readonly joint: Joint;
  readonly test = undefined;
  readonly size: number;
  readonly free: readonly Term[] | undefined;
  #whenTrue: Formula | undefined;
  #whenFalse: Formula | undefined;
  #whenUntrue: Formula | undefined;

  constructor(joint: Joint) {
    this.joint = joint;
    this.size = sizeOf(joint);
    this.free = freeIn(joint);
  }

  get whenTrue(): Formula {
    this.#whenTrue ??= formulaOf(this.joint, 'whenTrue');
    return this.#whenTrue;
  }

  get whenFalse(): Formula {
    this.#whenFalse ??= formulaOf(this.joint, 'whenFalse');
    return this.#whenFalse;
  }

  get whenUntrue(): Formula {
    this.#whenUntrue ??= not(this.whenTrue);
    return this.#whenUntrue;
  }
}

/** Those of all operands, where no two have one in common. */
function freeIn(joint: Joint): readonly Term[] | undefined {
  if (joint.kind === 'not') return joint.operand.free;
  if (joint.kind === 'choice' || joint.operands.length === 0) return undefined;
  const terms: Term[] = [];
  for (const { free } of joint.operands) {
    if (free === undefined || terms.length > MAX_FREE) return undefined;
    for (const term of free) {
      if (terms.includes(term)) return undefined;
      terms.push(term);
    }
  }
  return terms;
}

/** Terms beyond which looking for two that are the same takes longer than what it saves. */
const MAX_FREE = 32;

type Part = 'whenTrue' | 'whenFalse';

/** `&&` is false if one operand is false, whatever the others do; `||` the same for true. */
function formulaOf(joint: Joint, part: Part): Formula {
  switch (joint.kind) {
    case 'not':
      return joint.operand[part === 'whenTrue' ? 'whenFalse' : 'whenTrue'];
    case 'choice': {
      const { condition, yes, no } = joint;
      return or([and([condition.whenTrue, yes[part]]), and([condition.whenFalse, no[part]])]);
    }
    default: {
      const parts = joint.operands.map(one => one[part]);
      return (joint.kind === 'all') === (part === 'whenTrue') ? and(parts) : or(parts);
    }
  }
}

function sizeOf(joint: Joint): number {
  switch (joint.kind) {
    case 'not':
      return joint.operand.size;
    case 'choice':
      return 6 + 2 * joint.condition.size + joint.yes.size + joint.no.size;
    default:
      return joint.operands.reduce((sum, one) => sum + one.size, 2);
  }
}

export const TRUE_ALWAYS: Outcomes = new Single(ALWAYS, NEVER);
export const FALSE_ALWAYS: Outcomes = new Single(NEVER, ALWAYS);
export const FAILS_ALWAYS: Outcomes = new Single(NEVER, NEVER);

/** Those of a simple test; what is found says the same in formulas, when it is asked for. */
export function tested(test: SimpleTest, find: () => Outcomes): Outcomes {
  return new Tested(test, find);
}

/** True where the variable is one of `yes`, false where it is another one of `all`; fails where it is none of `all`. */
export function split(variable: Variable, yes: ValueSet, all: ValueSet): Outcomes {
  return new Single(claim(variable, meet(all, yes)), claim(variable, difference(all, yes)));
}

/** The same, but failing where the condition does not hold. */
export function provided(condition: Formula, outcomes: Outcomes): Outcomes {
  if (condition === ALWAYS) return outcomes;
  return new Single(and([outcomes.whenTrue, condition]), and([outcomes.whenFalse, condition]));
}

export function negated(operand: Outcomes): Outcomes {
  return operand instanceof Single
    ? new Single(operand.whenFalse, operand.whenTrue)
    : new Joined({ kind: 'not', operand });
}

/** `&&` over all: false if one is false, whatever the others do. */
export function all(operands: readonly Outcomes[]): Outcomes {
  return operands.length === 1 ? operands[0]! : new Joined({ kind: 'all', operands });
}

/** `||` over all: true if one is true, whatever the others do. */
export function any(operands: readonly Outcomes[]): Outcomes {
  return operands.length === 1 ? operands[0]! : new Joined({ kind: 'any', operands });
}

/** `?:`: only the operand that was chosen counts. */
export function choice(condition: Outcomes, yes: Outcomes, no: Outcomes): Outcomes {
  return new Joined({ kind: 'choice', condition, yes, no });
}
