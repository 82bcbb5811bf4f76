/** Codes of WebAssembly (core specification 2.0, section 5): those that we use, by the names that they have in its text format. */
export const OP = {
  return: [0x0f],
  i32Load: [0x28, 0x00, 0x00],
  i64Load: [0x29, 0x00, 0x00],
  i32Load8: [0x2d, 0x00, 0x00],
  i32Store: [0x36, 0x00, 0x00],
  i64Store: [0x37, 0x00, 0x00],
  i32Eqz: [0x45],
  i32Eq: [0x46],
  i32Ne: [0x47],
  i32LtU: [0x49],
  i32GeU: [0x4f],
  i64Eqz: [0x50],
  i32Ctz: [0x68],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32And: [0x71],
  i32Or: [0x72],
  i32Xor: [0x73],
  i32Shl: [0x74],
  i32ShrU: [0x76],
  i64Sub: [0x7d],
  i64Mul: [0x7e],
  i64And: [0x83],
  i64Or: [0x84],
  i64Xor: [0x85],
  i64Shl: [0x86],
  i64ShrU: [0x88],
  i32WrapI64: [0xa7],
  i64ExtendI32U: [0xad],
  v128Load: [0xfd, 0x00, 0x00, 0x00],
  i8x16Splat: [0xfd, 0x0f],
  i8x16Eq: [0xfd, 0x23],
  i8x16LtS: [0xfd, 0x25],
  v128Or: [0xfd, 0x50],
  i8x16Bitmask: [0xfd, 0x64],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** Code in which branches name what they leave or begin again. */
export type Code = readonly number[] | Jump | Nest | readonly Code[];

interface Jump {
  readonly op: number;
  readonly to: string;
}

interface Nest {
  readonly op: number;
  readonly label: string;
  readonly body: Code;
}

/** What a branch to it leaves. */
export const block = (label: string, ...body: readonly Code[]): Code => ({ op: 0x02, label, body });
/** What a branch to it begins again. */
export const loop = (label: string, ...body: readonly Code[]): Code => ({ op: 0x03, label, body });
/** Takes a number. */
export const when = (...body: readonly Code[]): Code => ({ op: 0x04, label: '', body });
export const br = (to: string): Code => ({ op: 0x0c, to });
export const brIf = (to: string): Code => ({ op: 0x0d, to });
export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const call = (func: number): Code => [0x10, func];
export const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
export const i64 = (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))];
/** The number that stands at an address with an offset. */
export const load = (address: number, offset: number): Code => [0x20, address, 0x28, 0x00, ...unsigned(offset)];
/** Adds to a local. */
export const add = (local: number, value: Code): Code => [get(local), value, OP.i32Add, set(local)];

const TYPES = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const;

/** A function of numbers, which gives a number. */
export interface WasmFunction {
  readonly params: number;
  /** Behind the parameters. */
  readonly locals: readonly (keyof typeof TYPES)[];
  readonly code: Code;
}

/** A module that imports the memory `m.m` and exports the functions by these names; they call each other by their position. */
export function moduleOf(functions: Readonly<Record<string, WasmFunction>>): Uint8Array<ArrayBuffer> {
  const all = Object.values(functions);
  const types = all.map(({ params }) => [
    0x60,
    params,
    ...Array.from({ length: params }, () => TYPES.i32),
    1,
    TYPES.i32,
  ]);
  const exported = Object.keys(functions).map((name, at) => [name.length, ...Buffer.from(name), 0x00, at]);
  const bodies = all.map(({ locals, code }) => {
    const body = [...vector(locals.map(type => [1, TYPES[type]])), ...bytesOf(code), END];
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 0x02, 0x00, 0x01]),
    ...section(3, vector(all.map((_, at) => [at]))),
    ...section(7, vector(exported)),
    ...section(10, vector(bodies)),
  ]);
}

const END = 0x0b;
const NO_RESULT = 0x40;

function bytesOf(code: Code): readonly number[] {
  const bytes: number[] = [];
  write(code, [], bytes);
  return bytes;
}

/** @param labels of what the code is nested in, the innermost last */
function write(code: Code, labels: string[], bytes: number[]): void {
  if (isBytes(code)) bytes.push(...code);
  else if (Array.isArray(code)) for (const part of code as readonly Code[]) write(part, labels, bytes);
  else if ('to' in code) bytes.push(code.op, labels.length - 1 - labels.lastIndexOf(code.to));
  else {
    const { op, label, body } = code as Nest;
    bytes.push(op, NO_RESULT);
    labels.push(label);
    write(body, labels, bytes);
    labels.pop();
    bytes.push(END);
  }
}

function isBytes(code: Code): code is readonly number[] {
  return Array.isArray(code) && typeof code[0] === 'number';
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...unsigned(content.length), ...content];
}

function vector(members: readonly (readonly number[])[]): readonly number[] {
  return [...unsigned(members.length), ...members.flat()];
}

/** LEB128 (section 5.2.2). */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): readonly number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
