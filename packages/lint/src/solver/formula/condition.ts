import { difference, meet, type ValueSet } from '../values/value-set.ts';
import type { Term, Variable } from '../values/vocabulary.ts';
import { ALWAYS, and, claim, type Formula, NEVER, not, or, termsOf } from './formula.ts';
import type { SimpleTest } from './simple-test.ts';

/** When an expression is true and when it is false; otherwise it fails. Formulas of compound conditions are computed on first use. */
export interface Condition {
  readonly whenTrue: Formula;
  readonly whenFalse: Formula;
  /** When it is false or fails. */
  readonly whenUntrue: Formula;
  /** The operator and its operands; undefined for atomic conditions. */
  readonly compound: Compound | undefined;
  /** The test that decides it, if values can simply be tried. */
  readonly test: SimpleTest | undefined;
  /** Upper bound of the size of the formulas for true and for false together. */
  readonly size: number;
  /**
   * The terms that it reads, if it tests each of them once and either result is possible: then it, and each of its operands, can be true
   * and can be false. Undefined if that is not obvious.
   */
  readonly freeTerms: readonly Term[] | undefined;
}

/** An operator with conditions as operands. */
type Compound =
  | { readonly kind: 'all' | 'any'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not'; readonly operand: Condition }
  | { readonly kind: 'choice'; readonly condition: Condition; readonly yes: Condition; readonly no: Condition };

class AtomicCondition implements Condition {
  readonly whenTrue: Formula;
  readonly whenFalse: Formula;
  readonly compound = undefined;
  readonly test = undefined;
  readonly freeTerms: readonly Term[] | undefined;
  #whenUntrue: Formula | undefined;

  constructor(whenTrue: Formula, whenFalse: Formula) {
    this.whenTrue = whenTrue;
    this.whenFalse = whenFalse;
    this.freeTerms = freeTermsOf(whenTrue, whenFalse);
  }

  get whenUntrue(): Formula {
    this.#whenUntrue ??= not(this.whenTrue);
    return this.#whenUntrue;
  }

  get size(): number {
    return this.whenTrue.size + this.whenFalse.size;
  }
}

/** Returns the terms of both formulas if each formula makes one claim about each of them. */
function freeTermsOf(whenTrue: Formula, whenFalse: Formula): readonly Term[] | undefined {
  if (!isFree(whenTrue) || !isFree(whenFalse)) return undefined;
  const terms = [...termsOf(whenTrue)];
  for (const term of termsOf(whenFalse)) if (!terms.includes(term)) terms.push(term);
  return terms;
}

/** Every claim can hold by itself; two claims about one term may exclude each other. */
function isFree(formula: Formula): boolean {
  if (formula.kind === 'claim') return true;
  if (formula.kind !== 'and' || formula.terms.size < formula.parts.length) return false;
  return formula.parts.every(part => part.kind === 'claim');
}

/** Builds formulas only on demand: most conditions are decided by trying values, and building their formulas would dominate the cost. */
class SimpleTestCondition implements Condition {
  readonly compound = undefined;
  readonly test: SimpleTest;
  /** Two claims. */
  readonly size = 2;
  readonly freeTerms: readonly Term[];
  readonly #find: () => Condition;
  #found: Condition | undefined;

  constructor(test: SimpleTest, find: () => Condition) {
    this.test = test;
    this.freeTerms = [test.term];
    this.#find = find;
  }

  get whenTrue(): Formula {
    return this.#condition.whenTrue;
  }

  get whenFalse(): Formula {
    return this.#condition.whenFalse;
  }

  get whenUntrue(): Formula {
    return this.#condition.whenUntrue;
  }

  get #condition(): Condition {
    this.#found ??= this.#find();
    return this.#found;
  }
}

class CompoundCondition implements Condition {
  readonly compound: Compound;
  readonly test = undefined;
  readonly size: number;
  readonly freeTerms: readonly Term[] | undefined;
  #whenTrue: Formula | undefined;
  #whenFalse: Formula | undefined;
  #whenUntrue: Formula | undefined;

  constructor(compound: Compound) {
    this.compound = compound;
    this.size = sizeOf(compound);
    this.freeTerms = freeTermsIn(compound);
  }

