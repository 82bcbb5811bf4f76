import type { Exchange } from '@tollgate/traffic';
import { ConditionColumn, type ShareResults } from '../preparation/condition-column.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';

/** The conditions of a policy, divided by the part of an exchange that they read. */
export interface Leaves {
  /**
   * Each evaluates the conjuncts of all rules that read one part, and returns the class of their results: exchanges of one class in every leaf
   * have the same results in all conditions.
   */
  readonly leaves: readonly ((exchange: Exchange) => number)[];
  /** Returns a key from the classes of all leaves; exchanges with the same key have the same verdict if it has a `number`. */
  readonly keyOf: (classes: readonly number[]) => string;
}

/** What is known about the rules of all phases. */
interface LeafContext {
  readonly stateOf: (exchange: Exchange) => TrafficState;
  /** By rule: if it matches, later conditions do not count, or the conditions alone do not determine the verdict. */
  readonly cuts: readonly boolean[];
}

/** Prepares the leaves of a policy; undefined if a condition may have another result each time. */
export function prepareLeaves(phases: readonly PreparedPhase[], { stateOf, cuts }: LeafContext): Leaves | undefined {
  const words = (cuts.length + 31) >> 5;
  const leaves: ((exchange: Exchange) => number)[] = [];
  const known: (ShareResults | undefined)[][] = [];
  let first = 0;
  for (const { rules, shares } of phases) {
    const prepared = shares();
    if (prepared === undefined) return undefined;
    for (const one of prepared) {
      const column = new ConditionColumn(one, first, words);
      const results: (ShareResults | undefined)[] = [];
      known.push(results);
      leaves.push(exchange => {
        const found = column.evaluate(stateOf(exchange));
        results[found.number] = found;
        return found.number;
      });
    }
    first += rules.length;
  }
  return {
    leaves,
    keyOf: classes =>
      keyOf(
        classes.map((number, leaf) => known[leaf]![number]!),
        cuts,
      ),
  };
}

/** The results of the rules up to one that matches and is the last to count; the classes if a rule is undetermined or fails. */
function keyOf(results: readonly ShareResults[], cuts: readonly boolean[]): string {
  let key = '';
  for (let rule = 0; rule < cuts.length; rule++) {
    const [word, bit] = [rule >> 5, 1 << (rule & 31)];
    if (!results.every(({ notFalse }) => (notFalse[word]! & bit) !== 0)) continue;
    if (!results.every(({ isTrue }) => (isTrue[word]! & bit) !== 0)) return `= ${results.map(({ number }) => number)}`;
    key += `${rule} `;
    if (cuts[rule]) break;
  }
  return key;
}
