/** Finds the entries of a HAR file in a stream of bytes, without the bodies, however large the file is. */
import { bytesToLatin1, bytesToUtf8, utf8ToBytes } from '@tollgate/diagnostics/portable';

/** A value extracted from a HAR file. */
export interface HarRecord {
  readonly kind: RecordKind;
  /** JSON with ellipses for omitted values. Of a record that is too large, only the beginning. */
  readonly text: string;
  readonly tooLarge: boolean;
}

/** What may follow. */
const [VALUE, FIRST_ITEM, KEY, FIRST_KEY, COLON, AFTER, END, STRING, SCALAR] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
type State = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const EXPECTED: Readonly<Record<State, string>> = {
  [VALUE]: 'a value',
  [FIRST_ITEM]: 'a value or `]`',
  [KEY]: 'a name in quotes',
  [FIRST_KEY]: 'a name in quotes or `}`',
  [COLON]: '`:`',
  [AFTER]: '`,` or the end of the list or object',
  [END]: 'nothing more',
  [STRING]: 'the end of a string',
  [SCALAR]: 'the end of a number or word',
};

const [QUOTE, COMMA, COLON_SIGN, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  34, 44, 58, 91, 92, 93, 123, 125,
] as const;

/** Stands for omitted values. */
const ELLIPSIS = utf8ToBytes('"…"');

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const MAX_DEPTH = 10_000;
/** The number of bytes that are kept of a record that is too large. */
const SHOWN_BYTES = 512;
/** Longer than the name of any member that is read. */
const MAX_KEY_BYTES = 64;

/**
 * Extracts the records of a HAR file that arrives in chunks. Checks the syntax of lists, objects, strings and separators; numbers and literals
 * are left to the parser of the records. Holds one record, up to a maximum size.
 */
