/** What is wrong with a pattern, and the UTF-16 offset. */
export interface PatternFault {
  readonly offset: number;
  readonly message: string;
}

/** Thrown within the parser; never leaves `parsePattern`. */
export class FaultFound {
  readonly fault: PatternFault;

  constructor(offset: number, message: string) {
    this.fault = { offset, message };
  }
}

/** A cursor in a pattern that moves by code points. */
export class PatternReader {
  readonly source: string;
  offset = 0;

  constructor(source: string) {
    this.source = source;
  }

  get atEnd(): boolean {
    return this.offset >= this.source.length;
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.offset);
  }

  /** Skips the string if it is next. */
  skip(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.offset += text.length;
    return true;
  }

  /** Skips a match of the sticky expression. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.offset;
    const match = expression.exec(this.source);
    if (match === null) return undefined;
    this.offset = expression.lastIndex;
    return match;
  }

  /** Returns the next code point; there must be one. */
  next(): number {
    const codePoint = this.source.codePointAt(this.offset)!;
    this.offset += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  fail(offset: number, message: string): never {
    throw new FaultFound(offset, message);
  }
}
