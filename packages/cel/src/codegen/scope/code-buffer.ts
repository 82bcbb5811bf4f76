/**
 * Source that grows at its end. It cannot be read and written back while it grows, as `code += part()` would do: what `part` appends
 * itself is never lost.
 */
export class CodeBuffer {
  #code = '';

  append(code: string): void {
    this.#code += code;
  }

  /** Runs a function and takes out what it appends. */
  capture(emit: () => void): string {
    const before = this.#code;
    this.#code = '';
    emit();
    const captured = this.#code;
    this.#code = before;
    return captured;
  }

  toString(): string {
    return this.#code;
  }
}
