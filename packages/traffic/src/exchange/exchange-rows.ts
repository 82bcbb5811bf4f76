import type { Exchange } from './exchange.ts';

/** The exchanges of a batch as rows of fields whose texts have numbers. They can be looked at until the next batch is asked for. */
export interface ExchangeRows {
  readonly count: number;
  /** What numbers and sets of fields are of: the same for all batches of one reading. */
  readonly source: object;
  exchangeAt(index: number): Exchange;
  /** One exchange that is the one at this row until it is moved to another: making one for each row takes as long as what most are asked. */
  moveTo(index: number): Exchange;
  /** The number of the set of fields that a row has; -1 of an exchange that is none of rows. */
  fieldSetOf(index: number): number;
  hasField(index: number, field: number): boolean;
  /**
   * Numbers of texts, which are the same for the same text of a field: that of a field that a row has stands at `numbersOf(index) + field * numberStep`,
   * and is less than 1 where its text has none so far.
   */
  readonly numbers: Int32Array;
  readonly numberStep: number;
  numbersOf(index: number): number;
  /** The number of a field's text, which it is given if there is room; less than 1 where there is none. */
  giveNumber(index: number, field: number): number;
  /** An exchange that tells what is read of it. */
  watchedAt(index: number, watch: RowWatch): Exchange;
}

/** Is told what is read of a row. */
export interface RowWatch {
  /** Whether a field is there. */
  readonly presence: (field: number) => void;
  /** Its text, where it is there. */
  readonly value: (field: number) => void;
  /** More than fields. */
  readonly others: () => void;
  /** What is to be a field of rows that come later. */
  readonly later: () => void;
}
