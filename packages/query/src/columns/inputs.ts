/** A value of a record that fits in one column. */
export type Input =
  | { readonly kind: 'member'; readonly name: string }
  /** The value of one header in an object of headers. */
  | { readonly kind: 'header'; readonly object: string; readonly name: string }
  /** Whether a header was sent: `one` value that certainly was, or `several` or another form, which only the value shows. */
  | { readonly kind: 'sent'; readonly object: string; readonly name: string }
  /** Whether a member has an object of headers. */
  | { readonly kind: 'presence'; readonly object: string };

/** Numbers for the inputs that anything reads, in the order in which they were first read. */
export class Inputs {
  readonly #numbers = new Map<string, number>();
  readonly #all: Input[] = [];
  readonly #headers = new Map<number, number>();

  get all(): readonly Input[] {
    return this.#all;
  }

  numberOf(input: Input): number {
    const key = JSON.stringify(input);
    const known = this.#numbers.get(key) ?? this.#all.length;
    if (known === this.#all.length) this.#all.push(input);
    this.#numbers.set(key, known);
    return known;
  }

  /** Returns the number of the value of a header of which an input tells whether it was sent; undefined if nothing reads it. */
  headerOf(input: number): number | undefined {
    const known = this.#headers.get(input);
    if (known !== undefined) return known;
    const { kind, ...header } = this.#all[input]!;
    const found = kind === 'sent' ? this.#numbers.get(JSON.stringify({ kind: 'header', ...header })) : undefined;
    if (found !== undefined) this.#headers.set(input, found);
    return found;
  }
}
