// Documents that are indented by tabs. YAML forbids them, and after one the YAML library cannot tell which lines belong together. So such
// a document is read once more with spaces instead, and what is found there is placed in the document as it is written.

import type { Fix, Range, TextEdit } from '@tollgate/diagnostics';
import type { DocumentNode, Finding, Reporter } from './document-node.ts';
import { documentRange, type MappedText, PieceCollector } from './scalar-text.ts';

/** A document with spaces instead of the tabs that indent its lines. */
export interface WithoutTabs {
  /** The text with spaces, with the range of each part in the document. */
  readonly text: MappedText;
  readonly finding: Finding;
  /** How many columns these lines are then from the lines before them, in all. */
  readonly jumps: number;
}

/** Widths of a tab, the most probable first. */
export const TAB_WIDTHS: readonly number[] = [4, 2, 8];

/** Returns a document with its tabs expanded to columns that are multiples of `width`; undefined if no line is indented by a tab. */
export function withoutTabs(document: string, width: number): WithoutTabs | undefined {
  const collector = new PieceCollector();
  const edits: TextEdit[] = [];
  let copied = 0;
  let jumps = 0;
  let last = { end: 0, column: 0 };
  for (const { start, end } of tabIndents(document)) {
    let column = 0;
    for (let at = start; at < end; at += 1) column += document[at] === '\t' ? width - (column % width) : 1;
    const newText = ' '.repeat(column);
    collector.add(document.slice(copied, start), copied, start);
    collector.add(newText, start, end);
    edits.push({ range: { start, end }, newText });
    copied = end;
    jumps += Math.abs(column - columnBefore(document.slice(last.end, start), last.column));
    last = { end, column };
  }
  const [first] = edits;
  if (!first) return undefined;
  collector.add(document.slice(copied), copied, document.length);
  const text = { value: collector.text, pieces: collector.pieces, range: { start: 0, end: document.length } };
  return { text, finding: tabFinding(document, first.range, edits), jumps };
}

/** Returns the column of the last line that is not blank; the first line starts in `first`. */
function columnBefore(text: string, first: number): number {
  const lines = text.trimEnd();
  const start = lines.lastIndexOf('\n') + 1;
  return start === 0 ? first : /^ */.exec(lines.slice(start))![0].length;
}

/** Only the first is shown: all have the same cause. */
function tabFinding(document: string, { start, end }: Range, edits: readonly TextEdit[]): Finding {
  const count = edits.length;
  const tab = document.indexOf('\t', start);
  const what =
    count === 1
      ? 'tab used for indentation; use spaces'
      : `${count} lines are indented by tabs, this one first; use spaces`;
  const fix: Fix = { title: 'indent by spaces', applicability: 'suggestion', edits };
  return { code: 'yaml/tab-as-indent', message: what, range: { start: tab, end }, args: { count }, fixes: [fix] };
}

/** Finds the white space in front of lines if it contains a tab. Tabs in the content of a block scalar belong to its string. */
function tabIndents(document: string): readonly Range[] {
  const found: Range[] = [];
  let block: Block | undefined;
  for (const { index, 0: line } of document.matchAll(/[^\n]*(?:\n|$)/g)) {
    const indent = /^[ \t]*/.exec(line)![0];
    if (line.trim() === '') continue;
    if (block && continues(block, indent)) {
      block = { ...block, column: block.column ?? indent.length };
      continue;
    }
    block = BLOCK_HEADER.test(line.trimEnd()) ? { parent: indent, column: undefined } : undefined;
    if (indent.includes('\t')) found.push({ start: index, end: index + indent.length });
  }
  return found;
}

/** A block scalar: the indentation of the line that begins it, and the column of its content. */
interface Block {
  readonly parent: string;
  readonly column: number | undefined;
}

const BLOCK_HEADER = /(?:^| )[|>][-+\d]{0,2}(?: +#[^\n]*)?$/;

function continues({ parent, column }: Block, indent: string): boolean {
  const spaces = /^ */.exec(indent)![0].length;
  return column === undefined ? !indent.includes('\t') && spaces > parent.length : spaces >= column;
}

/** Reports findings about the text with spaces where they are in the document. */
export function reportPlaced({ text }: WithoutTabs, found: Reporter['found'], reporter: Reporter): void {
  for (const { related, fixes, ...diagnostic } of found) {
    reporter.take({
      ...diagnostic,
      range: documentRange(text, diagnostic.range),
      ...(related && { related: related.map(one => ({ ...one, range: documentRange(text, one.range) })) }),
      ...(fixes && { fixes: fixes.map(fix => ({ ...fix, edits: fix.edits.map(edit => placedEdit(text, edit)) })) }),
    });
  }
}

function placedEdit(text: MappedText, { range, newText }: TextEdit): TextEdit {
  return { range: documentRange(text, range), newText };
}

/** Returns a node of the text with spaces as one of the document. A node with several parents stays one node. */
export function placedNode({ text }: WithoutTabs, root: DocumentNode): DocumentNode {
  const placed = new Map<DocumentNode, DocumentNode>();
  const place = (range: Range) => documentRange(text, range);
  const convert = (node: DocumentNode): DocumentNode => {
    const known = placed.get(node);
    if (known) return known;
    const converted = convertOne(node);
    placed.set(node, converted);
    return converted;
  };
  const convertOne = (node: DocumentNode): DocumentNode => {
    const range = place(node.range);
    switch (node.kind) {
      case 'broken':
        return { ...node, range };
      case 'list':
        return { ...node, range, items: node.items.map(convert) };
      case 'map':
        return {
          ...node,
          range,
          entries: node.entries.map(entry => ({
            ...entry,
            keyRange: place(entry.keyRange),
            value: convert(entry.value),
          })),
        };
      case 'scalar':
        return { ...node, range, text: node.text && placedText(node.text, place) };
    }
  };
  return convert(root);
}

function placedText(text: MappedText, place: (range: Range) => Range): MappedText {
  const pieces = text.pieces.map(piece => ({ ...piece, range: place(piece.range) }));
  return { ...text, pieces, range: place(text.range) };
}
