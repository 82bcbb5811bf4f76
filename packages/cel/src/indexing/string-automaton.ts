/** Finds which of many strings a string starts with, ends with or contains, in one pass. */
export class StringAutomaton {
  /** Classes of UTF-16 units that occur in the strings, from 1; 0 for all others. */
  readonly #ascii = new Uint16Array(128);
  readonly #others = new Map<number, number>();
  readonly #classes: number;
  /** The next state for each state and class; 0 is the start state. */
  readonly #next: Int32Array;
  /** The strings that end in each state. */
  readonly #found: readonly (readonly number[] | undefined)[];
  readonly #mode: Mode;

  /** Returns true if the tables for these strings stay below a few megabytes. */
  static isSmall(texts: readonly string[]): boolean {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return length < MAX_CELLS && length * new Set(texts.join('')).size < MAX_CELLS;
  }

  /** @param texts distinct and not empty */
  constructor(texts: readonly string[], mode: Mode) {
    this.#mode = mode;
    this.#classes = this.#classify(texts) + 1;
    this.#next = new Int32Array((1 + texts.reduce((sum, text) => sum + text.length, 0)) * this.#classes);
    const found = this.#build(texts);
    this.#found = mode === 'substring' ? this.#link(found) : found;
  }

  /** Adds the positions of the strings found to `out`, possibly with duplicates. */
  find(text: string, out: number[]): void {
    const { length } = text;
    const isBackward = this.#mode === 'suffix';
    const isAnchored = this.#mode !== 'substring';
    let state = 0;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(isBackward ? length - 1 - i : i);
      const kind = unit < 128 ? this.#ascii[unit]! : (this.#others.get(unit) ?? 0);
      state = kind === 0 ? 0 : this.#next[state * this.#classes + kind]!;
      if (state === 0) {
        if (isAnchored) return;
        continue;
      }
      const found = this.#found[state];
      if (found !== undefined) for (const position of found) out.push(position);
    }
  }

  #classify(texts: readonly string[]): number {
    let classes = 0;
    for (const text of texts) {
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (this.#classOf(unit) !== 0) continue;
        classes += 1;
        if (unit < 128) this.#ascii[unit] = classes;
        else this.#others.set(unit, classes);
      }
    }
    return classes;
  }

  #classOf(unit: number): number {
    return unit < 128 ? this.#ascii[unit]! : (this.#others.get(unit) ?? 0);
  }

  /** Builds the trie; returns the strings that end in each state. */
  #build(texts: readonly string[]): (readonly number[] | undefined)[] {
    const found: (readonly number[] | undefined)[] = [undefined];
    for (const [position, text] of texts.entries()) {
      let state = 0;
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(this.#mode === 'suffix' ? text.length - 1 - i : i);
        const at = state * this.#classes + this.#classOf(unit);
        if (this.#next[at] === 0) this.#next[at] = found.push(undefined) - 1;
        state = this.#next[at]!;
      }
      found[state] = [...(found[state] ?? []), position];
    }
    return found;
  }

  /** Adds the failure links of Aho and Corasick. */
  #link(found: readonly (readonly number[] | undefined)[]): readonly (readonly number[] | undefined)[] {
    const all = [...found];
    const fallback = new Int32Array(found.length);
    const queue = [0];
    for (const state of queue) {
      for (let kind = 1; kind < this.#classes; kind++) {
        const at = state * this.#classes + kind;
        const onFallback = state === 0 ? 0 : this.#next[fallback[state]! * this.#classes + kind]!;
        const child = this.#next[at]!;
        if (child === 0) {
          this.#next[at] = onFallback;
          continue;
        }
        fallback[child] = onFallback;
        const inherited = all[onFallback];
        if (inherited !== undefined) all[child] = [...(all[child] ?? []), ...inherited];
        queue.push(child);
      }
    }
    return all;
  }
}

const MAX_CELLS = 4_000_000;

/** Which part of the string to search. */
export type Mode = 'prefix' | 'suffix' | 'substring';
