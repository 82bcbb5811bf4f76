import type { NonValue, Value } from '../values/value.ts';
import type { Candidates } from './candidates.ts';
import type { IndexablePredicate } from './indexable-predicate.ts';

/** The tests of a rule, by its position among all rules. */
export interface PredicateRule {
  readonly position: number;
  readonly tests: readonly IndexablePredicate[];
}

/** A rule with the test that it is found by. */
export interface FoundBy {
  readonly position: number;
  readonly rule: PredicateRule;
  readonly test: IndexablePredicate;
}

/** One evaluation, as the index sees it. */
export interface Gathering {
  readonly valueOf: (term: number) => Value | NonValue;
  /** Adds rules that may match; `number` is what their thresholds are compared with. */
  readonly add: (candidates: Candidates, number?: number) => void;
}

/** Rules by what they test: those that may match are found without a look at the others. */
export interface IndexNode {
  readonly gather: (gathering: Gathering) => void;
}

/** Adds what may match the value; false when the value says nothing. */
export type Find = (value: Value, gathering: Gathering) => boolean;
