import { tokensOf } from './line-tokens.ts';
import type { RecordFields } from './record-fields.ts';
import { ScannedRows } from './scanned-rows.ts';
import { TextNumbers } from './text-numbers.ts';
import { TokenGraph } from './token-graph.ts';
import { ROW_BYTES } from './walk-lines-code.ts';
import { MARGIN, MOST_ROWS, type WalkerMemory, walkerMemory } from './walker-memory.ts';

/** Lines that are learnt from: a log in which they keep differing is not learnt by more of them. */
const MOST_LESSONS = 4096;

/** Walks over JSON lines that are made like lines before them. */
export class LineWalker {
  /** Where lines are put, from the beginning. */
  readonly bytes: Buffer;
  readonly numbers: TextNumbers;
  readonly #memory: WalkerMemory;
  readonly #graph: TokenGraph;
  readonly #fields: RecordFields;
  readonly #stop: DataView;
  /** Headers that are to have numbers, by the object that they are in. */
  #wanted: (readonly [object: number, lowerCase: string])[] = [];
  #lessons = 0;
  #length = 0;
  /** Since it began. */
  rowCount = 0;

  /** @param capacity bytes of lines at a time */
  constructor(capacity: number, fields: RecordFields) {
    const memory = walkerMemory(capacity);
    const { buffer, at } = memory;
    this.#memory = memory;
    this.#fields = fields;
    this.bytes = Buffer.from(buffer, at.bytes, capacity + MARGIN);
    this.numbers = new TextNumbers(memory);
    this.#graph = new TokenGraph(buffer, { ...at, texts: at.tokens }, member => fields.fieldOf(member));
    this.#stop = new DataView(buffer, at.stop, 4);
  }

  /** Begins with rows anew, in the first bytes. */
  begin(length: number): void {
    if (this.#wanted.length > 0) this.#addWanted();
    this.#length = length;
    this.bytes.fill(0, length, length + MARGIN);
    this.rowCount = 0;
  }

  get isFull(): boolean {
    return this.rowCount === MOST_ROWS;
  }

  /** The rows that are written from here on. */
  rows(length: number): ScannedRows {
    const cells = new Int32Array(this.#memory.buffer, this.#memory.at.rows, (MOST_ROWS * ROW_BYTES) / 4);
    return new ScannedRows(cells, this.bytes.subarray(0, length), this.#fields.count);
  }

  /** Walks over the lines from a place on, as far as it knows them; gives where the first begins that it does not. */
  walk(start: number): number {
    const { at, walk } = this.#memory;
    const row = at.rows + this.rowCount * ROW_BYTES;
    const rowsEnd = at.rows + MOST_ROWS * ROW_BYTES;
    const end = walk(at.bytes + start, at.bytes + this.#length, row, rowsEnd, this.#graph.start, at.stop);
    const count = (end - row) / ROW_BYTES;
    this.rowCount += count;
    this.numbers.rows += count;
    return this.#stop.getInt32(0, true) - at.bytes;
  }

  /** Learns from a line that is known to be JSON. */
  learn(start: number, end: number): void {
    if (this.#lessons >= MOST_LESSONS) return;
    this.#lessons++;
    const tokens = tokensOf(this.bytes.toString('latin1', start, end + 1));
    if (tokens !== undefined) this.#graph.add(tokens);
  }

  /** Asks for a number for a header, which it has from the next beginning on. Gives false where there is no room. */
  want(object: number, lowerCase: string): boolean {
    if (this.#fields.isFull) return false;
    this.#wanted.push([object, lowerCase]);
    return true;
  }

  #addWanted(): void {
    for (const [object, lowerCase] of this.#wanted) this.#fields.addHeader(object, lowerCase);
    this.#wanted = [];
    this.#graph.refresh();
  }
}