  get whenTrue(): Formula {
    this.#whenTrue ??= formulaOf(this.compound, 'whenTrue');
    return this.#whenTrue;
  }

  get whenFalse(): Formula {
    this.#whenFalse ??= formulaOf(this.compound, 'whenFalse');
    return this.#whenFalse;
  }

  get whenUntrue(): Formula {
    this.#whenUntrue ??= not(this.whenTrue);
    return this.#whenUntrue;
  }
}

/** Returns the free terms of all operands if no two share one. */
function freeTermsIn(compound: Compound): readonly Term[] | undefined {
  if (compound.kind === 'not') return compound.operand.freeTerms;
  if (compound.kind === 'choice' || compound.operands.length === 0) return undefined;
  const terms: Term[] = [];
  for (const { freeTerms } of compound.operands) {
    if (freeTerms === undefined || terms.length > MAX_FREE) return undefined;
    for (const term of freeTerms) {
      if (terms.includes(term)) return undefined;
      terms.push(term);
    }
  }
  return terms;
}

/** Beyond this many terms, looking for duplicates costs more than it saves. */
const MAX_FREE = 32;

type Part = 'whenTrue' | 'whenFalse';

/** `&&` is false if one operand is false, even if others fail; `||` is true if one operand is true. */
function formulaOf(compound: Compound, part: Part): Formula {
  switch (compound.kind) {
    case 'not':
      return compound.operand[part === 'whenTrue' ? 'whenFalse' : 'whenTrue'];
    case 'choice': {
      const { condition, yes, no } = compound;
      return or([and([condition.whenTrue, yes[part]]), and([condition.whenFalse, no[part]])]);
    }
    default: {
      const parts = compound.operands.map(one => one[part]);
      return (compound.kind === 'all') === (part === 'whenTrue') ? and(parts) : or(parts);
    }
  }
}

function sizeOf(compound: Compound): number {
  switch (compound.kind) {
    case 'not':
      return compound.operand.size;
    case 'choice':
      return 6 + 2 * compound.condition.size + compound.yes.size + compound.no.size;
    default:
      return compound.operands.reduce((sum, one) => sum + one.size, 2);
  }
}

export const TRUE_ALWAYS: Condition = new AtomicCondition(ALWAYS, NEVER);
export const FALSE_ALWAYS: Condition = new AtomicCondition(NEVER, ALWAYS);
export const FAILS_ALWAYS: Condition = new AtomicCondition(NEVER, NEVER);

/** Returns the condition of a simple test; `find` computes the same as formulas when they are needed. */
export function tested(test: SimpleTest, find: () => Condition): Condition {
  return new SimpleTestCondition(test, find);
}

/** Returns a condition that is true for values in `yes`, false for other values in `all`, and fails for all others. */
export function split(variable: Variable, yes: ValueSet, all: ValueSet): Condition {
  return new AtomicCondition(claim(variable, meet(all, yes)), claim(variable, difference(all, yes)));
}

/** Returns the condition restricted to inputs for which the formula holds; it fails for all others. */
export function provided(formula: Formula, condition: Condition): Condition {
  if (formula === ALWAYS) return condition;
  return new AtomicCondition(and([condition.whenTrue, formula]), and([condition.whenFalse, formula]));
}

export function negated(operand: Condition): Condition {
  return operand instanceof AtomicCondition
    ? new AtomicCondition(operand.whenFalse, operand.whenTrue)
    : new CompoundCondition({ kind: 'not', operand });
}

/** Returns `&&` of all operands: false if one is false, even if others fail. */
export function allOf(operands: readonly Condition[]): Condition {
  return operands.length === 1 ? operands[0]! : new CompoundCondition({ kind: 'all', operands });
}

/** Returns `||` of all operands: true if one is true, even if others fail. */
export function anyOf(operands: readonly Condition[]): Condition {
  return operands.length === 1 ? operands[0]! : new CompoundCondition({ kind: 'any', operands });
}

/** Returns `?:`: only the chosen branch is evaluated. */
export function choice(condition: Condition, yes: Condition, no: Condition): Condition {
  return new CompoundCondition({ kind: 'choice', condition, yes, no });
}
