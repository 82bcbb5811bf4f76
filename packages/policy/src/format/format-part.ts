import type { Range, TextEdit } from '@tollgate/diagnostics';
import { attachComments } from './print/attach-comments.ts';
import { printJson } from './print/print-json.ts';
import { printPart, type YamlPrinting } from './print/print-yaml.ts';
import type { SyntaxPart } from './syntax/find-part.ts';
import type { SourceLines } from './syntax/source-lines.ts';
import {
  isCollection,
  type Slot,
  type SyntaxCollection,
  type SyntaxDocument,
  type SyntaxNode,
} from './syntax/syntax-tree.ts';

/** A part of a document to format in place. */
interface PartFormatting extends Omit<YamlPrinting, 'comments'> {
  readonly lines: SourceLines;
  readonly document: SyntaxDocument;
  readonly part: SyntaxPart;
  /** Whether to remove the empty lines after the part: a block string at its end would include them. */
  readonly dropsBlanks: boolean;
}

/** Returns the edit that formats a part of a JSON document. */
export function formatJsonPart({ lines, part, ...printing }: PartFormatting): TextEdit {
  const { start, end } = part.node;
  const column = lines.columnOf(start);
  const pad = /^[ \t]*/.exec(lines.text.slice(start - column))![0];
  return { range: { start, end }, newText: printJson(part.node, printing, { pad, column }) };
}

/**
 * Returns the edit that formats a part of a YAML document, keeping its column and everything around it. Undefined if
 * that is impossible: the part is inside brackets, or something follows its brackets on the line.
 */
export function formatYamlPart(formatting: PartFormatting): TextEdit | undefined {
  const { lines, document, part, ...shared } = formatting;
  const { node, owners } = part;
  const printing = { ...shared, comments: attachComments(lines, document) };
  if (!isCollection(node) || node.slots.length === 0)
    return { range: { start: node.start, end: node.start }, newText: '' };
  if (owners.some(owner => owner.isFlow)) return undefined;
  if (node.isFlow) return openBrackets(node, owners.at(-1), lines, printing);
  const column = lines.columnOf(node.start);
  const printed = printPart(node, column, printing);
  const last = endOf(node, lines.text, printing);
  const end = shared.dropsBlanks ? last + blanksAt(lines.text, last) : last;
  const lastBreak = lines.text[end - 1] === '\n' ? '\n' : '';
  return { range: { start: node.start, end }, newText: printed.join('\n').slice(column) + lastBreak };
}

/** Returns the lines of a bracketed collection in block style, below its key or after its dash. */
function openBrackets(
  node: SyntaxCollection,
  owner: SyntaxCollection | undefined,
  lines: SourceLines,
  printing: YamlPrinting,
): TextEdit | undefined {
  const { text } = lines;
  const lineEnd = text.indexOf('\n', node.end);
  const end = lineEnd < 0 ? text.length : lineEnd;
  if (/[^ \t]/.test(text.slice(node.end, end))) return undefined;
  if (owner?.kind === 'list' && node.anchor === undefined && node.tag === undefined) {
    const column = lines.columnOf(node.start);
    return { range: { start: node.start, end }, newText: printPart(node, column, printing).join('\n').slice(column) };
  }
  const column = owner ? lines.columnOf(owner.start) + 2 : 0;
  const start = endOfVisible(text, node.start);
  const isFirst = start === 0 || text[start] === '\n';
  const range = { start: isFirst ? node.start : start, end };
  return { range, newText: (isFirst ? '' : '\n') + printPart(node, column, printing).join('\n') };
}

/** Returns the end of a part and its comments. Following empty lines count only if they belong to a block string. */
function endOf(node: SyntaxCollection, text: string, { comments }: YamlPrinting): number {
  const keepsLines = /^[|>]\d?\+/.test(lastScalarOf(node));
  const contentEnd = keepsLines ? node.end : endOfVisible(text, node.end);
  let end = contentEnd;
  const include = (found: readonly { readonly start: number; readonly text: string }[] = []) => {
    for (const one of found) end = Math.max(end, one.start + one.text.length);
  };
  const visit = (collection: SyntaxCollection): void => {
    include(comments.feet.get(collection));
    const last: Slot | undefined = collection.slots.at(-1);
    if (last) include(Object.values(comments.slots.get(last) ?? {}).flat());
    if (isCollection(last?.value)) visit(last.value);
  };
  visit(node);
  const spaces = /^[ \t]*(?=\n|$)/.exec(text.slice(end))?.[0].length ?? 0;
  return end > contentEnd || !keepsLines ? end + spaces : end;
}

/** Returns the end of the content before an offset, skipping only what is white space in YAML. */
function endOfVisible(text: string, before: number): number {
  let end = before;
  while (' \t\n'.includes(text[end - 1] ?? '.')) end -= 1;
  return end;
}

/** Returns the length of the line breaks before the next line with content. */
function blanksAt(text: string, from: number): number {
  return /^(?:[ \t]*\n)*/.exec(text.slice(from))![0].length;
}

function lastScalarOf(node: SyntaxNode | undefined): string {
  if (isCollection(node)) return lastScalarOf(node.slots.at(-1)?.value);
  return node?.kind === 'scalar' && node.style !== 'plain' ? node.source : '';
}

/** Returns a function that maps ranges of the normalized text (LF line breaks, no byte order mark) to the original. */
export function originalOffsets(original: string): (range: Range) => Range {
  const mark = original.startsWith('\ufeff') ? 1 : 0;
  /** Offsets, in the normalized text, of line breaks that are CRLF in the original. */
  const long: number[] = [];
  for (const { index } of original.matchAll(/\r\n/g)) long.push(index - long.length - mark);
  const countBefore = (at: number): number => {
    let low = 0;
    for (let high = long.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (long[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const offset = (at: number) => at + mark + countBefore(at);
  return ({ start, end }) => ({ start: offset(start), end: offset(end) });
}
