import { type Range, singleQuoted } from '@tollgate/diagnostics';

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

/** The context of a scalar. */
interface ScalarContext {
  /** Inside brackets, commas and brackets need quotes. */
  readonly isInBrackets?: boolean;
  /** The quotes of a string that has neither in it. */
  readonly quotes?: Quotes | undefined;
}

/** Which quotes are preferred. */
export type Quotes = 'double' | 'single';

/**
 * Writes a string on one line: plain if every version of YAML reads it as this string, else in the quotes that Prettier chooses. With a
 * backslash, it leaves those that save escapes.
 */
export function oneLineString(value: string, { isInBrackets = false, quotes = 'double' }: ScalarContext = {}): string {
  if (isPlainString(value) && !(isInBrackets && /[[\]{},]/.test(value))) return value;
  if (isUnprintable(value) || /[\n\t]/.test(value)) return doubleQuoted(value);
  if (value.includes('\\')) {
    const escapes = value.match(/["\\]/g)!.length;
    const doubled = value.match(/'/g)?.length ?? 0;
    return doubled < escapes ? singleQuoted(value) : doubleQuoted(value);
  }
  if (value.includes('"')) return singleQuoted(value);
  return value.includes("'") || quotes === 'double' ? doubleQuoted(value) : singleQuoted(value);
}

/** Returns true if both YAML 1.1 and 1.2 read the unquoted string as itself. */
export function isPlainString(value: string): boolean {
  return !NEEDS_QUOTES.test(value) && !isUnprintable(value) && !isAmbiguous(value);
}

/** Returns true if YAML 1.1 or 1.2 reads the plain scalar as another type than a string. */
export function isAmbiguous(value: string): boolean {
  if (value !== '' && !AMBIGUOUS_STARTS.has(value.charCodeAt(0))) return false;
  return WORD.test(value) || NUMBER.test(value) || DATE.test(value);
}

/** Returns true if the string has characters that should be escaped in a document. */
export function isUnprintable(value: string): boolean {
  return UNPRINTABLE.test(value);
}

export function doubleQuoted(value: string): string {
  return JSON.stringify(value).replace(UNPRINTABLE_EACH, escaped);
}

const NEEDS_QUOTES =
  /^$|^[\s,[\]{}#&*!|>'"%@`]|^[?:]|^-(?:\s|$)|^(?:---|\.\.\.)(?:\s|$)|\s$|:(?:\s|$)|\s#|[\n\t]|^(?:<<|=)$/;

/** The first characters of the patterns below: most strings begin with another one. */
const AMBIGUOUS_STARTS: ReadonlySet<number> = new Set(
  Array.from('-+.0123456789~nNtTfFyYoO', character => character.charCodeAt(0)),
);
const WORD = /^(?:~|null|true|false|yes|no|on|off|y|n)?$/i;
const NUMBER =
  /^[-+]?(?:0x[0-9a-f_]+|0o?[0-7_]+|0b[01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|\.[0-9_]+(?:e[-+]?[0-9]+)?|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|\.(?:inf|nan))$/i;
const DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?$/;

/** Not printable by YAML 1.2.2, section 5.1, or invisible: byte order marks and other line separators. */
const UNPRINTABLE_SET = String.raw`[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]`;
const UNPRINTABLE = new RegExp(UNPRINTABLE_SET, 'u');
const UNPRINTABLE_EACH = new RegExp(UNPRINTABLE_SET, 'gu');

/** `JSON.stringify` leaves characters above U+FFFF alone, so this is a single UTF-16 unit. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A line of a block scalar, without indentation and line break. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Decodes the literal (`|`) or folded (`>`) scalar at `range`, which includes the header (YAML 1.2.2, section 8.1),
 * keeping all final line breaks: chomping keeps a prefix. `parentIndent` matters for headers with an indentation indicator.
 */
export function mapBlockScalar(document: string, range: Range, parentIndent: number): PieceCollector {
  const headerEnd = document.indexOf('\n', range.start) + 1;
  const collector = new PieceCollector();
  if (headerEnd === 0 || headerEnd >= range.end) return collector;
  const header = document.slice(range.start, headerEnd);
  const lines = readLines(document, { start: headerEnd, end: range.end }, indentationOf(header, parentIndent));
  if (header.startsWith('|')) mapLiteral(lines, collector);
  else mapFolded(lines, collector);
  return collector;
}

function indentationOf(header: string, parentIndent: number): number | undefined {
  const indicator = /^[|>][+-]?([1-9])/.exec(header)?.[1];
  return indicator === undefined ? undefined : parentIndent + Number(indicator);
}

function readLines(document: string, body: Range, given: number | undefined): readonly Line[] {
  const ranges = lineRanges(document, body);
  const indent = given ?? firstIndentation(document, ranges);
  return ranges.map(({ start: lineStart, end }) => {
    const start = Math.min(lineStart + indent, contentStart(document, lineStart, end));
    return { text: document.slice(start, end), start, end };
  });
}

/** Returns the ranges of the lines without their line breaks. */
function lineRanges(document: string, { start, end }: Range): readonly Range[] {
  const ranges: Range[] = [];
  for (let from = start; from < end; ) {
    const found = document.indexOf('\n', from);
    const lineBreak = found < 0 || found > end ? end : found;
    const isLong = lineBreak > from && document.charCodeAt(lineBreak - 1) === CARRIAGE_RETURN;
    ranges.push({ start: from, end: isLong ? lineBreak - 1 : lineBreak });
    from = lineBreak + 1;
  }
  return ranges;
}

/** Returns the indentation of the first line that has more than spaces. */
function firstIndentation(document: string, ranges: readonly Range[]): number {
  for (const { start, end } of ranges) {
    const at = contentStart(document, start, end);
    if (at < end) return at - start;
  }
  return 0;
}

/** Returns the offset after the leading spaces of a line. */
function contentStart(document: string, start: number, end: number): number {
  let at = start;
  while (at < end && document.charCodeAt(at) === SPACE) at += 1;
  return at;
}

const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

function mapLiteral(lines: readonly Line[], collector: PieceCollector): void {
  lines.forEach((line, index) => {
    collector.add(line.text, line.start, line.end);
    collector.add('\n', line.end, breakEnd(lines, index));
  });
}

/** A break between two lines at base indentation becomes a space; of several, the first is dropped. */
function mapFolded(lines: readonly Line[], collector: PieceCollector): void {
  let index = 0;
  while (index < lines.length && lines[index]!.text === '') {
    collector.add('\n', lines[index]!.end, breakEnd(lines, index));
    index += 1;
  }
  while (index < lines.length) {
    const line = lines[index]!;
    collector.add(line.text, line.start, line.end);
    let next = index + 1;
    while (next < lines.length && lines[next]!.text === '') next += 1;
    const isFolded = next < lines.length && !isIndentedFurther(line) && !isIndentedFurther(lines[next]!);
    mapBreaks(lines, { index, next, isFolded }, collector);
    index = next;
  }
}

/** Maps the breaks from the end of line `index` to line `next`. */
function mapBreaks(
  lines: readonly Line[],
  { index, next, isFolded }: { index: number; next: number; isFolded: boolean },
  collector: PieceCollector,
): void {
  const start = lines[index]!.end;
  if (isFolded && next === index + 1) {
    collector.add(' ', start, breakEnd(lines, index));
    return;
  }
  if (isFolded) collector.add('\n', start, breakEnd(lines, index + 1));
  const rest = isFolded ? index + 2 : index;
  for (let at = rest; at < next; at += 1) collector.add('\n', lines[at]!.end, breakEnd(lines, at));
}

/** A line break's range includes the indentation of the next line. */
function breakEnd(lines: readonly Line[], index: number): number {
  return lines[index + 1]?.start ?? lines[index]!.end;
}

function isIndentedFurther(line: Line): boolean {
  return line.text.startsWith(' ') || line.text.startsWith('\t');
}

/** Plain, `'single'` and `"double"` quoted scalars of YAML (1.2.2, sections 7.3.1 to 7.3.3); JSON strings are double-quoted. */
type FlowStyle = 'plain' | 'single' | 'double';

const LINE_FOLD = /[ \t]*(?:\r?\n[ \t]*)+/y;
const ESCAPED_BREAK = /\\\r?\n[ \t]*/y;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/sy;
const VERBATIM = { plain: /[^ \t\r\n]+/y, single: /[^ \t\r\n']+/y, double: /[^ \t\r\n\\]+/y } as const;

/** Section 5.7. */
const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** Decodes the scalar at `range`, which includes its quotes, and maps each part to its source. */
export function mapFlowScalar(document: string, range: Range, style: FlowStyle): PieceCollector {
  const collector = new PieceCollector();
  const quote = style === 'plain' ? 0 : 1;
  // Cut off what follows the scalar, or runs of characters would extend into it.
  const content = document.slice(0, range.end - quote);
  let at = range.start + quote;
  while (at < content.length) at = mapNext(content, at, style, collector);
  return collector;
}

/** Decodes the next part and returns its end. */
function mapNext(document: string, at: number, style: FlowStyle, collector: PieceCollector): number {
  const verbatim = matchAt(VERBATIM[style], document, at);
  if (verbatim) return copy(verbatim[0], at, collector);
  const fold = matchAt(LINE_FOLD, document, at);
  if (fold) return foldLines(fold[0], at, collector);
  if (style === 'single' && document.startsWith("''", at)) {
    collector.add("'", at, at + 2);
    return at + 2;
  }
  if (style === 'double' && document[at] === '\\') return mapEscape(document, at, collector);
  return copy(document[at]!, at, collector);
}

function copy(text: string, at: number, collector: PieceCollector): number {
  collector.add(text, at, at + text.length);
  return at + text.length;
}

/** A single line break becomes a space; of several, all but the first stay (section 6.5). Their ranges include the spaces around them. */
function foldLines(breaks: string, at: number, collector: PieceCollector): number {
  const ends = [...breaks.matchAll(/\n/g)].map(match => at + match.index + 1);
  const end = at + breaks.length;
  if (ends.length === 1) collector.add(' ', at, end);
  let start = at;
  for (let index = 1; index < ends.length; index += 1) {
    const pieceEnd = index === ends.length - 1 ? end : ends[index]!;
    collector.add('\n', start, pieceEnd);
    start = pieceEnd;
  }
  return end;
}

function mapEscape(document: string, at: number, collector: PieceCollector): number {
  const lineBreak = matchAt(ESCAPED_BREAK, document, at);
  if (lineBreak) return at + lineBreak[0].length;
  const found = matchAt(ESCAPE, document, at);
  if (!found) return copy('\\', at, collector);
  const [whole, hex2, hex4, hex8, named] = found;
  const code = Number.parseInt(hex2 ?? hex4 ?? hex8 ?? '', 16);
  const decoded = named === undefined ? fromCode(code) : (NAMED_ESCAPES[named] ?? named);
  collector.add(decoded, at, at + whole.length);
  return at + whole.length;
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
