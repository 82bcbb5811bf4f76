import { SourceText } from '@tollgate/diagnostics';

/** The lines of a text, found once: one line may hold all of a document. */
export class TextLines {
  readonly text: string;
  readonly #source: SourceText;
  readonly #isBlank: readonly boolean[];

  /** @param text with line breaks of LF alone */
  constructor(text: string) {
    this.text = text;
    this.#source = new SourceText('', text);
    this.#isBlank = text.split('\n').map(line => line.trim() === '');
  }

  /** Zero-based. */
  columnOf(offset: number): number {
    return this.#source.positionAt(offset).character;
  }

  /** Whether the line before that of the offset is empty. */
  hasBlankBefore(offset: number): boolean {
    return this.#isBlank[this.#source.positionAt(offset).line - 1] === true;
  }
}
