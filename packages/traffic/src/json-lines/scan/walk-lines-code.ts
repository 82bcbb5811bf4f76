import {
  add,
  block,
  br,
  brIf,
  type Code,
  call,
  get,
  i32,
  i64,
  load,
  loop,
  OP,
  set,
  type WasmFunction,
  when,
} from './wasm-code.ts';

// HOT: all bytes of all JSON lines go through here, sixteen at a time.

/** What follows a token. */
export const KIND = { text: 0, number: 1, constant: 2, object: 3, end: 4 } as const;

/** Bytes of a row: the line's beginning, its end, which fields it has (64 bits); then of each field what {@link FIELD} says. */
export const ROW_HEAD_BYTES = 16;
/** Of a field in a row: where its value begins and ends, its number and its kind. */
export const FIELD_BYTES = 16;
export const MOST_FIELDS = 64;
export const ROW_BYTES = ROW_HEAD_BYTES + MOST_FIELDS * FIELD_BYTES;

/** Offsets within an edge: a token that may come at a place, and where it leads. All numbers have four bytes, but for the bits. */
export const EDGE = {
  /** The next token that may come in the same place; 0 behind the last. */
  next: 0,
  text: 4,
  /** Bytes of the token that are whole blocks of sixteen, and which bits of the last block count. */
  blocks: 8,
  ends: 12,
  length: 16,
  kind: 20,
  /** Of a constant, which is part of the token: its length. */
  constant: 24,
  /** The place behind: the address of its first edge. */
  target: 28,
  /** Where the value goes in a row, or 0; and its bit. */
  field: 32,
  /** Where the number of the table of the field stands. */
  table: 36,
  bit: 40,
  /** Where in a row an object that the token ends goes, or 0; and the bytes of the token up to its end. */
  closes: 48,
  closesAt: 52,
  /** The same of an object that begins in the token; and its bit. */
  opens: 56,
  opensAt: 60,
  opensBit: 64,
} as const;
export const EDGE_BYTES = 80;

/** Of an object of texts: others have numbers of their texts, which begin behind it. */
export const OBJECT_NUMBER = 1;
/** Of a value whose text has none. */
export const NO_NUMBER = -1;

