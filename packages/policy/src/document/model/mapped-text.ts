import type { Range } from '@tollgate/diagnostics';

/** A substring of a decoded string and its range in the document. If the lengths are equal they correspond unit by unit, otherwise only as a whole. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly range: Range;
}

/** A string that is encoded in the document (quoted, folded, indented), with the source range of each part. */
export interface MappedText {
  readonly value: string;
  /** In order, covering the whole string. */
  readonly pieces: readonly Piece[];
  /** The whole scalar in the document, including quotes or block header. */
  readonly range: Range;
}

/**
 * Maps a range of the string to its range in the document. An empty range maps to an empty one, which at the end of
 * the string follows its last visible character. Logarithmic in the number of pieces.
 */
export function documentRange(text: MappedText, range: Range): Range {
  const start = Math.min(Math.max(range.start, 0), text.value.length);
  const end = Math.min(Math.max(range.end, start), text.value.length);
  if (text.pieces.length === 0) return text.value === '' ? emptyAt(text.range.end) : text.range;
  if (start === end) return emptyAt(pointOf(text, start));
  return { start: startOf(text, start), end: endOf(text, end) };
}

/** Returns the string's range in the document without quotes and block header. */
export function contentRange(text: MappedText): Range {
  const [only] = text.pieces;
  // Nearly all strings are verbatim in the document.
  if (only && text.pieces.length === 1 && isCopied(only)) return only.range;
  return documentRange(text, { start: 0, end: text.value.length });
}

/** Collects pieces in order, merging adjacent verbatim ones. */
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
