import type { Range } from '@tollgate/diagnostics';
import { type MappedText, PieceCollector } from '../document/scalar-text.ts';
import { standIn } from './placeholders.ts';

/** An expression, as far as policies can be in it. */
export type HclExpression =
  | { readonly kind: 'string'; readonly range: Range }
  | { readonly kind: 'heredoc'; readonly range: Range; readonly heredoc: Heredoc }
  | { readonly kind: 'object'; readonly range: Range; readonly entries: readonly HclEntry[] }
  | { readonly kind: 'list'; readonly range: Range; readonly items: readonly HclExpression[] }
  | { readonly kind: 'call'; readonly range: Range; readonly name: string; readonly items: readonly HclExpression[] }
  /** Numbers and the words `true`, `false` and `null`. */
  | { readonly kind: 'literal'; readonly range: Range }
  | { readonly kind: 'other'; readonly range: Range };

/** An entry of an object. */
interface HclEntry {
  /** Undefined if it is computed. */
  readonly key: string | undefined;
  readonly keyRange: Range;
  /** The offset of `=` or `:`. */
  readonly equals: number;
  readonly value: HclExpression;
}

/** An attribute of a file or block. */
interface HclAttribute {
  /** Types and labels of the blocks around it, and its name. */
  readonly path: readonly string[];
  readonly value: HclExpression;
}

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;
/** Nested brackets that are read; what is in deeper ones is unknown. */
const MAX_DEPTH = 64;

/** Returns the attributes of a file, also those in blocks. Skips what it cannot read; takes time linear in the size of the text. */
export function readAttributes(text: string): readonly HclAttribute[] {
  const found: HclAttribute[] = [];
  const open: { readonly path: readonly string[]; readonly counts: Map<string, number> }[] = [
    { path: [], counts: new Map() },
  ];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const { path, counts } = open.at(-1)!;
    const name = nameAt(text, at);
    if (name === undefined) {
      if (text[at] === '}' && open.length > 1) open.pop();
      at = text[at] === '"' ? skipString(text, at) : at + 1;
      continue;
    }
    const header = readHeader(text, at + name.length);
    const next = text[header.end];
    if (next === '=' && text[header.end + 1] !== '=' && header.labels.length === 0) {
      const value = readExpression(text, skipSpace(text, header.end + 1, true));
      found.push({ path: [...path, name], value });
      at = value.range.end;
    } else if (next === '{') {
      const own = [name, ...header.labels];
      const count = counts.get(own.join('\n')) ?? 0;
      counts.set(own.join('\n'), count + 1);
      open.push({ path: [...path, ...own, ...(count > 0 ? [String(count)] : [])], counts: new Map() });
      at = header.end + 1;
    } else at = Math.max(header.end, at + 1);
  }
  return found;
}

function nameAt(text: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0];
}

/** Reads the labels of a block. */
function readHeader(text: string, from: number): { readonly labels: readonly string[]; readonly end: number } {
  const labels: string[] = [];
  let at = skipSpace(text, from, true);
  for (;;) {
    const name = nameAt(text, at);
    if (text[at] === '"') {
      const end = skipString(text, at);
      labels.push(text.slice(at + 1, end - 1));
      at = end;
    } else if (name !== undefined) {
      labels.push(name);
      at += name.length;
    } else return { labels, end: at };
    at = skipSpace(text, at, true);
  }
}

/** Reads the expression at an offset. One that continues with an operator or accessor is unknown. */
function readExpression(text: string, start: number, depth = 0): HclExpression {
  const first = readOperand(text, start, depth);
  const { range } = first;
  // A heredoc ends with its line.
  if (first.kind === 'heredoc') return first;
  const next = skipSpace(text, range.end, true);
  const isWhole = next >= text.length || '\n,]})'.includes(text[next]!) || isBetween(text, range.end, next);
  if (isWhole && range.end > start) return first;
  return { kind: 'other', range: { start, end: Math.max(endOfExpression(text, range.end), start + 1) } };
}

/** Returns true if a comment with line breaks ends the expression. */
function isBetween(text: string, end: number, next: number): boolean {
  return text.slice(end, next).includes('\n');
}

function readOperand(text: string, start: number, depth: number): HclExpression {
  const character = text[start];
  if (character === '"') return { kind: 'string', range: { start, end: skipString(text, start) } };
  const heredoc = character === '<' ? readHeredoc(text, start) : undefined;
  if (heredoc) return { kind: 'heredoc', range: { start, end: heredoc.end }, heredoc };
  if (depth < MAX_DEPTH && character === '{') return readObject(text, start, depth + 1);
  if (depth < MAX_DEPTH && character === '[') return { kind: 'list', ...readItems(text, start, depth + 1) };
  const literal = /^(?:-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.-])/.exec(text.slice(start, start + 40));
  if (literal) return { kind: 'literal', range: { start, end: start + literal[0].length } };
  const name = nameAt(text, start);
  if (name !== undefined && text[start + name.length] === '(' && depth < MAX_DEPTH) {
    const { range, items } = readItems(text, start + name.length, depth + 1);
    return { kind: 'call', name, range: { start, end: range.end }, items };
  }
  return { kind: 'other', range: { start, end: start } };
}

