import {
  add,
  block,
  br,
  brIf,
  type Code,
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

// HOT: all texts that have numbers go through here.

/** Bytes of a place of a table: the hash, where the text stands, its length and kind, and its number; 0 where nothing is. */
export const PLACE_BYTES = 16;
/** Places of a table: twice as many as it holds texts, so that these are found at once. */
export const TABLE_PLACES = 32_768;
/** Whoever sends texts may choose them so that all have one hash. */
const MOST_PROBES = 8;

const [TABLE, FROM, LENGTH, KIND, NUMBER, TEXT] = [0, 1, 2, 3, 4, 5];
const [AT, STORED, SIGN, PROBES, PLACE, ENDS, HASH] = [6, 7, 8, 9, 10, 11, 12];

const MULTIPLIER = 0x9e3779b97f4a7c15n;

const mix = (word: Code): Code => [
  [get(HASH), word, OP.i64Xor, i64(MULTIPLIER), OP.i64Mul, set(HASH)],
  [get(HASH), get(HASH), i64(32n), OP.i64ShrU, OP.i64Xor, set(HASH)],
];

/** Eight bytes at a time; the last eight of a text overlap those before. */
const hashLong: Code = [
  [i32(0), set(AT)],
  block(
    'whole',
    loop(
      'words',
      [get(AT), i32(8), OP.i32Add, get(LENGTH), OP.i32GeU, brIf('whole')],
      mix([get(FROM), get(AT), OP.i32Add, OP.i64Load]),
      add(AT, i32(8)),
      br('words'),
    ),
  ),
  mix([get(FROM), get(LENGTH), OP.i32Add, i32(8), OP.i32Sub, OP.i64Load]),
];

/** Eight bytes, of which those behind the text are taken away. */
const hashShort: Code = mix([
  [get(FROM), OP.i64Load, i64(-1n), i32(8), get(LENGTH), OP.i32Sub, i32(3), OP.i32Shl, OP.i64ExtendI32U],
  [OP.i64ShrU, OP.i64And],
]);

const hash: Code = [
  [get(LENGTH), i32(2), OP.i32Shl, get(KIND), OP.i32Or, set(SIGN)],
  [get(SIGN), OP.i64ExtendI32U, set(HASH)],
  block(
    'hashed',
    [get(LENGTH), OP.i32Eqz, brIf('hashed')],
    [get(LENGTH), i32(8), OP.i32LtU, when(hashShort, br('hashed'))],
    hashLong,
  ),
];

const differing: Code = [
  [get(FROM), get(AT), OP.i32Add, OP.v128Load, get(STORED), get(AT), OP.i32Add, OP.v128Load],
  [OP.i8x16Eq, OP.i8x16Bitmask, i32(0xffff), OP.i32Xor],
];

/** Leaves for `next` where the place has another text. What is behind the text in its last sixteen bytes does not count. */
const compare: Code = [
  [load(PLACE, 0), get(HASH), OP.i32WrapI64, OP.i32Ne, brIf('next')],
  [load(PLACE, 8), get(SIGN), OP.i32Ne, brIf('next')],
  [load(PLACE, 4), set(STORED), i32(0), set(AT)],
  block(
    'last',
    loop(
      'blocks',
      [get(AT), i32(16), OP.i32Add, get(LENGTH), OP.i32GeU, brIf('last')],
      [differing, brIf('next')],
      add(AT, i32(16)),
      br('blocks'),
    ),
  ),
  [i32(1), get(LENGTH), get(AT), OP.i32Sub, OP.i32Shl, i32(1), OP.i32Sub, set(ENDS)],
  [differing, get(ENDS), OP.i32And, brIf('next')],
];

const fill: Code = [
  [get(PLACE), get(HASH), OP.i32WrapI64, OP.i32Store],
  [get(PLACE), i32(4), OP.i32Add, get(TEXT), OP.i32Store],
  [get(PLACE), i32(8), OP.i32Add, get(SIGN), OP.i32Store],
  [get(PLACE), i32(12), OP.i32Add, get(NUMBER), OP.i32Store],
];

/**
 * Gives the number that a text has in a table; 0 where it has none. With a number and a copy of the text it is given that one, if there is room.
 * Parameters: the table, where the text begins, its length, its kind, the number or 0, the copy.
 */
export const FIND_TEXT: WasmFunction = {
  params: 6,
  locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i64'],
  code: [
    hash,
    // The last bytes of a text count in the highest bits of the product only.
    [get(HASH), i64(49n), OP.i64ShrU, OP.i32WrapI64, set(PLACE)],
    [i32(MOST_PROBES), set(PROBES)],
    loop(
      'probe',
      // From the number of the place to its address, and back for the next.
      [get(PLACE), i32(TABLE_PLACES - 1), OP.i32And, i32(4), OP.i32Shl, get(TABLE), OP.i32Add, set(PLACE)],
      [load(PLACE, 12), OP.i32Eqz],
      when([get(NUMBER), OP.i32Eqz, when(i32(0), OP.return)], fill, get(NUMBER), OP.return),
      block('next', compare, load(PLACE, 12), OP.return),
      [get(PLACE), get(TABLE), OP.i32Sub, i32(4), OP.i32ShrU, i32(1), OP.i32Add, set(PLACE)],
      [get(PROBES), i32(1), OP.i32Sub, set(PROBES)],
      [get(PROBES), brIf('probe')],
    ),
    i32(0),
  ],
};
