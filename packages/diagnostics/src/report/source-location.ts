import { hash } from 'node:crypto';
import type { Diagnostic, Range } from '../diagnostic.ts';
import type { SourceText } from '../source-text.ts';

/** One-based lines and columns of a range; the end is exclusive. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Columns count UTF-16 code units, code points or bytes of UTF-8: formats differ. */
type ColumnUnit = 'utf-16' | 'code-point' | 'byte';

const SIZES: Readonly<Record<ColumnUnit, (text: string) => number>> = {
  'utf-16': text => text.length,
  'code-point': codePoints,
  byte: text => Buffer.byteLength(text),
};

/** Returns the location of a range, one-based; without the source, the start of the file. */
export function locationOf(source: SourceText | undefined, range: Range, unit: ColumnUnit): SourceLocation {
  if (!source) return { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const at = (offset: number) => {
    const { line, character } = source.positionAt(offset);
    const { start } = source.lineRange(line);
    return { line: line + 1, column: SIZES[unit](source.text.slice(start, start + character)) + 1 };
  };
  const start = at(range.start);
  const end = at(range.end);
  return { ...start, endLine: end.line, endColumn: end.column };
}

/** Counts without allocating: a whole minified document may be on one line. */
function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}

/** In a minified document, only the context close to the range counts. */
const MAX_CONTEXT = 200;

/**
 * Returns a fingerprint for each diagnostic, in order. It depends on the code and the source around the range, so it stays the same if lines
 * are added above, messages are reworded, or files are moved and renamed. Equal fingerprints are numbered to make them unique.
 */
export function fingerprints(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceText>,
): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(diagnostic => {
    const key = JSON.stringify([diagnostic.code, ...contextOf(diagnostic, sources)]);
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash('sha256', `${key}${earlier}`).slice(0, 32);
  });
}

/** Returns the marked source, and its line without indentation. */
function contextOf({ uri, range }: Diagnostic, sources: ReadonlyMap<string, SourceText>): readonly string[] {
  const source = sources.get(uri);
  if (!source) return [];
  const line = source.lineRange(source.positionAt(range.start).line);
  const from = Math.max(line.start, range.start - MAX_CONTEXT);
  const to = Math.min(line.end, range.start + MAX_CONTEXT);
  const marked = source.text.slice(range.start, Math.min(range.end, range.start + MAX_CONTEXT));
  return [marked, source.text.slice(from, Math.max(from, to)).trim()];
}

/**
 * Returns a path for other programs: relative if it is below the working directory, without `./`, and with slashes on
 * Windows, which is recognized by a drive or share in the working directory.
 */
export function shownPath(uri: string, directory: string | undefined): string {
  const isWindows = directory !== undefined && /^(?:[a-z]:|\\\\)/i.test(directory);
  const slashed = (path: string) => (isWindows ? path.replaceAll('\\', '/') : path);
  const path = slashed(uri);
  const above = directory === undefined ? undefined : slashed(directory).replace(/\/*$/, '/');
  const inside = above !== undefined && path.startsWith(above) ? path.slice(above.length) : path;
  return inside.replace(/^(?:\.\/+)+(?=[^/])/, '');
}

/** Number of characters in a hash, from the start of its line. */
const BLOCK = 100;
const FACTOR = 37n;
const END = 0xffff;
const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/**
 * Returns for each line the `primaryLocationLineHash` by which GitHub identifies findings in SARIF: a rolling hash of a hundred characters from the
 * start of the line, ignoring spaces, and a number among equal hashes. Computed like the CodeQL action
 * (https://github.com/github/codeql-action/blob/main/src/fingerprints.ts), so that findings keep their identity with any uploader.
 */
export function lineHashes(text: string): readonly string[] {
  const state = new RollingHash();
  let isAfterReturn = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isSkipped = code === SPACE || code === TAB || (isAfterReturn && code === LINE_FEED);
    isAfterReturn = code === RETURN;
    if (!isSkipped) state.add(isAfterReturn ? LINE_FEED : code);
  }
  state.add(END);
  return state.finish();
}

class RollingHash {
  readonly #hashes: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #window: bigint[] = Array.from({ length: BLOCK }, () => 0n);
  /** For each character in the window, the zero-based line that it starts, or -1. */
  readonly #lines: number[] = Array.from({ length: BLOCK }, () => -1);
  readonly #last = FACTOR ** BigInt(BLOCK);
  #hash = 0n;
  #index = 0;
  #line = -1;
  #isLineStart = true;

  add(code: number): void {
    this.#write();
    if (this.#isLineStart) {
      this.#line += 1;
      this.#lines[this.#index] = this.#line;
    }
    this.#isLineStart = code === LINE_FEED;
    this.#shift(BigInt(code));
  }

  finish(): readonly string[] {
    for (let at = 0; at < BLOCK; at += 1) {
      this.#write();
      this.#shift(0n);
    }
    return this.#hashes;
  }

  #write(): void {
    const line = this.#lines[this.#index]!;
    if (line < 0) return;
    const hash = this.#hash.toString(16);
    const count = (this.#counts.get(hash) ?? 0) + 1;
    this.#counts.set(hash, count);
    this.#hashes[line] = `${hash}:${count}`;
    this.#lines[this.#index] = -1;
  }

  #shift(code: bigint): void {
    const first = this.#window[this.#index]!;
    this.#window[this.#index] = code;
    this.#hash = BigInt.asUintN(64, FACTOR * this.#hash + code - this.#last * first);
    this.#index = (this.#index + 1) % BLOCK;
  }
}