export class HarScanner {
  /** The fault that ends reading; undefined if there is none. */
  problem: string | undefined;
  /** Whether the file has a list of entries. */
  hasEntries = false;
  readonly #maxBytes: number;
  /** For each enclosing object or list: whether it is a list, and what to extract from it. */
  readonly #isList: boolean[] = [];
  readonly #selections: Selection[] = [];
  #records: HarRecord[] = [];
  #chunk: Uint8Array = new Uint8Array(0);
  /** The number of bytes before the chunk. */
  #before = 0;
  #state: State = VALUE;
  #isKey = false;
  #isEscaped = false;
  /** The name of the next member, as far as it has been read. */
  #key = '';
  #keyStart = 0;
  /** The depth of the record that is being extracted, and of the value in it that is being omitted; -1 for none. */
  #recordDepth = -1;
  #skipDepth = -1;
  #recordKind: RecordKind = 'entry';
  /** Offset in the chunk of what has not been copied yet. */
  #from = 0;
  /** The copied part of the record; reused. */
  #copy = new Uint8Array(64 * 1024);
  #copied = 0;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads a chunk. After a fault, nothing more is read. */
  push(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#from = 0;
    this.#keyStart = 0;
    let at = 0;
    while (at < chunk.length && this.problem === undefined) {
      if (this.#state === STRING) at = this.#readString(at);
      else if (this.#state === SCALAR) at = this.#readScalar(at);
      else at = this.#readSign(at);
    }
    if (this.#recordDepth >= 0 && this.#skipDepth < 0) this.#copyUpTo(chunk.length);
    if (this.#isKey && this.#state === STRING) this.#extendKey(chunk.length);
    this.#before += chunk.length;
  }

  /** Ends the file; returns what is missing from it. */
  end(): string | undefined {
    if (this.problem !== undefined) return this.problem;
    if (this.#state === SCALAR && this.#isList.length === 0) return undefined;
    return this.#state === END ? undefined : `it ends where ${EXPECTED[this.#state]} was expected`;
  }

  /** Returns the records since the last call. */
  take(): readonly HarRecord[] {
    const records = this.#records;
    if (records.length > 0) this.#records = [];
    return records;
  }

  #readString(start: number): number {
    const chunk = this.#chunk;
    let at = start;
    if (this.#isEscaped) {
      at++;
      this.#isEscaped = false;
    }
    for (; at < chunk.length; at++) {
      const code = chunk[at];
      if (code === QUOTE) return this.#endString(at);
      if (code !== BACKSLASH) continue;
      at++;
      this.#isEscaped = at === chunk.length;
    }
    return chunk.length;
  }

  #endString(at: number): number {
    if (this.#isKey) {
      this.#extendKey(at);
      this.#state = COLON;
    } else this.#endValue(at + 1);
    return at + 1;
  }

  #extendKey(end: number): void {
    if (this.#selections.at(-1)!.members === undefined || this.#key.length > MAX_KEY_BYTES) return;
    const start = this.#keyStart;
    this.#key += bytesToLatin1(this.#chunk.subarray(start, Math.min(end, start + MAX_KEY_BYTES + 1)));
  }

  #readScalar(start: number): number {
    let at = start;
    while (at < this.#chunk.length && isScalarCode(this.#chunk[at]!)) at++;
    if (at < this.#chunk.length) this.#endValue(at);
    return at;
  }

  /** Reads a byte outside of strings, numbers and literals. */
  #readSign(at: number): number {
    const code = this.#chunk[at]!;
    if (code === 32 || code === 10 || code === 13 || code === 9) return at + 1;
    const isRead =
      this.#state === VALUE || this.#state === FIRST_ITEM ? this.#readValue(code, at) : this.#step(code, at);
    if (!isRead && code !== BYTE_ORDER_MARK[this.#before + at]) this.#fail(code, at);
    return at + 1;
  }

  #step(code: number, at: number): boolean {
    const state = this.#state;
    if (state === AFTER) return code === COMMA ? this.#next() : this.#close(code, at);
    if (state === COLON) {
      if (code === COLON_SIGN) this.#state = VALUE;
      return code === COLON_SIGN;
    }
    if (state === END) return false;
    if (code !== QUOTE) return state === FIRST_KEY && this.#close(code, at);
    this.#state = STRING;
    this.#isKey = true;
    this.#key = '';
    this.#keyStart = at + 1;
    return true;
  }

  #next(): boolean {
    this.#state = this.#isList.at(-1)! ? VALUE : KEY;
    return true;
  }

  #close(code: number, at: number): boolean {
    if (code !== (this.#isList.at(-1)! ? CLOSE_LIST : CLOSE_OBJECT)) return false;
    this.#isList.pop();
    this.#selections.pop();
    this.#endValue(at + 1);
    return true;
  }

  #readValue(code: number, at: number): boolean {
    if (code === CLOSE_LIST && this.#state === FIRST_ITEM) return this.#close(code, at);
    const opens = code === OPEN_OBJECT || code === OPEN_LIST;
    if (!opens && code !== QUOTE && !isScalarCode(code)) return false;
    const selection = this.#begin(at);
    if (opens) return this.#open(code === OPEN_LIST, selection);
    this.#state = code === QUOTE ? STRING : SCALAR;
    this.#isKey = false;
    return true;
  }

  /** Begins a value; returns what to extract from it. */
  #begin(at: number): Selection {
    const depth = this.#isList.length;
    const selection = depth === 0 ? HAR : this.#selectionIn(depth - 1);
    if (selection.record !== undefined && this.#recordDepth < 0) {
      this.#recordDepth = depth;
      this.#recordKind = selection.record;
      this.#from = at;
    } else if (this.#recordDepth >= 0 && this.#skipDepth < 0 && selection === NO_SELECTION) {
      this.#copyUpTo(at);
      this.#skipDepth = depth;
    }
    return selection;
  }

  #selectionIn(depth: number): Selection {
    const { all, items, members } = this.#selections[depth]!;
    if (all !== undefined) return all;
    if (this.#isList[depth]) return items ?? NO_SELECTION;
    return members?.get(this.#name()) ?? NO_SELECTION;
  }

  /** Decodes escapes, although no one writes names with them. */
  #name(): string {
    if (!this.#key.includes('\\')) return this.#key;
    try {
      return String(JSON.parse(`"${this.#key}"`));
    } catch {
      return '';
    }
  }

  #open(isList: boolean, selection: Selection): boolean {
    if (this.#isList.length >= MAX_DEPTH) return false;
    this.#isList.push(isList);
    this.#selections.push(selection);
    this.#state = isList ? FIRST_ITEM : FIRST_KEY;
    if (isList && selection.items?.record === 'entry') this.hasEntries = true;
    return true;
  }

  /** Ends a value before the offset `end`. */
  #endValue(end: number): void {
    const depth = this.#isList.length;
    this.#state = depth === 0 ? END : AFTER;
    if (depth === this.#skipDepth) {
      this.#keep(ELLIPSIS, 0, ELLIPSIS.length);
      this.#skipDepth = -1;
      this.#from = end;
    } else if (depth === this.#recordDepth) {
      this.#copyUpTo(end);
      this.#finishRecord();
    }
  }

  #copyUpTo(end: number): void {
    this.#keep(this.#chunk, this.#from, end);
    this.#from = end;
  }

  /** Copies bytes of the record; of one that is too large, only the beginning. */
  #keep(bytes: Uint8Array, start: number, end: number): void {
    this.#size += end - start;
    const room = (this.#size > this.#maxBytes ? SHOWN_BYTES : this.#maxBytes) - this.#copied;
    const last = Math.min(end, start + Math.max(0, room));
    const needed = this.#copied + last - start;
    if (needed > this.#copy.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.#copy.subarray(0, this.#copied));
      this.#copy = larger;
    }
    this.#copy.set(bytes.subarray(start, last), this.#copied);
    this.#copied = needed;
  }

  #finishRecord(): void {
    const tooLarge = this.#size > this.#maxBytes;
    const text = bytesToUtf8(this.#copy.subarray(0, tooLarge ? Math.min(this.#copied, SHOWN_BYTES) : this.#copied));
    this.#records.push({ kind: this.#recordKind, text, tooLarge });
    this.#copied = 0;
    this.#size = 0;
    this.#recordDepth = -1;
  }

  #fail(code: number, at: number): void {
    const sign = code > 32 && code < 127 ? `\`${String.fromCharCode(code)}\`` : `the byte 0x${code.toString(16)}`;
    const isDeep = this.#isList.length >= MAX_DEPTH;
    const expected = isDeep ? `at most ${MAX_DEPTH} values inside of each other` : EXPECTED[this.#state];
    this.problem = `expected ${expected} at byte ${this.#before + at}, found ${isDeep ? 'more' : sign}`;
  }
}

/** Returns true for bytes of numbers and of `true`, `false` and `null`. */
function isScalarCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 97 && code <= 122) ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 69
  );
}

