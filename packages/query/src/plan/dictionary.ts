/** Numbers for values, from 0, in the order of their first occurrence. */
export class Dictionary<T> {
  readonly #numbers = new Map<T, number>();

  get size(): number {
    return this.#numbers.size;
  }

  get values(): readonly T[] {
    return [...this.#numbers.keys()];
  }

  numberOf(value: T): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
