import type { NonValue, Value } from '../values/value.ts';
import type { Candidates } from './candidates.ts';
import type { IndexablePredicate } from './indexable-predicate.ts';

/** The tests of a rule, by its position among all rules. */
export interface PredicateRule {
  readonly position: number;
  readonly tests: readonly IndexablePredicate[];
}

/** A rule and the test that it is indexed by. */
export interface GroupedRule {
  readonly position: number;
  readonly rule: PredicateRule;
  readonly test: IndexablePredicate;
}

/** One evaluation, as seen by the index. */
export interface LookupContext {
  readonly valueOf: (term: number) => Value | NonValue;
  /** Adds rules that may match; `number` is compared with their thresholds. */
  readonly add: (candidates: Candidates, number?: number) => void;
}

/** An index of rules by their tests, which finds those that may match without visiting the others. */
export interface IndexNode {
  readonly gather: (gathering: LookupContext) => void;
}

/** Adds the rules that may match the value; returns false if the value decides nothing. */
export type Find = (value: Value, gathering: LookupContext) => boolean;
