import { FALSE, type Graph, type Signal, TRUE } from './graph.ts';

/** When an expression is true and when it is false. Where neither holds, it fails; both never hold together. */
export interface Condition {
  readonly whenTrue: Signal;
  readonly whenFalse: Signal;
}

/** The expression `true`. */
export const ALWAYS_TRUE: Condition = { whenTrue: TRUE, whenFalse: FALSE };
/** The expression `false`. */
export const ALWAYS_FALSE: Condition = { whenTrue: FALSE, whenFalse: TRUE };
/** An expression that always fails. */
export const ALWAYS_FAILS: Condition = { whenTrue: FALSE, whenFalse: FALSE };

/** Returns the condition of a test that never fails. */
export function decided(signal: Signal): Condition {
  return { whenTrue: signal, whenFalse: -signal };
}

/** Returns `!a`. */
export function negated({ whenTrue, whenFalse }: Condition): Condition {
  return { whenTrue: whenFalse, whenFalse: whenTrue };
}

/** Returns `&&` of all operands: false if one is false, even if others fail. */
export function allOf(graph: Graph, operands: readonly Condition[]): Condition {
  return {
    whenTrue: graph.and(operands.map(one => one.whenTrue)),
    whenFalse: graph.or(operands.map(one => one.whenFalse)),
  };
}

/** Returns `||` of all operands: true if one is true, even if others fail. */
export function anyOf(graph: Graph, operands: readonly Condition[]): Condition {
  return negated(allOf(graph, operands.map(negated)));
}

/** Returns `?:`: only the chosen branch counts. */
export function choiceOf(graph: Graph, condition: Condition, yes: Condition, no: Condition): Condition {
  const pick = (part: keyof Condition) =>
    graph.or([graph.and([condition.whenTrue, yes[part]]), graph.and([condition.whenFalse, no[part]])]);
  return { whenTrue: pick('whenTrue'), whenFalse: pick('whenFalse') };
}

/** Returns the condition that fails wherever the signal does not hold. */
export function provided(graph: Graph, requirement: Signal, { whenTrue, whenFalse }: Condition): Condition {
  if (requirement === TRUE) return { whenTrue, whenFalse };
  return { whenTrue: graph.and([requirement, whenTrue]), whenFalse: graph.and([requirement, whenFalse]) };
}

/** Returns `a == b` of two bools. */
export function equalityOf(graph: Graph, a: Condition, b: Condition): Condition {
  return choiceOf(graph, a, b, negated(b));
}
