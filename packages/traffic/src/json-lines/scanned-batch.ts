import type { SkippedRecord, TrafficBatch } from '../batch.ts';
import type { Exchange } from '../exchange.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import type { ExchangeRows, RowWatch } from '../rows/exchange-rows.ts';
import type { FieldSets } from './field-sets.ts';
import type { LineWalker } from './line-walker.ts';
import { MappedFacts, type PreparedMapping } from './mapped-facts.ts';
import { type RecordReader, ScannedRecord } from './scanned-record.ts';
import type { ScannedRows } from './scanned-rows.ts';
import { KIND } from './walk-lines-code.ts';

/** What all batches of a reading share. */
export interface ScannedReading {
  readonly file: string;
  readonly mapping: PreparedMapping<ScannedRecord>;
  readonly walker: LineWalker;
  readonly sets: FieldSets;
  readonly reader: RecordReader;
}

/** A stretch of JSON lines: rows, and between them exchanges that were parsed. */
export class ScannedBatch implements TrafficBatch, ExchangeRows {
  readonly skipped: SkippedRecord[] = [];
  readonly scanned: ScannedRows;
  readonly #reading: ScannedReading;
  /** The row of each exchange, or -1, and its line. */
  readonly #rows: number[] = [];
  readonly #lines: number[] = [];
  readonly #sets: number[] = [];
  readonly #parsed = new Map<number, Exchange>();
  #exchanges: readonly Exchange[] | undefined;
  #lastIndex = -1;
  #last: Exchange | undefined;

  constructor(reading: ScannedReading, scanned: ScannedRows) {
    this.#reading = reading;
    this.scanned = scanned;
  }

  get count(): number {
    return this.#rows.length;
  }

  get rows(): ExchangeRows {
    return this;
  }

  get source(): object {
    return this.#reading;
  }

  /** Gives false for a row that says nothing of an exchange. */
  addRow(row: number, line: number): boolean {
    const { scanned } = this;
    const { sets } = this.#reading;
    const set = sets.numberOf(scanned.lowFields(row), scanned.highFields(row));
    const telling = sets.tellingOf(set);
    const mayBeEmpty = telling < 0 || scanned.kindOf(row, telling) === KIND.constant;
    if (mayBeEmpty && this.#facts(row).isEmpty) return false;
    this.#rows.push(row);
    this.#lines.push(line);
    this.#sets.push(set);
    return true;
  }

  addParsed(exchange: Exchange): void {
    this.#parsed.set(this.#rows.length, exchange);
    this.#rows.push(-1);
    this.#lines.push(exchange.place.number);
    this.#sets.push(-1);
  }

  /** Each stands by itself. */
  get exchanges(): readonly Exchange[] {
    if (this.#exchanges === undefined) {
      this.scanned.keep(Math.max(...this.#rows, -1) + 1);
      this.#exchanges = this.#rows.map((_, index) => this.#make(index));
    }
    return this.#exchanges;
  }

  exchangeAt(index: number): Exchange {
    if (index === this.#lastIndex) return this.#last!;
    this.#lastIndex = index;
    this.#last = this.#make(index);
    return this.#last;
  }

  watchedAt(index: number, watch: RowWatch): Exchange {
    return this.#make(index, watch);
  }

  fieldSetOf(index: number): number {
    return this.#sets[index]!;
  }

  hasField(index: number, field: number): boolean {
    return this.scanned.has(this.#rows[index]!, field);
  }

  numberOf(index: number, field: number): number {
    return this.scanned.numberOf(this.#rows[index]!, field);
  }

  giveNumber(index: number, field: number): number {
    const row = this.#rows[index]!;
    const known = this.scanned.numberOf(row, field);
    const { numbers } = this.#reading.walker;
    if (known > 0 || !numbers.isOpen(field)) return known;
    return numbers.give(field, this.scanned.valueOf(row, field));
  }

  #make(index: number, watch?: RowWatch): Exchange {
    const parsed = this.#parsed.get(index);
    if (parsed !== undefined) return parsed;
    const place = { file: this.#reading.file, number: this.#lines[index]!, unit: 'line' } as const;
    return new RecordExchange(place, this.#facts(this.#rows[index]!, watch));
  }

  #facts(row: number, watch?: RowWatch): MappedFacts<ScannedRecord> {
    const { mapping, reader } = this.#reading;
    return new MappedFacts(new ScannedRecord(this.scanned, row, reader, watch), mapping);
  }
}
