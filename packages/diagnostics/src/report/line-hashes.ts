/** Characters that a hash takes in, from the beginning of its line on. */
const BLOCK = 100;
const FACTOR = 37n;
const END = 0xffff;
const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/**
 * For each line what GitHub knows a finding on it by, `primaryLocationLineHash` in SARIF: a rolling hash of the hundred characters from its
 * beginning on, blanks left out, and which of equal ones it is. As the CodeQL action computes it
 * (https://github.com/github/codeql-action/blob/main/src/fingerprints.ts), so that findings keep their identity whoever uploads them.
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
  /** Of the characters in the window, the line that each begins, from 0; -1 for none. */
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
