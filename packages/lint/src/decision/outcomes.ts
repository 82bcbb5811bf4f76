import { ALWAYS, and, claim, type Formula, NEVER, or } from './formula.ts';
import { difference, meet, type ValueSet } from './value-set.ts';
import type { Variable } from './vocabulary.ts';

/** When an expression is true, and when it is false. When neither holds, it fails. */
export interface Outcomes {
  readonly whenTrue: Formula;
  readonly whenFalse: Formula;
}

export const TRUE_ALWAYS: Outcomes = { whenTrue: ALWAYS, whenFalse: NEVER };
export const FALSE_ALWAYS: Outcomes = { whenTrue: NEVER, whenFalse: ALWAYS };
export const FAILS_ALWAYS: Outcomes = { whenTrue: NEVER, whenFalse: NEVER };

/** True where the variable is one of `yes`, false where it is another one of `all`; fails where it is none of `all`. */
export function split(variable: Variable, yes: ValueSet, all: ValueSet): Outcomes {
  return { whenTrue: claim(variable, meet(all, yes)), whenFalse: claim(variable, difference(all, yes)) };
}

/** The same, but failing where the condition does not hold. */
export function provided(condition: Formula, { whenTrue, whenFalse }: Outcomes): Outcomes {
  return { whenTrue: and([whenTrue, condition]), whenFalse: and([whenFalse, condition]) };
}

export function negated({ whenTrue, whenFalse }: Outcomes): Outcomes {
  return { whenTrue: whenFalse, whenFalse: whenTrue };
}

/** `&&` over all: false if one is false, whatever the others do. */
export function all(operands: readonly Outcomes[]): Outcomes {
  return { whenTrue: and(operands.map(one => one.whenTrue)), whenFalse: or(operands.map(one => one.whenFalse)) };
}

/** `||` over all: true if one is true, whatever the others do. */
export function any(operands: readonly Outcomes[]): Outcomes {
  return { whenTrue: or(operands.map(one => one.whenTrue)), whenFalse: and(operands.map(one => one.whenFalse)) };
}

/** `?:`: only the operand that was chosen counts. */
export function choice(condition: Outcomes, yes: Outcomes, no: Outcomes): Outcomes {
  const when = (part: 'whenTrue' | 'whenFalse') =>
    or([and([condition.whenTrue, yes[part]]), and([condition.whenFalse, no[part]])]);
  return { whenTrue: when('whenTrue'), whenFalse: when('whenFalse') };
}
