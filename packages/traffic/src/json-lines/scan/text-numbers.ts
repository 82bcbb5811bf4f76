import { TABLE_PLACES } from './text-table-code.ts';
import { NO_NUMBER, OBJECT_NUMBER } from './walk-lines-code.ts';
import { MOST_TABLES, MOST_TEXT_BYTES, TABLE_BYTES, type WalkerMemory } from './walker-memory.ts';

/** Texts that have numbers, of one field. */
const MOST_TEXTS = TABLE_PLACES / 2;
/** Longer texts have none. */
const LONGEST = 512;
/** New texts after which it is asked whether numbers are worth while. */
const TRIAL = 1024;
/** What is looked at beyond a text. */
const BLOCK = 16;

/** The value of one field in one row, as {@link TextNumbers} looks it up. */
export interface FieldValue {
  readonly from: number;
  readonly to: number;
  readonly kind: number;
}

interface Table {
  readonly address: number;
  /** Rows that had come before. */
  readonly since: number;
  count: number;
  isOpen: boolean;
}

/** Numbers for the texts of fields: the same for the same bytes, from 2. Fields whose texts hardly ever come again have none. */
export class TextNumbers {
  readonly #memory: WalkerMemory;
  readonly #bytes: Uint8Array;
  readonly #cells: DataView;
  /** By field. */
  readonly #tables: (Table | undefined)[] = [];
  #tableCount = 0;
  #textBytes = 0;
  /** That have been walked over. */
  rows = 0;

  constructor(memory: WalkerMemory) {
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#cells = new DataView(memory.buffer);
  }

  /** Whether the texts of a field have numbers, or are to have; those that come from here on have. */
  isOpen(field: number): boolean {
    const known = this.#tables[field];
    if (known !== undefined) return known.isOpen;
    if (this.#tableCount >= MOST_TABLES) return false;
    const address = this.#memory.at.tableData + this.#tableCount++ * TABLE_BYTES;
    this.#tables[field] = { address, since: this.rows, count: 0, isOpen: true };
    this.#cells.setUint32(this.#memory.at.tables + 4 * field, address, true);
    return true;
  }

  /** The number of a text, which it is given if need be and there is room; {@link NO_NUMBER} otherwise. */
  give(field: number, { from, to, kind }: FieldValue): number {
    const table = this.#tables[field];
    const length = to - from;
    if (table === undefined || length > LONGEST) return NO_NUMBER;
    const { find, at } = this.#memory;
    const known = find(table.address, from, length, kind, 0, 0);
    if (known !== 0) return known;
    if (table.count >= MOST_TEXTS || this.#textBytes + length + BLOCK > MOST_TEXT_BYTES) return NO_NUMBER;
    if (!this.#isWorthWhile(field, table)) return NO_NUMBER;
    const text = at.texts + this.#textBytes;
    this.#bytes.copyWithin(text, from, to);
    const number = find(table.address, from, length, kind, OBJECT_NUMBER + 1 + table.count, text);
    if (number === 0) return NO_NUMBER;
    table.count++;
    this.#textBytes += length + BLOCK;
    return number;
  }

  /** Of every second row or more the text was new: then looking it up takes longer than it saves. */
  #isWorthWhile(field: number, table: Table): boolean {
    if (table.count === 0 || table.count % TRIAL !== 0 || table.count * 2 < this.rows - table.since) return true;
    table.isOpen = false;
    this.#cells.setUint32(this.#memory.at.tables + 4 * field, 0, true);
    return false;
  }
}
