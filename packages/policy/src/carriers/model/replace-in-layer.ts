import { lineStart, type TextEdit } from '@tollgate/diagnostics';
import { documentRange, type MappedText } from '../../document/model/mapped-text.ts';
import { isPlainString, isUnprintable } from '../../document/scalars/scalar-style.ts';
import { applyEdits } from '../../edits/apply-edits.ts';
import { withPlaceholders } from '../placeholders/stand-in.ts';
import { changedRegions, type Region } from './changed-regions.ts';
import type { TextLayer, TextStyle } from './embedded-policy.ts';

/** Returns the edit of the outer text that turns the inner text into `wanted`; undefined if its style cannot express that. */
export function replaceInLayer(layer: TextLayer, wanted: string): TextEdit | undefined {
  const text = withSameEnd(layer, wanted);
  const { start } = layer.text.range;
  if (text === layer.text.value) return { range: { start, end: start }, newText: '' };
  return LINE_STYLES.has(layer.style) ? replaceLines(layer, text) : replaceCharacters(layer, text);
}

const LINE_STYLES: ReadonlySet<TextStyle> = new Set(['literal', 'fence', 'heredoc']);

/** The line breaks at the end are given by the notation around the text, such as the chomping indicator of a block scalar. */
function withSameEnd({ text: { value } }: TextLayer, wanted: string): string {
  const end = /\n*$/.exec(value)![0];
  return wanted.replace(/\n*$/, '') + end;
}

function replaceLines(layer: TextLayer, wanted: string): TextEdit | undefined {
  const { text, outer, style } = layer;
  const [old, lines] = [text.value.split('\n'), wanted.split('\n')];
  const { head, tail } = commonEnds(old, lines);
  // At least one line replaces another, so that line breaks and indentation are replaced with their lines.
  const isRemoved = head === lines.length - tail;
  const from = Math.max(Math.min(head, old.length - 1) - (isRemoved ? 1 : 0), 0);
  const to = Math.min(Math.max(old.length - tail, from + 1) + (isRemoved && head === 0 ? 1 : 0), old.length);
  const added = lines.slice(from, lines.length - (old.length - to));
  if (added.some(line => isUnprintable(line) || line.includes('\r'))) return undefined;
  const start = lengthOf(old.slice(0, from));
  const end = start + old.slice(from, to).join('\n').length;
  const prefix = prefixOf(layer);
  const lineBreak = /\r?\n/.exec(outer)?.[0] ?? '\n';
  const encoded = style === 'heredoc' ? added.map(line => withOriginals(layer, escapeTemplate(line))) : added;
  const [first = '', ...others] = encoded;
  // The first line keeps its own indentation; an empty one may have less.
  const range = lineRange(layer, start, end);
  const isIndented = outer.slice(lineStart(outer, range.start), range.start) === prefix;
  const opened = isIndented || first === '' ? first : prefix + first;
  const beginning = isIndented || first === '' ? range.start : lineStart(outer, range.start);
  const rest = others.map(line => lineBreak + (line === '' ? prefix.trimEnd() : prefix + line));
  return { range: { start: beginning, end: range.end }, newText: opened + rest.join('') };
}

