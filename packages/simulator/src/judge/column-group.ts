import { type Exchange, KeptByTexts } from '@tollgate/traffic';
import { ConditionColumn, type ShareResults } from '../preparation/condition-column.ts';
import type { TrafficState } from '../state/traffic-state.ts';

/** Columns whose rules ask of the same fields of rows, so that one number of a text answers all. */
export class ColumnGroup {
  readonly columns: readonly ConditionColumn[];
  readonly kept: KeptByTexts<ShareResults>;
  /** By the numbers of the results of two columns: the joined ones. */
  readonly #joined = new Map<number, Map<number, ShareResults>>();
  #count = 0;

  /** @param onChange is told when lookups do not hold any more */
  constructor(
    columns: readonly ConditionColumn[],
    stateOf: (exchange: Exchange) => TrafficState,
    onChange: () => void,
  ) {
    this.columns = columns;
    this.kept = new KeptByTexts(exchange => this.#evaluate(stateOf(exchange)), onChange);
  }

  /** The columns of groups anew, by what they turned out to read. */
  static byReads(groups: readonly ColumnGroup[]): readonly (readonly ConditionColumn[])[] {
    const found = Map.groupBy(groups, (group, index) => group.kept.reads ?? index);
    return [...found.values()].map(alike => ConditionColumn.joined(alike.flatMap(({ columns }) => columns)));
  }

  #evaluate(state: TrafficState): ShareResults {
    let results = this.columns[0]!.evaluate(state);
    for (let index = 1; index < this.columns.length; index++)
      results = this.#join(results, this.columns[index]!.evaluate(state));
    return results;
  }

  #join(one: ShareResults, other: ShareResults): ShareResults {
    const known = this.#joined.get(one.number)?.get(other.number);
    if (known !== undefined) return known;
    const results: ShareResults = {
      // Results of one column only, and of joined ones, are numbered apart, so they are never joined with the same.
      number: this.#count++,
      isUsual: one.isUsual && other.isUsual,
      notFalse: one.notFalse.map((word, at) => word & other.notFalse[at]!),
      isTrue: one.isTrue.map((word, at) => word & other.isTrue[at]!),
    };
    this.#keep(results, one.number, other.number);
    return results;
  }

  #keep(results: ShareResults, one: number, other: number): void {
    if (this.#count % MOST_JOINED === 0) this.#joined.clear();
    const joined = this.#joined.get(one) ?? new Map<number, ShareResults>();
    this.#joined.set(one, joined);
    joined.set(other, results);
  }
}

const MOST_JOINED = 10_000;
