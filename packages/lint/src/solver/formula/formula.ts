import { difference, isEmptySet, isWithin, join, meet, type ValueSet } from '../values/value-set.ts';
import type { Term, Variable } from '../values/vocabulary.ts';

/** A statement about the values of variables. */
export type Formula = { readonly kind: 'constant'; readonly holds: boolean; readonly size: number } | Claim | Composite;

/** States that a variable has one of the values. */
export interface Claim {
  readonly kind: 'claim';
  readonly variable: Variable;
  readonly values: ValueSet;
  readonly size: number;
}

export interface Composite {
  readonly kind: 'and' | 'or';
  readonly parts: readonly Formula[];
  /** Size of the expanded formula; shared parts count each time. */
  readonly size: number;
  /** All terms in it. */
  readonly terms: ReadonlySet<Term>;
}

export const ALWAYS: Formula = { kind: 'constant', holds: true, size: 1 };
export const NEVER: Formula = { kind: 'constant', holds: false, size: 1 };

/** Returns a claim, or a constant if it holds for all or no values of the variable's universe. */
export function claim(variable: Variable, values: ValueSet): Formula {
  if (isEmptySet(values)) return NEVER;
  return isWithin(variable.universe, values) ? ALWAYS : { kind: 'claim', variable, values, size: 1 };
}

export function and(parts: readonly Formula[]): Formula {
  return compose('and', parts);
}

export function or(parts: readonly Formula[]): Formula {
  return compose('or', parts);
}

/** Flattens operands, drops neutral ones and merges the claims about each variable. */
function compose(kind: 'and' | 'or', parts: readonly Formula[]): Formula {
  const [neutral, absorbing] = kind === 'and' ? [ALWAYS, NEVER] : [NEVER, ALWAYS];
  const kept: Formula[] = [];
  const claims = new Map<Variable, ValueSet>();
  const flat = parts.flatMap(part => (part.kind === kind ? part.parts : [part]));
  for (const part of flat) {
    if (part.kind === 'constant') {
      if (part.holds === (kind === 'or')) return absorbing;
    } else if (part.kind === 'claim') {
      const before = claims.get(part.variable);
      const combine = kind === 'and' ? meet : join;
      claims.set(part.variable, before === undefined ? part.values : combine(before, part.values));
    } else if (!kept.includes(part)) kept.push(part);
  }
  const merged: Formula[] = [];
  for (const [variable, values] of claims) {
    const one = claim(variable, values);
    if (one === absorbing) return absorbing;
    if (one !== neutral) merged.push(one);
  }
  const all = [...merged, ...kept];
  if (all.length <= 1) return all[0] ?? neutral;
  const size = all.reduce((sum, part) => sum + part.size, 1);
  return { kind, parts: all, size, terms: new Set(all.flatMap(termsOf)) };
}

/** Returns the terms in a formula. */
export function termsOf(formula: Formula): readonly Term[] {
  if (formula.kind === 'constant') return [];
  return formula.kind === 'claim' ? [formula.variable.term] : [...formula.terms];
}

/** Returns the negation of a formula. */
export function not(formula: Formula): Formula {
  switch (formula.kind) {
    case 'constant':
      return formula.holds ? NEVER : ALWAYS;
    case 'claim':
      return claim(formula.variable, difference(formula.variable.universe, formula.values));
    case 'and':
      return or(formula.parts.map(not));
    case 'or':
      return and(formula.parts.map(not));
  }
}
