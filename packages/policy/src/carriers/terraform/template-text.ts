import { type MappedText, PieceCollector } from '../../document/model/mapped-text.ts';
import { standIn } from '../placeholders/stand-in.ts';
import { endOfLine, isEscapedTemplate, isTemplate, skipTemplate } from './scan-hcl.ts';

/** The text of a Terraform string, with stand-ins for the templates in it. */
export interface TemplateText {
  readonly text: MappedText;
  /** By the number in the stand-in. */
  readonly placeholders: readonly string[];
}

/** Collects a text with stand-ins. */
export class TemplateCollector {
  readonly pieces = new PieceCollector();
  readonly placeholders: string[] = [];

  /** Adds a stand-in for the source between two offsets. */
  addUnknown(source: string, start: number, end: number): void {
    this.pieces.add(standIn('h', this.placeholders.length), start, end);
    this.placeholders.push(source.slice(start, end));
  }

  finish(start: number, end: number): TemplateText {
    const { text: value, pieces } = this.pieces;
    return { text: { value, pieces, range: { start, end } }, placeholders: this.placeholders };
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** Decodes a quoted string, whose range includes its quotes. */
export function quotedText(source: string, start: number, end: number): TemplateText {
  const collector = new TemplateCollector();
  for (let at = start + 1; at < end - 1; ) at = addNext(source, at, collector);
  return collector.finish(start, end);
}

function addNext(source: string, at: number, collector: TemplateCollector): number {
  const next = addTemplate(source, at, collector);
  if (next !== undefined) return next;
  if (source[at] !== '\\') return addCopy(source, at, at + 1, collector);
  const code = /^\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(source.slice(at, at + 10));
  const point = Number.parseInt(code?.[1] ?? code?.[2] ?? '', 16);
  const end = at + (code?.[0].length ?? 2);
  const decoded = code
    ? String.fromCodePoint(Math.min(point, 0x10ffff))
    : (ESCAPES[source[at + 1]!] ?? source.slice(at, end));
  collector.pieces.add(decoded, at, end);
  return end;
}

function addCopy(source: string, start: number, end: number, { pieces }: TemplateCollector): number {
  pieces.add(source.slice(start, end), start, end);
  return end;
}

/** Adds a template, or what stands for `${`, and returns its end; undefined if there is neither. */
export function addTemplate(source: string, at: number, collector: TemplateCollector): number | undefined {
  if (isEscapedTemplate(source, at)) {
    collector.pieces.add(source.slice(at + 1, at + 3), at, at + 3);
    return at + 3;
  }
  if (!isTemplate(source, at)) return undefined;
  const end = skipTemplate(source, at);
  collector.addUnknown(source, at, end);
  return end;
}

/** A heredoc, and where it ends. */
export interface Heredoc extends TemplateText {
  /** After the final marker. */
  readonly end: number;
}

const HEREDOC = /<<(-?)([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\r?\n/uy;

/** Reads the heredoc at an offset; undefined if there is none. `<<-` removes the indentation that all lines have. */
export function readHeredoc(source: string, start: number): Heredoc | undefined {
  HEREDOC.lastIndex = start;
  const header = HEREDOC.exec(source);
  if (!header) return undefined;
  const [whole, dash, marker = ''] = header;
  const first = start + whole.length;
  const lines: { readonly start: number; readonly end: number }[] = [];
  let at = first;
  for (; at < source.length; at = endOfLine(source, at) + 1) {
    const end = endOfLine(source, at);
    if (source.slice(at, end).trim() === marker) break;
    lines.push({ start: at, end: source[end - 1] === '\r' && end > at ? end - 1 : end });
  }
  const indent = dash === '-' ? commonIndent(source, lines) : 0;
  const collector = new TemplateCollector();
  for (const [index, line] of lines.entries()) {
    addLine(source, { ...line, start: Math.min(line.start + indent, line.end) }, collector);
    const next = lines[index + 1];
    collector.pieces.add('\n', line.end, next ? Math.min(next.start + indent, next.end) : at);
  }
  const end = at >= source.length ? source.length : at + source.slice(at, endOfLine(source, at)).trimEnd().length;
  return { ...collector.finish(start, end), end };
}

function addLine(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
  collector: TemplateCollector,
): void {
  for (let at = start; at < end; ) at = addTemplate(source, at, collector) ?? addCopy(source, at, at + 1, collector);
}

function commonIndent(source: string, lines: readonly { readonly start: number; readonly end: number }[]): number {
  const indents = lines.flatMap(({ start, end }) => {
    const indent = /^[ \t]*/.exec(source.slice(start, end))![0].length;
    return indent === end - start ? [] : [indent];
  });
  return indents.length === 0 ? 0 : Math.min(...indents);
}
