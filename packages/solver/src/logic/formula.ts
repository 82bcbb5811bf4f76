// Formulas: signals are gates of a shared graph, so that equal formulas are one gate; a condition is a pair of signals, since an expression
// is true, false or fails.

/** A gate or its negation: positive and negative integers. */
export type Signal = number;

/** The signal that always holds. */
export const TRUE: Signal = 1;
/** The signal that never holds. */
export const FALSE: Signal = -1;

/** What a gate stands for: a conjunction of signals, or an atom of a theory, whose meaning its owner keeps. */
type Gate =
  | { readonly kind: 'constant' }
  | { readonly kind: 'atom' }
  | { readonly kind: 'and'; readonly inputs: readonly Signal[] };

/**
 * Formulas as a shared graph of conjunctions and negations: equal formulas are the same signal. Disjunctions are negated conjunctions of
 * negations.
 */
export class Graph {
  readonly #gates: Gate[] = [{ kind: 'constant' }, { kind: 'constant' }];
  readonly #shared = new Map<string, Signal>();

  /** Adds an atom that no other signal equals. */
  atom(): Signal {
    this.#gates.push({ kind: 'atom' });
    return this.#gates.length - 1;
  }

  /** Returns the gate of a signal, whether negated or not. */
  gateOf(signal: Signal): Gate {
    return this.#gates[Math.abs(signal)]!;
  }

  and(signals: readonly Signal[]): Signal {
    const inputs = this.#flatten(signals);
    if (inputs === undefined) return FALSE;
    if (inputs.length < 2) return inputs[0] ?? TRUE;
    const key = inputs.join();
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      shared = this.#gates.push({ kind: 'and', inputs }) - 1;
      this.#shared.set(key, shared);
    }
    return shared;
  }

  or(signals: readonly Signal[]): Signal {
    return -this.and(signals.map(signal => -signal));
  }

  /** Returns the signal that holds where one of two signals does, and not the other. */
  difference(a: Signal, b: Signal): Signal {
    return this.or([this.and([a, -b]), this.and([-a, b])]);
  }

  /** Returns the signal that equals `yes` where `condition` holds, and `no` elsewhere. */
  choice(condition: Signal, yes: Signal, no: Signal): Signal {
    return yes === no ? yes : this.or([this.and([condition, yes]), this.and([-condition, no])]);
  }

  /** Returns the distinct inputs in order, nested conjunctions expanded; undefined if two contradict each other. */
  #flatten(signals: readonly Signal[]): readonly Signal[] | undefined {
    const found = new Set<Signal>();
    for (const signal of signals) {
      if (signal === TRUE) continue;
      const gate = this.gateOf(signal);
      const parts = gate.kind === 'and' && signal > 0 && gate.inputs.length < MAX_FLATTENED ? gate.inputs : [signal];
      for (const part of parts) {
        if (part === FALSE || found.has(-part)) return undefined;
        found.add(part);
      }
    }
    return [...found].sort((a, b) => a - b);
  }
}

/** Longer conjunctions stay shared gates, so that growing one step by step is not quadratic. */
const MAX_FLATTENED = 16;

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
