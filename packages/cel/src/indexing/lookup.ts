import type { NonValue, Value } from '../values/value.ts';
import type { Candidates } from './candidates.ts';
import type { ConditionTest } from './indexable-predicate.ts';

/** The tests of a rule, by its position among all rules. */
export interface TestedRule {
  readonly position: number;
  readonly tests: readonly ConditionTest[];
}

/** A rule with the test that it is found by. */
export interface FoundBy {
  readonly position: number;
  readonly rule: TestedRule;
  readonly test: ConditionTest;
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