const [AT, TO, ROW, ROWS_END, START_PLACE, STOP] = [0, 1, 2, 3, 4, 5];
const [POSITION, PLACE, TOKEN, OFFSET, TEXT, BITS, FROM, FIELD, NUMBER, MASK, VECTOR] = [
  6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const equalBytes: Code = [
  [get(POSITION), get(OFFSET), OP.i32Add, OP.v128Load, get(TEXT), get(OFFSET), OP.i32Add, OP.v128Load],
  [OP.i8x16Eq, OP.i8x16Bitmask],
];

/** Leaves for `other` where the bytes are not those of the token. */
const compareToken: Code = [
  [load(TOKEN, EDGE.text), set(TEXT), i32(0), set(OFFSET)],
  block(
    'last',
    loop(
      'blocks',
      [get(OFFSET), load(TOKEN, EDGE.blocks), OP.i32GeU, brIf('last')],
      [equalBytes, i32(0xffff), OP.i32Ne, brIf('other')],
      add(OFFSET, i32(16)),
      br('blocks'),
    ),
  ),
  [equalBytes, load(TOKEN, EDGE.ends), OP.i32And, load(TOKEN, EDGE.ends), OP.i32Ne, brIf('other')],
];

const findToken: Code = [
  [load(PLACE, 0), set(TOKEN)],
  block(
    'found',
    loop(
      'tokens',
      [get(TOKEN), OP.i32Eqz, brIf('unknown')],
      block('other', compareToken, br('found')),
      [load(TOKEN, EDGE.next), set(TOKEN)],
      br('tokens'),
    ),
  ),
];

const bit = (offset: number): Code => [get(TOKEN), i32(offset), OP.i32Add, OP.i64Load];
/** A line with two members of one field is left to those who know which counts. */
const takeBit = (offset: number): Code => [
  [get(MASK), bit(offset), OP.i64And, OP.i64Eqz, OP.i32Eqz, brIf('unknown')],
  [get(MASK), bit(offset), OP.i64Or, set(MASK)],
];
const store = (offset: number, ...value: readonly Code[]): Code => [
  [get(FIELD), i32(offset), OP.i32Add],
  [...value, OP.i32Store],
];

const objects: Code = [
  [load(TOKEN, EDGE.closes), set(FIELD), get(FIELD)],
  when([get(ROW), get(FIELD), OP.i32Add, set(FIELD)], store(4, get(POSITION), load(TOKEN, EDGE.closesAt), OP.i32Add)),
  [load(TOKEN, EDGE.opens), set(FIELD), get(FIELD)],
  when(
    takeBit(EDGE.opensBit),
    [get(ROW), get(FIELD), OP.i32Add, set(FIELD)],
    store(0, get(POSITION), load(TOKEN, EDGE.opensAt), OP.i32Add),
    store(8, i32(OBJECT_NUMBER)),
    store(12, i32(KIND.object)),
  ),
];

const splat = (byte: number): Code => [i32(byte), OP.i8x16Splat];

/** To the quote that ends the text. One with a backslash, a control character or bytes beyond ASCII, which are negative, is not plain. */
const walkText: Code = [
  loop(
    'text',
    [get(POSITION), OP.v128Load, set(VECTOR)],
    [get(VECTOR), splat(SPACE), OP.i8x16LtS, get(VECTOR), splat(BACKSLASH), OP.i8x16Eq, OP.v128Or],
    [get(VECTOR), splat(QUOTE), OP.i8x16Eq, OP.v128Or, OP.i8x16Bitmask, set(BITS)],
    [get(BITS), OP.i32Eqz, when(add(POSITION, i32(16)), br('text'))],
  ),
  add(POSITION, [get(BITS), OP.i32Ctz]),
  [get(POSITION), OP.i32Load8, i32(QUOTE), OP.i32Ne, brIf('unknown')],
];

const digit = (leave: string): Code => [
  get(POSITION),
  OP.i32Load8,
  i32(0x30),
  OP.i32Sub,
  i32(10),
  OP.i32GeU,
  brIf(leave),
];
const byteIs = (byte: number): Code => [get(POSITION), OP.i32Load8, i32(byte), OP.i32Eq];
const digits = (label: string): Code =>
  block(label, loop(`${label} more`, digit(label), add(POSITION, i32(1)), br(`${label} more`)));

/** A number without an exponent. Behind a zero that begins it no digit may come, which no token begins with. */
const walkNumber: Code = [
  [byteIs(0x2d), when(add(POSITION, i32(1)))],
  digit('unknown'),
  block('whole', [byteIs(0x30), when(add(POSITION, i32(1)), br('whole'))], digits('digits')),
  [byteIs(0x2e), when(add(POSITION, i32(1)), digit('unknown'), digits('decimals'))],
];

const storeValue: Code = [
  takeBit(EDGE.bit),
  [get(ROW), get(FIELD), OP.i32Add, set(FIELD)],
  store(0, get(FROM)),
  store(4, get(POSITION)),
  store(12, load(TOKEN, EDGE.kind)),
  [i32(NO_NUMBER), set(NUMBER)],
  [load(TOKEN, EDGE.table), OP.i32Load],
  when(
    [load(TOKEN, EDGE.table), OP.i32Load, get(FROM), get(POSITION), get(FROM), OP.i32Sub],
    [load(TOKEN, EDGE.kind), i32(0), i32(0), call(0), set(NUMBER)],
    [get(NUMBER), OP.i32Eqz, when(i32(NO_NUMBER), set(NUMBER))],
  ),
  store(8, get(NUMBER)),
];

const endLine: Code = [
  [get(ROW), get(AT), OP.i32Store],
  [get(ROW), i32(4), OP.i32Add, get(POSITION), OP.i32Store],
  [get(ROW), i32(8), OP.i32Add, get(MASK), OP.i64Store],
  add(ROW, i32(ROW_BYTES)),
  [get(POSITION), set(AT)],
];

/** From a token to the value behind it, and so on. */
const walkLine: Code = loop(
  'members',
  findToken,
  objects,
  add(POSITION, load(TOKEN, EDGE.length)),
  [load(TOKEN, EDGE.kind), i32(KIND.end), OP.i32Eq, brIf('complete')],
  [get(POSITION), load(TOKEN, EDGE.constant), OP.i32Sub, set(FROM)],
  [load(TOKEN, EDGE.kind), OP.i32Eqz, when(walkText)],
  [load(TOKEN, EDGE.kind), i32(KIND.number), OP.i32Eq, when(walkNumber)],
  [load(TOKEN, EDGE.field), set(FIELD), get(FIELD), when(storeValue)],
  [load(TOKEN, EDGE.target), set(PLACE)],
  br('members'),
);

/**
 * Takes lines apart that consist of known tokens with plain values between them, and writes a row for each. Gives the address behind the last
 * row, and writes where it stopped: at the end, where there is no room for another row, or where a line begins that it does not know.
 * Parameters: where the lines begin and end, behind which there is a block of zeros; where rows begin and end; the place that lines begin in; where
 * to write where it stopped.
 */
export const WALK_LINES: WasmFunction = {
  params: 6,
  locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i64', 'v128'],
  code: [
    block(
      'unknown',
      loop(
        'lines',
        [get(ROW), get(ROWS_END), OP.i32GeU, brIf('unknown')],
        [get(AT), get(TO), OP.i32GeU, brIf('unknown')],
        [get(AT), set(POSITION), get(START_PLACE), set(PLACE), i64(0n), set(MASK)],
        block('complete', walkLine),
        endLine,
        br('lines'),
      ),
    ),
    [get(STOP), get(AT), OP.i32Store],
    get(ROW),
  ],
};
