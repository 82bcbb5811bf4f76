/** Codes of WebAssembly (core specification 2.0, section 5): those that we use, by the names that they have in its text format. */
export const OP = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  else: [0x05],
  end: [0x0b],
  i32Load8: [0x2d, 0x00, 0x00],
  i32Store: [0x36, 0x02, 0x00],
  i32Eqz: [0x45],
  i32Eq: [0x46],
  i32GeU: [0x4f],
  i32Ctz: [0x68],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32And: [0x71],
  i32Shl: [0x74],
  v128Load: [0xfd, 0x00, 0x00, 0x00],
  i8x16Splat: [0xfd, 0x0f],
  i8x16Eq: [0xfd, 0x23],
  i8x16LtS: [0xfd, 0x25],
  v128Or: [0xfd, 0x50],
  i8x16Bitmask: [0xfd, 0x64],
} as const satisfies Readonly<Record<string, Code>>;

/** Bytes of code. */
export type Code = readonly number[];

/** Leaves so many blocks; `br 0` in a loop begins it again. */
export const br = (depth: number): Code => [0x0c, depth];
export const brIf = (depth: number): Code => [0x0d, depth];
export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const i32 = (value: number): Code => [0x41, ...signed(value)];

const I32 = 0x7f;
const V128 = 0x7b;

/** A function of numbers, which gives a number. */
export interface WasmFunction {
  readonly params: number;
  /** Locals behind the parameters: numbers first. */
  readonly numbers: number;
  readonly vectors: number;
  readonly code: readonly Code[];
}

/** A module that imports the memory `m.m` and exports the function as `f`. */
export function moduleOf({ params, numbers, vectors, code }: WasmFunction): Uint8Array<ArrayBuffer> {
  const type = [0x60, params, ...Array.from({ length: params }, () => I32), 1, I32];
  const body = [2, numbers, I32, vectors, V128, ...code.flat(), ...OP.end];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, ...type]),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 0x02, 0x00, 0x01]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

/** LEB128 (section 5.2.2). */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
