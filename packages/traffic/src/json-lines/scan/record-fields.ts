import type { MemberPath } from './line-tokens.ts';
import { MOST_FIELDS } from './walk-lines-code.ts';

/** The numbers of members of records that something is read of: of the record, and of objects of headers in it. */
export class RecordFields {
  readonly #members = new Map<string, number>();
  /** By the number of the object that they are in. */
  readonly #headers: (Map<string, number> | undefined)[] = [];
  #count = 0;

  /** The number of a member of the record, whose value is a field of exchanges. */
  member(name: string): number {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    this.#members.set(name, this.#count);
    return this.#count++;
  }

  /** The number of a header in the object that is a field; undefined where it has none. */
  header(object: number, lowerCase: string): number | undefined {
    return this.#headers[object]?.get(lowerCase);
  }

  get isFull(): boolean {
    return this.#count >= MOST_FIELDS;
  }

  /** Gives a header a number from here on, if there is room. */
  addHeader(object: number, lowerCase: string): void {
    if (this.isFull || this.header(object, lowerCase) !== undefined) return;
    const headers = this.#headers[object] ?? new Map<string, number>();
    this.#headers[object] = headers;
    headers.set(lowerCase, this.#count++);
  }

  /** The number of a member as it stands in a line. */
  fieldOf({ object, name }: MemberPath): number | undefined {
    if (object === undefined) return this.#members.get(name);
    const of = this.#members.get(object);
    return of === undefined ? undefined : this.header(of, name.toLowerCase());
  }

  get count(): number {
    return this.#count;
  }
}
