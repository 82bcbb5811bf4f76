import { br, brIf, get, i32, moduleOf, OP, set, type WasmFunction } from './wasm-code.ts';

// HOT: all bytes of all JSON lines go through here, sixteen at a time. The same loop in JavaScript takes 2 ns for each byte.

/** Numbers for each line: its end, the quotes up to there, and whether it has bytes that a plain text has not. */
export const LINE_NUMBERS = 3;

/** What we use of WebAssembly: its types come with those of browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

type Find = (from: number, to: number, quotes: number, lines: number) => number;

/** Finds quotes and line ends in bytes that were put into its memory. */
export class QuoteFinder {
  /** Where bytes are put to be looked through, from the beginning. */
  readonly bytes: Uint8Array;
  /** Offsets of quotes, in order. */
  readonly quotes: Int32Array;
  /** {@link LINE_NUMBERS} for each line. */
  readonly lines: Int32Array;
  readonly #find: Find;

  /** @param capacity bytes that are looked through at a time */
  constructor(capacity: number) {
    const room = roundUp(capacity + BLOCK);
    const size = room + 4 * room + 4 * LINE_NUMBERS * room;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(size / PAGE) });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(FIND)), { m: { m: memory } });
    this.bytes = new Uint8Array(memory.buffer, 0, room);
    this.quotes = new Int32Array(memory.buffer, room, room);
    this.lines = new Int32Array(memory.buffer, 5 * room, LINE_NUMBERS * room);
    this.#find = exports.f as Find;
  }

  /** Looks through the first bytes; gives the number of complete lines. */
  find(length: number): number {
    // What stands behind the end is looked at in blocks too.
    this.bytes.fill(SPACE, length, length + BLOCK);
    return this.#find(0, length, this.quotes.byteOffset, this.lines.byteOffset);
  }
}

const BLOCK = 16;
const PAGE = 65_536;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;

function roundUp(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

// Parameters and locals of the function.
const [AT, TO, QUOTES_AT, LINES_AT] = [0, 1, 2, 3];
const [FIRST_QUOTE, LINES, QUOTE_BITS, ODD_BITS, ODD, BIT, VECTOR] = [4, 5, 6, 7, 8, 9, 10];

const equals = (byte: number) => [get(VECTOR), i32(byte), OP.i8x16Splat, OP.i8x16Eq];
const clearLowest = (bits: number) => [get(bits), get(bits), i32(1), OP.i32Sub, OP.i32And, set(bits)];
const advance = (local: number, by: number) => [get(local), i32(by), OP.i32Add, set(local)];

const storeQuote = [
  ...[get(QUOTES_AT), get(AT), get(QUOTE_BITS), OP.i32Ctz, OP.i32Add, OP.i32Store],
  ...advance(QUOTES_AT, 4),
  ...clearLowest(QUOTE_BITS),
];

/** Those of the block that stand before a bit. */
const storeQuotesBefore = [
  ...[OP.loop, get(QUOTE_BITS), i32(1), get(BIT), OP.i32Shl, i32(1), OP.i32Sub, OP.i32And, OP.if],
  ...storeQuote,
  ...[br(1), OP.end, OP.end],
];

const storeLine = [
  ...[get(LINES_AT), get(AT), get(BIT), OP.i32Add, OP.i32Store],
  ...advance(LINES_AT, 4),
  ...[get(LINES_AT), get(QUOTES_AT), get(FIRST_QUOTE), OP.i32Sub, OP.i32Store],
  ...advance(LINES_AT, 4),
  ...[get(LINES_AT), get(ODD), OP.i32Store],
  ...advance(LINES_AT, 4),
  ...advance(LINES, 1),
  ...[i32(0), set(ODD)],
];

/** Line ends, and what is not plain: control characters, backslashes, and bytes beyond ASCII, which are negative numbers. */
const handleOddBytes = [
  ...[OP.loop, get(ODD_BITS), OP.i32Ctz, set(BIT)],
  ...storeQuotesBefore,
  ...[get(AT), get(BIT), OP.i32Add, OP.i32Load8, i32(LINE_FEED), OP.i32Eq, OP.if],
  ...storeLine,
  ...[OP.else, i32(1), set(ODD), OP.end],
  ...clearLowest(ODD_BITS),
  ...[get(ODD_BITS), brIf(0), OP.end],
];

const FIND: WasmFunction = {
  params: 4,
  numbers: 6,
  vectors: 1,
  code: [
    ...[get(QUOTES_AT), set(FIRST_QUOTE)],
    ...[OP.block, OP.loop, get(AT), get(TO), OP.i32GeU, brIf(1)],
    ...[get(AT), OP.v128Load, set(VECTOR)],
    ...[...equals(QUOTE), OP.i8x16Bitmask, set(QUOTE_BITS)],
    ...[get(VECTOR), i32(SPACE), OP.i8x16Splat, OP.i8x16LtS, ...equals(BACKSLASH), OP.v128Or],
    ...[OP.i8x16Bitmask, set(ODD_BITS)],
    ...[get(ODD_BITS), OP.if, ...handleOddBytes, OP.end],
    ...[OP.loop, get(QUOTE_BITS), OP.if, ...storeQuote, br(1), OP.end, OP.end],
    ...advance(AT, BLOCK),
    ...[br(0), OP.end, OP.end],
    ...[get(LINES)],
  ],
};
