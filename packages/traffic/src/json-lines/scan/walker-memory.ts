import { FIND_TEXT, PLACE_BYTES, TABLE_PLACES } from './text-table-code.ts';
import { MOST_EDGES, MOST_PLACES, MOST_TOKEN_BYTES } from './token-graph.ts';
import { EDGE_BYTES, MOST_FIELDS, ROW_BYTES, WALK_LINES } from './walk-lines-code.ts';
import { moduleOf } from './wasm-code.ts';

/** What we use of WebAssembly: its types come with those of browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

/** Rows that are written at a time. */
export const MOST_ROWS = 512;
/** Fields whose texts have numbers. */
export const MOST_TABLES = 24;
export const TABLE_BYTES = TABLE_PLACES * PLACE_BYTES;
/** Of texts that have numbers, all tables together. */
export const MOST_TEXT_BYTES = 4 * 1024 * 1024;
/** Zeros behind the lines, and what is looked at beyond them. */
export const MARGIN = 64;

const PAGE = 65_536;

/** The memory of a walk over lines, and the functions that work in it. What is never written takes no room of the machine. */
export interface WalkerMemory {
  readonly buffer: ArrayBuffer;
  /** Where each part begins. */
  readonly at: Readonly<Record<Part, number>>;
  readonly walk: (at: number, to: number, row: number, rowsEnd: number, start: number, stop: number) => number;
  readonly find: (table: number, from: number, length: number, kind: number, number: number, text: number) => number;
}

type Part = 'stop' | 'tables' | 'places' | 'edges' | 'tokens' | 'tableData' | 'texts' | 'rows' | 'bytes';

/** @param capacity bytes of lines that are walked over at a time */
export function walkerMemory(capacity: number): WalkerMemory {
  const sizes: readonly (readonly [Part, number])[] = [
    // Nothing stands at 0, which is no address.
    ['stop', 32],
    ['tables', 4 * MOST_FIELDS],
    ['places', 4 * MOST_PLACES],
    ['edges', MOST_EDGES * EDGE_BYTES],
    ['tokens', MOST_TOKEN_BYTES + MARGIN],
    ['tableData', MOST_TABLES * TABLE_BYTES],
    ['texts', MOST_TEXT_BYTES + MARGIN],
    ['rows', MOST_ROWS * ROW_BYTES],
    ['bytes', capacity + MARGIN],
  ];
  const at: Record<string, number> = {};
  let end = 32;
  for (const [part, size] of sizes) {
    at[part] = end;
    end += Math.ceil(size / 64) * 64;
  }
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE) });
  // They call each other by their order.
  const module = new WebAssembly.Module(moduleOf({ find: FIND_TEXT, walk: WALK_LINES }));
  const { exports } = new WebAssembly.Instance(module, { m: { m: memory } });
  const { find, walk } = exports as Pick<WalkerMemory, 'find' | 'walk'>;
  return { buffer: memory.buffer, at: at as WalkerMemory['at'], walk, find };
}
