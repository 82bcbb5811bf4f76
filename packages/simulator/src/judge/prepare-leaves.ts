import type { Exchange } from '@tollgate/traffic';
import type { Verdict } from '../decision/verdict.ts';
import { type ColumnResults, ConditionColumn, type ConjunctSources } from '../preparation/condition-column.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';

/** The conditions of a policy, divided by the part of an exchange that they read. */
export interface Leaves<Found = Verdict> {
  /**
   * Each evaluates the conjuncts of all rules that read one part, and returns the class of their results: exchanges of one class in every leaf
   * have the same results in all conditions.
   */
  readonly leaves: readonly ((exchange: Exchange) => number)[];
  /** What each leaf evaluates. The class depends on nothing but the results of the conjuncts of each rule. */
  readonly sources: readonly ConjunctSources[];
  /**
   * Returns the verdict on exchanges with these classes in all leaves. It has a `number` if it is the same for all of them. If it depends on
   * values, returns `varied`; without an exchange, why that is needed: groups with the same `need` require only one of theirs.
   */
  readonly verdictOf: (classes: readonly number[], exchange?: Exchange) => Found | 'varied' | { readonly need: string };
}

/** What is known about the rules of all phases. */
export interface LeafContext {
  readonly stateOf: (exchange: Exchange) => TrafficState;
  /** By rule: if it matches, later conditions do not count, or the conditions alone do not determine the verdict. */
  readonly cuts: readonly boolean[];
  readonly judge: (exchange: Exchange) => Verdict;
  /** Judges exchanges by the rules that they match. */
  readonly judgeMatches: (matched: readonly number[], exchange?: Exchange) => Verdict | 'varied' | number;
}

/** Prepares the leaves of a policy; undefined if a condition may have another result each time. */
export function prepareLeaves(
  phases: readonly PreparedPhase[],
  { stateOf, cuts, judge, judgeMatches }: LeafContext,
): Leaves | undefined {
  const words = (cuts.length + 31) >> 5;
  const leaves: ((exchange: Exchange) => number)[] = [];
  const sources: ConjunctSources[] = [];
  const known: (ColumnResults | undefined)[][] = [];
  let first = 0;
  for (const { rules, conjuncts } of phases) {
    const prepared = conjuncts();
    if (prepared === undefined) return undefined;
    for (const one of prepared) {
      const column = new ConditionColumn(one, first, words);
      const results: (ColumnResults | undefined)[] = [];
      known.push(results);
      sources.push(one.source);
      leaves.push(exchange => {
        const found = column.evaluate(stateOf(exchange));
        results[found.number] = found;
        return found.number;
      });
    }
    first += rules.length;
  }
  const open = new Map<string, Verdict | 'varied'>();
  return {
    leaves,
    sources,
    verdictOf: (classes, exchange) => {
      const { matched, key } = resultsIn(
        classes.map((number, leaf) => known[leaf]![number]!),
        cuts,
      );
      if (key === undefined) {
        const found = judgeMatches(matched, exchange);
        return typeof found === 'number' ? { need: `end ${found}` } : found;
      }
      const before = open.get(key);
      if (before !== undefined) return before;
      if (exchange === undefined) return { need: key };
      const found = judge(exchange);
      const verdict = found.number === undefined ? 'varied' : found;
      open.set(key, verdict);
      return verdict;
    },
  };
}

/**
 * Returns the rules that match up to the last that counts. If a rule before it is undetermined or fails, there is a key, which is the same only if
 * all conditions that count have the same results.
 */
function resultsIn(
  results: readonly ColumnResults[],
  cuts: readonly boolean[],
): { readonly matched: readonly number[]; readonly key: string | undefined } {
  const matched: number[] = [];
  let open = '';
  for (let word = 0; word << 5 < cuts.length; word++) {
    let [notFalse, isTrue] = [-1, -1];
    for (const result of results) {
      notFalse &= result.notFalse[word]!;
      isTrue &= result.isTrue[word]!;
    }
    for (; notFalse !== 0; notFalse &= notFalse - 1) {
      const bit = notFalse & -notFalse;
      const rule = (word << 5) + 31 - Math.clz32(bit);
      if (rule >= cuts.length) break;
      if ((isTrue & bit) === 0) open += `${rule}${whatIsOpen(results, word, bit)} `;
      else if (matched.push(rule) > 0 && cuts[rule]) return { matched, key: keyOf(matched, open) };
    }
  }
  return { matched, key: keyOf(matched, open) };
}

function keyOf(matched: readonly number[], open: string): string | undefined {
  return open === '' ? undefined : `${open}& ${matched}`;
}

/** The leaves that leave a rule open, each with the class unless that is open as usual. */
function whatIsOpen(results: readonly ColumnResults[], word: number, bit: number): string {
  let text = '';
  for (const [leaf, { isTrue, isUsual, number }] of results.entries())
    if ((isTrue[word]! & bit) === 0) text += isUsual ? `:${leaf}` : `:${leaf}=${number}`;
  return text;
}
