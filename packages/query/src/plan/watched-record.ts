import type { ColumnRecord } from '../columns/column-record.ts';
import { HeadersUnsuited } from '../columns/unsuited.ts';

/** A record that is moved over rows, and collects the inputs that are looked up in it. */
export class WatchedRecord implements ColumnRecord {
  #read: (input: number) => unknown = () => undefined;
  #reads = new Set<number>();
  #allRead: Set<string> | undefined;

  /** Moves to another row. */
  moveTo(read: (input: number) => unknown): void {
    this.#read = read;
  }

  valueOf(input: number): unknown {
    this.#reads.add(input);
    return this.#read(input);
  }

  readAll(object: string): void {
    if (this.#allRead === undefined) throw new HeadersUnsuited(`the policy reads all headers in \`${object}\` at once`);
    this.#allRead.add(object);
  }

  /** Returns what `ask` returns, and adds what it reads to `reads`. Without `allRead`, it must not read all headers of an object. Calls nest. */
  watch<T>(reads: Set<number>, ask: () => T, allRead?: Set<string>): T {
    const [outerReads, outerAll] = [this.#reads, this.#allRead];
    this.#reads = reads;
    this.#allRead = allRead;
    try {
      return ask();
    } finally {
      this.#reads = outerReads;
      this.#allRead = outerAll;
    }
  }
}
