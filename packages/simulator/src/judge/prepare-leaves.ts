import type { Exchange } from '@tollgate/traffic';
import type { Verdict } from '../decision/verdict.ts';
import { type ColumnResults, ConditionColumn, type ConjunctSources } from '../preparation/condition-column.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import type { ResultsVerdict } from './judge.ts';
import { type ConditionResult, LeafStates } from './leaf-states.ts';

/** The conditions of a policy, divided by the part of an exchange that they read. */
export interface Leaves<Found = Verdict> {
  /** Each evaluates the conjuncts of all rules that read one part, and returns the class of their results. */
  readonly leaves: readonly ((exchange: Exchange) => number)[];
  /** What each leaf evaluates. The class depends on nothing but the results of the conjuncts of each rule. */
  readonly sources: readonly ConjunctSources[];
  /** Prepares to combine the classes, once most of them are known. */
  readonly combination: () => LeafCombination<Found>;
}

/** Combines the classes of exchanges in all leaves to states, which share a verdict. */
export interface LeafCombination<Found = Verdict> {
  /** Returns the state of exchanges that are of these classes in the leaves. A combination that was there before takes a look-up for each leaf. */
  readonly stateOf: (classes: readonly number[]) => number;
  /**
   * Returns the verdict on exchanges of a state after all leaves. It has a `number` if it is the same for all of them. If it depends on values,
   * returns `varied`; without an exchange, why that is needed: states with the same `need` require only one of theirs.
   */
  readonly verdictOf: (state: number, exchange?: Exchange) => Found | 'varied' | { readonly need: string };
}

/** What is known about the rules of all phases. */
export interface LeafContext {
  readonly stateOf: (exchange: Exchange) => TrafficState;
  /** By rule: it ends the evaluation whenever it matches. */
  readonly ends: readonly boolean[];
  readonly judge: (exchange: Exchange) => Verdict;
  /** Judges exchanges by the conditions that are not false. */
  readonly judgeResults: (results: readonly ConditionResult[], exchange?: Exchange) => ResultsVerdict;
}

/** Prepares the leaves of a policy; undefined if a condition may have another result each time. */
export function prepareLeaves(
  phases: readonly PreparedPhase[],
  { stateOf, ends, judge, judgeResults }: LeafContext,
): Leaves | undefined {
  const words = (ends.length + 31) >> 5;
  const columns: ConditionColumn[] = [];
  const sources: ConjunctSources[] = [];
  let first = 0;
  for (const { rules, conjuncts } of phases) {
    const prepared = conjuncts();
    if (prepared === undefined) return undefined;
    for (const one of prepared) {
      columns.push(new ConditionColumn(one, first, words));
      sources.push(one.source);
    }
    first += rules.length;
  }
  const known: ColumnResults[][] = columns.map(() => []);
  const leaves = columns.map((column, leaf) => (exchange: Exchange) => {
    const found = column.evaluate(stateOf(exchange));
    known[leaf]![found.number] = found;
    return found.number;
  });
  const combination = (): LeafCombination => {
    const states = new LeafStates(columns, known, ends);
    const judged = new Map<number, Verdict | 'varied'>();
    return {
      stateOf: classes => states.stateOf(classes),
      verdictOf: (state, exchange) => {
        const results = states.resultsIn(state);
        if (results !== undefined) return judgeResults(results, exchange);
        const before = judged.get(state);
        if (before !== undefined) return before;
        if (exchange === undefined) return { need: `state ${state}` };
        const found = judge(exchange);
        const verdict = found.number === undefined ? 'varied' : found;
        judged.set(state, verdict);
        return verdict;
      },
    };
  };
  return { leaves, sources, combination };
}
