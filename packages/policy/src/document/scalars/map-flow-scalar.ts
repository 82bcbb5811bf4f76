import type { Range } from '@tollgate/diagnostics';
import { PieceCollector } from '../model/mapped-text.ts';

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