function commonEnds(old: readonly string[], lines: readonly string[]) {
  const most = Math.min(old.length, lines.length);
  let head = 0;
  while (head < most && old[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  return { head, tail };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The range of whole lines. That of empty lines is at the end of what little the outer text has there. */
function lineRange({ text, outer }: TextLayer, start: number, end: number) {
  if (start < end) {
    const range = documentRange(text, { start, end });
    // A range that ends with empty lines ends with their line breaks and the indentation of the next line.
    return text.value[end - 1] === '\n' ? { start: range.start, end: outer.lastIndexOf('\n', range.end) } : range;
  }
  const at = start < text.value.length ? documentRange(text, { start, end: start + 1 }).start : text.range.end;
  return { start: at, end: at };
}

/** Returns what precedes the first line that has content: its indentation, or the marks of a block quote. */
function prefixOf({ text, outer }: TextLayer): string {
  const first = text.value.search(/[^\n]/);
  if (first < 0) return '';
  const { start } = documentRange(text, { start: first, end: first + 1 });
  return outer.slice(lineStart(outer, start), start);
}

function replaceCharacters(layer: TextLayer, wanted: string): TextEdit | undefined {
  const edits: TextEdit[] = [];
  for (const region of changedRegions(layer.text.value, wanted)) {
    const edit = replaceRegion(layer, region);
    if (!edit) return undefined;
    edits.push(edit);
  }
  const [start, end] = [edits[0]!.range.start, edits.at(-1)!.range.end];
  const shifted = edits.map(({ range, newText }) => ({
    range: { start: range.start - start, end: range.end - start },
    newText,
  }));
  return { range: { start, end }, newText: applyEdits(layer.outer.slice(start, end), shifted) };
}

function replaceRegion(layer: TextLayer, { start, end, added: wanted }: Region): TextEdit | undefined {
  const { text, outer } = layer;
  const { value } = text;
  // A character with an escape, or a stand-in, is replaced as a whole.
  const from = outsidePiece(text, start).from;
  const to = outsidePiece(text, end).to;
  const removed = value.slice(from, to);
  const added = encode(layer, value.slice(from, start) + wanted + value.slice(end, to), removed);
  if (added === undefined) return undefined;
  if (removed === '') {
    const at = from < value.length ? documentRange(text, { start: from, end: from + 1 }).start : endOf(layer);
    return { range: { start: at, end: at }, newText: added };
  }
  const range = documentRange(text, { start: from, end: to });
  const mayChange = !layer.placeholders || isShown(layer, { removed, added }, outer.slice(range.start, range.end));
  return mayChange ? { range, newText: added } : undefined;
}

/** Returns false if the outer text has what the inner text does not show, such as a control structure of a template. It must not get lost. */
function isShown(
  layer: TextLayer,
  { removed, added }: { readonly removed: string; readonly added: string },
  outer: string,
): boolean {
  if (layer.style === 'hcl-object') return added === '' || !outer.includes('/*');
  return encode(layer, removed, removed) === outer;
}

/** Returns the bounds of the piece that an offset is inside of, or the offset itself. */
function outsidePiece({ pieces }: MappedText, offset: number): { readonly from: number; readonly to: number } {
  const inside = pieces.find(
    ({ from, to, range }) => from < offset && offset < to && to - from !== range.end - range.start,
  );
  return inside ?? { from: offset, to: offset };
}

function endOf({ text }: TextLayer): number {
  return text.pieces.at(-1)?.range.end ?? text.range.end;
}

/** Encodes characters that replace others; undefined if the style has no notation for them. */
function encode(layer: TextLayer, added: string, removed: string): string | undefined {
  switch (layer.style) {
    case 'double':
      return JSON.stringify(added).slice(1, -1);
    case 'hcl-string':
      return withOriginals(layer, escapeTemplate(JSON.stringify(added).slice(1, -1)));
    case 'hcl-object':
      return withOriginals(layer, escapeTemplate(added));
    case 'template':
      return withPlaceholders(added, 't', layer.placeholders ?? []);
    case 'single':
      return isOneLine(added) && isOneLine(removed) ? added.replaceAll("'", "''") : undefined;
    case 'plain':
    case 'folded':
      return isOneLine(added) && isOneLine(removed) && (added === '' || isPlainString(`a${added}a`))
        ? added
        : undefined;
    case 'literal':
    case 'fence':
    case 'heredoc':
      return undefined;
  }
}

function isOneLine(text: string): boolean {
  return !text.includes('\n') && !isUnprintable(text);
}

function withOriginals({ placeholders = [] }: TextLayer, text: string): string {
  return withPlaceholders(text, 'h', placeholders);
}

/** Terraform reads `${` and `%{` in strings as templates. */
function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, '$&$&');
}
