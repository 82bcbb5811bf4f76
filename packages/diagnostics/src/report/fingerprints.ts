import { sha256 } from '@noble/hashes/sha2.js';
import type { Diagnostic } from '../diagnostic.ts';
import { bytesToHex, utf8ToBytes } from '../portable.ts';
import type { SourceText } from '../source-text.ts';

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
    return bytesToHex(sha256(utf8ToBytes(`${key}${earlier}`)).subarray(0, 16));
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