/** What to extract from a JSON value. */
interface Selection {
  /** Extracts the value as a record. */
  readonly record?: RecordKind;
  /** What to extract from the members of an object; the others are omitted. */
  readonly members?: ReadonlyMap<string, Selection>;
  /** What to extract from each item of a list. */
  readonly items?: Selection;
  /** What to extract from everything below. */
  readonly all?: Selection;
}

/** The kinds of values that are extracted from a HAR file. */
type RecordKind = 'entry' | 'creator';

/** Extracts nothing. */
const NO_SELECTION: Selection = {};

const WHOLE: Selection = {
  get all() {
    return WHOLE;
  },
};

function members(selections: Readonly<Record<string, Selection>>): Selection {
  return { members: new Map(Object.entries(selections)) };
}

function whole(...names: readonly string[]): Readonly<Record<string, Selection>> {
  return Object.fromEntries(names.map(name => [name, WHOLE]));
}

const REQUEST = members(whole('method', 'url', 'httpVersion', 'headers', 'cookies'));
const RESPONSE = members(whole('status', 'httpVersion', 'headers', 'bodySize', '_transferSize'));
const ENTRY = members({
  ...whole(
    'startedDateTime',
    'timings',
    'serverIPAddress',
    '_serverPort',
    '_fromCache',
    '_fetchType',
    '_securityDetails',
  ),
  request: REQUEST,
  response: RESPONSE,
});

/** What is read from a HAR file: its creator, and its entries without bodies and without what browsers add. */
const HAR: Selection = members({
  log: members({ creator: { ...WHOLE, record: 'creator' }, entries: { items: { ...ENTRY, record: 'entry' } } }),
});
