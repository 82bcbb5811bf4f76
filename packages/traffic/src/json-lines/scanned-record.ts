import type { HeaderFacts, HeaderField } from '../exchange.ts';
import { NO_HEADER_KNOWN } from '../exchange.ts';
import { headersInJson } from '../record/headers-in-json.ts';

/** Numbers for each field of a record. */
export const SLOT_NUMBERS = 2;

/** What was found in a stretch of JSON lines. Records are looked into when something of them is asked for. */
export interface ScannedText {
  /** Each byte a unit: lines beyond ASCII are not among the records. */
  readonly text: string;
  /** Where quotes stand in it. */
  readonly quotes: Int32Array;
  /**
   * For each record and field {@link SLOT_NUMBERS} numbers. Of a text: the position of its first quote among the quotes, and 0. Of an object
   * of texts: the positions of the first and behind the last of its quotes. Of anything else: where it begins and ends in the text, as `-1 - x`.
   * Both are 0 where there is nothing.
   */
  readonly slots: Int32Array;
}

/** One record of scanned JSON lines. */
export class ScannedRecord {
  readonly #scanned: ScannedText;
  readonly #first: number;

  /** @param first the position of its first slot */
  constructor(scanned: ScannedText, first: number) {
    this.#scanned = scanned;
    this.#first = first;
  }

  /** What `JSON.parse` would give; of an object of texts {@link ScannedHeaders}. */
  valueAt(slot: number): unknown {
    const { text, quotes, slots } = this.#scanned;
    const at = this.#first + slot * SLOT_NUMBERS;
    const [from, to] = [slots[at]!, slots[at + 1]!];
    if (to === 0) return from === 0 ? undefined : text.slice(quotes[from]! + 1, quotes[from + 1]!);
    return from < 0 ? plainValue(text, -1 - from, -1 - to) : new ScannedHeaders(this.#scanned, from, to);
  }
}

/** Statuses and sizes are read in a third of the time that `JSON.parse` takes. */
function plainValue(text: string, start: number, end: number): unknown {
  if (end - start > MOST_DIGITS) return JSON.parse(text.slice(start, end));
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return JSON.parse(text.slice(start, end));
    number = number * 10 + digit;
  }
  return number;
}

const MOST_DIGITS = 9;

/** Headers in an object of texts. */
export class ScannedHeaders {
  readonly #scanned: ScannedText;
  readonly #from: number;
  readonly #to: number;

  constructor(scanned: ScannedText, from: number, to: number) {
    this.#scanned = scanned;
    this.#from = from;
    this.#to = to;
  }

  /** The facts that {@link headersInJson} gives. */
  facts(complete: boolean): HeaderFacts {
    return new ScannedHeaderFacts(this, complete);
  }

  /** As `JSON.parse` gives it. */
  parse(): unknown {
    const { text, quotes } = this.#scanned;
    return JSON.parse(`{${text.slice(quotes[this.#from]!, quotes[this.#to - 1]! + 1)}}`);
  }

  valuesOf(lowerCase: string): string[] | undefined {
    const { text, quotes } = this.#scanned;
    let values: string[] | undefined;
    for (let at = this.#from; at < this.#to; at += 4) {
      const start = quotes[at]! + 1;
      if (quotes[at + 1]! - start !== lowerCase.length || !isNamed(text, start, lowerCase)) continue;
      if (values !== undefined) return this.#manyOf(lowerCase);
      values = [text.slice(quotes[at + 2]! + 1, quotes[at + 3]!)];
    }
    return values;
  }

  /** Of names that are the same to the letter the last counts, as in an object that was parsed. */
  #manyOf(lowerCase: string): string[] {
    const fields = headersInJson(this.parse())?.fields ?? [];
    return fields.filter(({ name }) => name.toLowerCase() === lowerCase).map(({ value }) => value);
  }
}

/** Names of headers have but few letters beyond ASCII, and none in plain lines. */
function isNamed(text: string, start: number, lowerCase: string): boolean {
  for (let at = 0; at < lowerCase.length; at++) {
    const unit = text.charCodeAt(start + at);
    const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
    if (lower !== lowerCase.charCodeAt(at)) return false;
  }
  return true;
}

class ScannedHeaderFacts implements HeaderFacts {
  readonly complete: boolean;
  readonly absent: readonly string[] = NONE;
  readonly withheld: readonly string[] = NONE;
  readonly #headers: ScannedHeaders;
  #fields: readonly HeaderField[] | undefined;

  constructor(headers: ScannedHeaders, complete: boolean) {
    this.#headers = headers;
    this.complete = complete;
  }

  get fields(): readonly HeaderField[] {
    this.#fields ??= headersInJson(this.#headers.parse(), this.complete)?.fields ?? NO_HEADER_KNOWN.fields;
    return this.#fields;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    return this.#headers.valuesOf(lowerCase);
  }
}

const NONE: readonly string[] = [];
