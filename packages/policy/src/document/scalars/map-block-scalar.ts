import type { Range } from '@tollgate/diagnostics';
import { PieceCollector } from '../model/mapped-text.ts';

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
