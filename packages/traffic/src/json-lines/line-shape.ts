import { SLOT_NUMBERS } from './scanned-record.ts';

// HOT: every member of every JSON line goes through here. Keys are compared with those of the line before, in the same order.

/** The parts of a line that are looked at: bytes, and where quotes stand in them. */
export interface LineParts {
  readonly bytes: Uint8Array;
  readonly quotes: Int32Array;
}

interface Key {
  readonly bytes: Uint8Array;
  /** Undefined for a member that no field stands in. */
  readonly slot: number | undefined;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Finds the members of JSON objects that fields stand in. */
export class LineShape {
  readonly #slots: ReadonlyMap<string, number>;
  readonly #parts: LineParts;
  /** Of the line before. */
  readonly #keys: Key[] = [];
  #at = 0;
  #quote = 0;
  #from = 0;
  #to = 0;

  /** @param slots by the names of members */
  constructor(parts: LineParts, slots: ReadonlyMap<string, number>) {
    this.#parts = parts;
    this.#slots = slots;
  }

  /**
   * Fills the slots of a record from a line without backslashes, control characters and bytes beyond ASCII. Gives false for what is no JSON
   * object, and for what has to be parsed to be understood: other members than texts, numbers, and objects of texts, or two of one field.
   *
   * @param quote the position of the first quote of the line
   * @param slots filled with 0
   */
  read(start: number, end: number, quote: number, slots: Int32Array): boolean {
    const { bytes } = this.#parts;
    if (bytes[start] !== OPEN || bytes[end - 1] !== CLOSE) return false;
    this.#at = start + 1;
    this.#quote = quote;
    for (let member = 0; ; member++) {
      const slot = this.#key(member);
      if (slot === -2 || !this.#value()) return false;
      if (slot >= 0) {
        const at = slot * SLOT_NUMBERS;
        if (slots[at] !== 0) return false;
        slots[at] = this.#from;
        slots[at + 1] = this.#to;
      }
      const next = bytes[this.#at++];
      if (next === CLOSE) return this.#at === end;
      if (next !== COMMA) return false;
      if (bytes[this.#at] === SPACE) this.#at++;
    }
  }

  /** Reads a key with its colon. Gives its slot, -1 for none, -2 where there is no key. */
  #key(member: number): number {
    const { bytes, quotes } = this.#parts;
    const start = this.#at + 1;
    const end = quotes[this.#quote + 1]!;
    if (quotes[this.#quote] !== this.#at || bytes[end + 1] !== COLON) return -2;
    this.#quote += 2;
    this.#at = bytes[end + 2] === SPACE ? end + 3 : end + 2;
    const known = this.#keys[member];
    if (known !== undefined && isSame(known.bytes, bytes, start, end)) return known.slot ?? -1;
    const copied = bytes.slice(start, end);
    const slot = this.#slots.get(Buffer.from(copied).toString('latin1'));
    if (member < MAX_KEYS) this.#keys[member] = { bytes: copied, slot };
    return slot ?? -1;
  }

  #value(): boolean {
    const { bytes, quotes } = this.#parts;
    const first = bytes[this.#at]!;
    if (first === QUOTE) {
      if (quotes[this.#quote] !== this.#at) return false;
      this.#from = this.#quote;
      this.#to = 0;
      this.#at = quotes[this.#quote + 1]! + 1;
      this.#quote += 2;
      return true;
    }
    if (first === OPEN) return this.#object();
    const start = this.#at;
    this.#at = first === 0x6e ? endOfNull(bytes, start) : endOfNumber(bytes, start);
    this.#from = -1 - start;
    this.#to = -1 - this.#at;
    return this.#at > start;
  }

  /** An object of texts. */
  #object(): boolean {
    const { bytes, quotes } = this.#parts;
    let [at, quote] = [this.#at + 1, this.#quote];
    this.#from = quote;
    for (;;) {
      if (quotes[quote] !== at) return false;
      const colon = quotes[quote + 1]! + 1;
      // An empty name is that of no header.
      if (colon === at + 2) return false;
      const value = bytes[colon + 1] === SPACE ? colon + 2 : colon + 1;
      if (bytes[colon] !== COLON || quotes[quote + 2] !== value) return false;
      at = quotes[quote + 3]! + 1;
      quote += 4;
      const next = bytes[at++];
      if (next === CLOSE) break;
      if (next !== COMMA) return false;
      if (bytes[at] === SPACE) at++;
    }
    this.#at = at;
    this.#quote = quote;
    this.#to = quote;
    return true;
  }
}

/** Members of one line whose keys are kept for the next. */
const MAX_KEYS = 256;

function isSame(key: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let at = 0; at < key.length; at++) if (key[at] !== bytes[start + at]) return false;
  return true;
}

/** The end of `null`, or the start where it is not there. */
function endOfNull(bytes: Uint8Array, start: number): number {
  return bytes[start + 1] === 0x75 && bytes[start + 2] === 0x6c && bytes[start + 3] === 0x6c ? start + 4 : start;
}

/** The end of a number without an exponent, or the start where there is none. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  let end = first;
  while (isDigit(bytes[end]!)) end++;
  if (end === first || (end > first + 1 && bytes[first] === 0x30)) return start;
  if (bytes[end] !== 0x2e) return end;
  const point = end++;
  while (isDigit(bytes[end]!)) end++;
  return end === point + 1 ? start : end;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