/** Returns the end of an expression of any kind: of its line, or before the bracket or comma after it. */
function endOfExpression(text: string, from: number): number {
  let at = from;
  while (at < text.length && !'\n,]})'.includes(text[at]!)) {
    if ('[{('.includes(text[at]!)) at = skipBrackets(text, at);
    else if (text[at] === '"') at = skipString(text, at);
    else if (text[at] === '#') return at;
    else at += 1;
  }
  return at;
}

/** Reads the items in brackets or the arguments in parentheses. */
function readItems(text: string, start: number, depth: number) {
  const items: HclExpression[] = [];
  let at = skipSpace(text, start + 1);
  // A `for` expression computes its items.
  if (/^for[ \t]/.test(text.slice(at, at + 4))) return { range: { start, end: skipBrackets(text, start) }, items };
  while (at < text.length && !'])}'.includes(text[at]!)) {
    const item = readExpression(text, at, depth);
    items.push(item);
    at = skipSpace(text, item.range.end);
    while (text[at] === ',' || text.startsWith('...', at)) at = skipSpace(text, at + (text[at] === ',' ? 1 : 3));
  }
  return { range: { start, end: Math.min(at + 1, text.length) }, items };
}

function readObject(text: string, start: number, depth: number): HclExpression {
  const entries: HclEntry[] = [];
  let at = skipSpace(text, start + 1);
  if (/^for[ \t]/.test(text.slice(at, at + 4)))
    return { kind: 'other', range: { start, end: skipBrackets(text, start) } };
  while (at < text.length && text[at] !== '}') {
    const key = readKey(text, at);
    const equals = skipSpace(text, key.range.end, true);
    if (text[equals] !== '=' && text[equals] !== ':')
      return { kind: 'other', range: { start, end: skipBrackets(text, start) } };
    const value = readExpression(text, skipSpace(text, equals + 1), depth);
    entries.push({ key: key.name, keyRange: key.range, equals, value });
    at = skipSpace(text, value.range.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { kind: 'object', range: { start, end: Math.min(at + 1, text.length) }, entries };
}

function readKey(text: string, at: number): { readonly name: string | undefined; readonly range: Range } {
  const name = nameAt(text, at);
  if (name !== undefined) return { name, range: { start: at, end: at + name.length } };
  if (text[at] === '"') {
    const end = skipString(text, at);
    const isPlain = !/[\\$%]/.test(text.slice(at + 1, end - 1));
    return { name: isPlain ? text.slice(at + 1, end - 1) : undefined, range: { start: at, end } };
  }
  const end =
    text[at] === '('
      ? skipBrackets(text, at)
      : Math.min(text.indexOf('=', at) < 0 ? endOfLine(text, at) : text.indexOf('=', at), endOfLine(text, at));
  return { name: undefined, range: { start: at, end } };
}

/** Returns the offset after white space and comments; without line breaks if `isInLine`. */
function skipSpace(text: string, from: number, isInLine = false): number {
  let at = from;
  while (at < text.length) {
    const rest = text[at]!;
    if (rest === ' ' || rest === '\t' || rest === '\r' || (rest === '\n' && !isInLine)) at += 1;
    else if (rest === '#' || text.startsWith('//', at)) at = endOfLine(text, at);
    else if (text.startsWith('/*', at)) at = endAfter(text, '*/', at + 2);
    else break;
  }
  return at;
}

/** Returns the offset of the line break at or after an offset, or the end of the text. */
function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** Returns the offset after a quoted string that begins at `from`; strings end on their line, apart from templates in them. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') return at + 1;
    if (character === '\n') return at;
    if (character === '\\') at += 2;
    else if (isTemplate(text, at)) at = skipTemplate(text, at);
    else if (isEscapedTemplate(text, at)) at += 3;
    else at += 1;
  }
  return text.length;
}

/** Returns true if `${` or `%{` begins a template at the offset. */
function isTemplate(text: string, at: number): boolean {
  return (text[at] === '$' || text[at] === '%') && text[at + 1] === '{';
}

/** Returns true for `$${` and `%%{`, which stand for `${` and `%{`. */
function isEscapedTemplate(text: string, at: number): boolean {
  return isTemplate(text, at + 1) && text[at] === text[at + 1];
}

/** Returns the offset after a template that begins at `from`, such as `${var.name}`. */
function skipTemplate(text: string, from: number): number {
  return skipBrackets(text, from + 1);
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Returns the offset after the bracket that closes the one at `from`. */
function skipBrackets(text: string, from: number): number {
  const open: string[] = [];
  let at = from;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') at = skipString(text, at);
    else if (character === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) at = skipSpace(text, at);
    else {
      at += 1;
      if (Object.hasOwn(CLOSING, character)) open.push(CLOSING[character]!);
      else if (character === open.at(-1) && open.length === 1) return at;
      else if (character === open.at(-1)) open.pop();
    }
  }
  return text.length;
}

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
interface Heredoc extends TemplateText {
  /** After the final marker. */
  readonly end: number;
}

const HEREDOC = /<<(-?)([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\r?\n/uy;

/** Reads the heredoc at an offset; undefined if there is none. `<<-` removes the indentation that all lines have. */
function readHeredoc(source: string, start: number): Heredoc | undefined {
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
