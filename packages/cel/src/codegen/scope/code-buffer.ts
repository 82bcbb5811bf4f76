/** Source that is appended to. Unlike with `code += part()`, what `part` appends itself is not lost. */
export class CodeBuffer {
  #code = '';

  append(code: string): void {
    this.#code += code;
  }

  /** Calls a function and returns what it appended instead of keeping it. */
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
