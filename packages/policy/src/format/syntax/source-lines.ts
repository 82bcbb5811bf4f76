import { SourceText } from '@tollgate/diagnostics';

/** An index of the lines of a text, built once: a whole document may be on one line. */
export class SourceLines {
  readonly text: string;
  readonly #source: SourceText;
  readonly #isBlank: readonly boolean[];

  /** @param text has only LF line breaks */
  constructor(text: string) {
    this.text = text;
    this.#source = new SourceText('', text);
    this.#isBlank = text.split('\n').map(line => line.trim() === '');
  }

  /** Returns the zero-based column of an offset. */
  columnOf(offset: number): number {
    return this.#source.positionAt(offset).character;
  }

  /** Returns true if the line before that of the offset is empty. */
  hasBlankBefore(offset: number): boolean {
    return this.#isBlank[this.#source.positionAt(offset).line - 1] === true;
  }
}
