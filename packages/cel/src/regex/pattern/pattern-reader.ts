/** What is wrong with a pattern, and where: a UTF-16 offset from its beginning. */
export interface PatternFault {
  readonly offset: number;
  readonly message: string;
}

/** Carries a fault out of the parser; never leaves `parsePattern`. */
export class FaultFound {
  readonly fault: PatternFault;

  constructor(offset: number, message: string) {
    this.fault = { offset, message };
  }
}

/** A place in a pattern, moving on by code points. */
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

  /** Moves past the text if it is next. */
  skip(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.offset += text.length;
    return true;
  }

  /** Moves past what the sticky expression matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.offset;
    const match = expression.exec(this.source);
    if (match === null) return undefined;
    this.offset = expression.lastIndex;
    return match;
  }

  /** The next code point; there must be one. */
  next(): number {
    const codePoint = this.source.codePointAt(this.offset)!;
    this.offset += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  fail(offset: number, message: string): never {
    throw new FaultFound(offset, message);
  }
}
