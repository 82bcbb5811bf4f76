import { type Exchange, KeptByTexts } from '@tollgate/traffic';
import { type ColumnResults, ConditionColumn } from '../preparation/condition-column.ts';
import type { TrafficState } from '../state/traffic-state.ts';

/** Columns that read the same fields of rows, so that one lookup by the id of a string has the results of all. */
export class ColumnGroup {
  readonly columns: readonly ConditionColumn[];
  readonly kept: KeptByTexts<ColumnResults>;
  /** Joined results, by the ids of the results of two columns. */
  readonly #joined = new Map<number, Map<number, ColumnResults>>();
  #count = 0;

  /** @param onChange is called when earlier lookups become invalid */
  constructor(
    columns: readonly ConditionColumn[],
    stateOf: (exchange: Exchange) => TrafficState,
    onChange: () => void,
  ) {
    this.columns = columns;
    this.kept = new KeptByTexts(exchange => this.#evaluate(stateOf(exchange)), onChange);
  }

  /** Regroups the columns of groups by the fields that they have read. */
  static byReads(groups: readonly ColumnGroup[]): readonly (readonly ConditionColumn[])[] {
    const found = Map.groupBy(groups, (group, index) => group.kept.reads ?? index);
    return [...found.values()].map(alike => ConditionColumn.joined(alike.flatMap(({ columns }) => columns)));
  }

  #evaluate(state: TrafficState): ColumnResults {
    let results = this.columns[0]!.evaluate(state);
    for (let index = 1; index < this.columns.length; index++)
      results = this.#join(results, this.columns[index]!.evaluate(state));
    return results;
  }

  #join(one: ColumnResults, other: ColumnResults): ColumnResults {
    const known = this.#joined.get(one.number)?.get(other.number);
    if (known !== undefined) return known;
    const results: ColumnResults = {
      // Ids of single columns and of joined ones are separate, and never joined with each other.
      number: this.#count++,
      isUsual: one.isUsual && other.isUsual,
      notFalse: one.notFalse.map((word, at) => word & other.notFalse[at]!),
      isTrue: one.isTrue.map((word, at) => word & other.isTrue[at]!),
    };
    this.#keep(results, one.number, other.number);
    return results;
  }

  #keep(results: ColumnResults, one: number, other: number): void {
    if (this.#count % MOST_JOINED === 0) this.#joined.clear();
    const joined = this.#joined.get(one) ?? new Map<number, ColumnResults>();
    this.#joined.set(one, joined);
    joined.set(other, results);
  }
}

const MOST_JOINED = 10_000;
