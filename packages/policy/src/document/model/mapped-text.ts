import type { Range } from '@tollgate/diagnostics';

/** A stretch of a decoded text and what it stands for in the document. Of equal lengths: unit for unit; otherwise as a whole. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly range: Range;
}

/** A text that a document holds in encoded form (quoted, folded, indented), and where each part of it stands there. */
export interface MappedText {
  readonly value: string;
  /** In order, without gaps in the text. */
  readonly pieces: readonly Piece[];
  /** Of the whole in the document, quotes or block header included. */
  readonly range: Range;
}

/**
 * Where a range of the text stands in the document. An empty range gives an empty one, which at the end of the text stands
 * behind its last visible character. Logarithmic in the number of pieces.
 */
export function documentRange(text: MappedText, range: Range): Range {
  const start = Math.min(Math.max(range.start, 0), text.value.length);
  const end = Math.min(Math.max(range.end, start), text.value.length);
  if (text.pieces.length === 0) return text.value === '' ? emptyAt(text.range.end) : text.range;
  if (start === end) return emptyAt(pointOf(text, start));
  return { start: startOf(text, start), end: endOf(text, end) };
}

/** Where the text itself stands in the document, without quotes and block header. */
export function contentRange(text: MappedText): Range {
  const [only] = text.pieces;
  // Nearly all texts stand in the document as they are.
  if (only && text.pieces.length === 1 && isCopied(only)) return only.range;
  return documentRange(text, { start: 0, end: text.value.length });
}

/** Collects pieces in order; neighbours that are copied unit for unit become one. */
export class PieceCollector {
  readonly pieces: Piece[] = [];
  #text = '';

  get text(): string {
    return this.#text;
  }

  add(decoded: string, start: number, end: number): void {
    const from = this.#text.length;
    this.#text += decoded;
    const last = this.pieces.at(-1);
    if (last && isCopied(last) && last.range.end === start && decoded.length === end - start) {
      this.pieces[this.pieces.length - 1] = { ...last, to: this.#text.length, range: { start: last.range.start, end } };
    } else if (decoded !== '') {
      this.pieces.push({ from, to: this.#text.length, range: { start, end } });
    }
  }
}

function pointOf(text: MappedText, offset: number): number {
  if (offset < text.value.length) return startOf(text, offset);
  const visible = text.value.trimEnd().length;
  return visible === 0 ? startOf(text, 0) : endOf(text, visible);
}

function startOf(text: MappedText, offset: number): number {
  const piece = pieceAt(text, offset);
  return isCopied(piece) ? piece.range.start + offset - piece.from : piece.range.start;
}

function endOf(text: MappedText, offset: number): number {
  const piece = pieceAt(text, offset - 1);
  return isCopied(piece) ? piece.range.start + offset - piece.from : piece.range.end;
}

function pieceAt({ pieces }: MappedText, offset: number): Piece {
  let low = 0;
  let high = pieces.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (pieces[middle]!.from <= offset) low = middle;
    else high = middle;
  }
  return pieces[low]!;
}

function isCopied({ from, to, range }: Piece): boolean {
  return to - from === range.end - range.start;
}

function emptyAt(offset: number): Range {
  return { start: offset, end: offset };
}
