import type { FieldValue } from './text-numbers.ts';
import { FIELD_BYTES, ROW_BYTES, ROW_HEAD_BYTES } from './walk-lines-code.ts';

const ROW_NUMBERS = ROW_BYTES / 4;
/** Cells of one field. */
export const FIELD_NUMBERS = FIELD_BYTES / 4;
const HEAD_NUMBERS = ROW_HEAD_BYTES / 4;

/** What was found in a stretch of JSON lines. Records are looked into when something of them is asked for. */
export class ScannedRows {
  /** Fields that there were when the lines were walked over: of later ones the rows do not say whether they are there. */
  readonly fieldCount: number;
  #cells: Int32Array;
  #bytes: Buffer;
  /** Where the bytes stand in the memory that positions are of. */
  readonly #base: number;
  #text: string | undefined;

  constructor(cells: Int32Array, bytes: Buffer, fieldCount: number) {
    this.#cells = cells;
    this.#bytes = bytes;
    this.#base = bytes.byteOffset;
    this.fieldCount = fieldCount;
  }

  /** Keeps what was found when other lines are walked over. */
  keep(rows: number): void {
    this.#text = this.text;
    this.#cells = this.#cells.slice(0, rows * ROW_NUMBERS);
    this.#bytes = NO_BYTES;
  }

  /** A stretch of the text. */
  slice(from: number, to: number): string {
    if (this.#text !== undefined) return this.#text.slice(from, to);
    return this.#bytes.toString('latin1', from, to);
  }

  /** Each byte a unit. */
  get text(): string {
    this.#text ??= this.#bytes.toString('latin1');
    return this.#text;
  }

  /** A value where it stands in the memory that was walked over. */
  valueOf(row: number, field: number): FieldValue {
    const [from, to] = [this.fromOf(row, field) + this.#base, this.toOf(row, field) + this.#base];
    return { from, to, kind: this.kindOf(row, field) };
  }

  /** Where the line begins, and the end with its line feed. */
  startOf(row: number): number {
    return this.#cells[row * ROW_NUMBERS]! - this.#base;
  }

  endOf(row: number): number {
    return this.#cells[row * ROW_NUMBERS + 1]! - this.#base;
  }

  /** Whether the row has a field: a bit for each, in two numbers. */
  lowFields(row: number): number {
    return this.#cells[row * ROW_NUMBERS + 2]!;
  }

  highFields(row: number): number {
    return this.#cells[row * ROW_NUMBERS + 3]!;
  }

  has(row: number, field: number): boolean {
    const bits = this.#cells[row * ROW_NUMBERS + 2 + (field >> 5)]!;
    return ((bits >>> (field & 31)) & 1) === 1;
  }

  fromOf(row: number, field: number): number {
    return this.#cells[row * ROW_NUMBERS + HEAD_NUMBERS + field * FIELD_NUMBERS]! - this.#base;
  }

  toOf(row: number, field: number): number {
    return this.#cells[row * ROW_NUMBERS + HEAD_NUMBERS + field * FIELD_NUMBERS + 1]! - this.#base;
  }

  get cells(): Int32Array {
    return this.#cells;
  }

  /** Where the number of the first field's text stands; those of the others stand {@link FIELD_NUMBERS} apart. */
  numbersOf(row: number): number {
    return row * ROW_NUMBERS + HEAD_NUMBERS + 2;
  }

  kindOf(row: number, field: number): number {
    return this.#cells[row * ROW_NUMBERS + HEAD_NUMBERS + field * FIELD_NUMBERS + 3]!;
  }
}

const NO_BYTES = Buffer.alloc(0);
