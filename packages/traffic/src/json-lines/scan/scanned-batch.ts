import type { SkippedRecord, TrafficBatch } from '../../exchange/batch.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { ExchangeRows, RowWatch } from '../../exchange/exchange-rows.ts';
import type { RecordLocation } from '../../exchange/record-location.ts';
import { RecordedExchange } from '../../record/record-exchange.ts';
import { MappedFacts, type PreparedMapping } from '../mapped-facts.ts';
import type { FieldSets } from './field-sets.ts';
import type { LineWalker } from './line-walker.ts';
import { type RecordReader, ScannedRecord } from './scanned-record.ts';
import { FIELD_NUMBERS, type ScannedRows } from './scanned-rows.ts';
import { KIND } from './walk-lines-code.ts';

/** What all batches of a reading share. */
export interface ScanContext {
  readonly file: string;
  readonly mapping: PreparedMapping<ScannedRecord>;
  readonly walker: LineWalker;
  readonly sets: FieldSets;
  readonly reader: RecordReader;
  /** What is moved from row to row. */
  readonly moving: { readonly record: ScannedRecord; readonly exchange: ScannedExchange };
}

/** One whose place is hardly ever asked for. */
export class ScannedExchange extends RecordedExchange {
  readonly #file: string;
  line: number;

  constructor(facts: MappedFacts<ScannedRecord>, file: string, line: number) {
    super(facts);
    this.#file = file;
    this.line = line;
  }

  get place(): RecordLocation {
    return { file: this.#file, number: this.line, unit: 'line' };
  }
}

/** A stretch of JSON lines: rows, and between them exchanges that were parsed. */
export class ScannedBatch implements TrafficBatch, ExchangeRows {
  readonly skipped: SkippedRecord[] = [];
  readonly scanned: ScannedRows;
  readonly #reading: ScanContext;
  /** The row of each exchange, or -1, and its line. */
  readonly #rows: number[] = [];
  readonly #lines: number[] = [];
  readonly #sets: number[] = [];
  readonly #parsed = new Map<number, Exchange>();
  #exchanges: readonly Exchange[] | undefined;

  constructor(reading: ScanContext, scanned: ScannedRows) {
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
    return this.#make(index);
  }

  moveTo(index: number): Exchange {
    const row = this.#rows[index]!;
    if (row < 0) return this.#parsed.get(index)!;
    const { record, exchange } = this.#reading.moving;
    record.rows = this.scanned;
    record.row = row;
    exchange.line = this.#lines[index]!;
    return exchange;
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

  get numbers(): Int32Array {
    return this.scanned.cells;
  }

  get numberStep(): number {
    return FIELD_NUMBERS;
  }

  numbersOf(index: number): number {
    return this.scanned.numbersOf(this.#rows[index]!);
  }

  giveNumber(index: number, field: number): number {
    const row = this.#rows[index]!;
    const known = this.scanned.cells[this.scanned.numbersOf(row) + field * FIELD_NUMBERS]!;
    const { numbers } = this.#reading.walker;
    if (known > 0 || !numbers.isOpen(field)) return known;
    return numbers.give(field, this.scanned.valueOf(row, field));
  }

  #make(index: number, watch?: RowWatch): Exchange {
    const parsed = this.#parsed.get(index);
    if (parsed !== undefined) return parsed;
    return new ScannedExchange(this.#facts(this.#rows[index]!, watch), this.#reading.file, this.#lines[index]!);
  }

  #facts(row: number, watch?: RowWatch): MappedFacts<ScannedRecord> {
    const { mapping, reader } = this.#reading;
    return new MappedFacts(new ScannedRecord(this.scanned, row, reader, watch), mapping);
  }
}
