import { EDGE_V2 } from '@tollgate/catalog';
import { lineStart, type Range, SourceText, singleQuoted, type TextEdit } from '@tollgate/diagnostics';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type YAMLSeq,
} from 'yaml';
import {
  type DocumentNode,
  documentLimits,
  type ListNode,
  type MapEntryNode,
  type MapNode,
  type PlainValue,
  Reporter,
} from './document-node.ts';
import { readDocuments } from './read-document.ts';
import { contentRange, documentRange, type MappedText } from './scalar-text.ts';
import { furthestOn, type PartPath } from './select-part.ts';

/** Returns the edits in document order; at equal starts, insertions come first. */
export function sortEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** Returns the text with all edits applied. They must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { range, newText } of sortEdits(edits)) {
    result += text.slice(at, range.start) + newText;
    at = range.end;
  }
  return result + text.slice(at);
}

/** Maps an offset of the edited text to the original; inside inserted text, to the start of the edit. */
export function offsetBefore(edits: readonly TextEdit[], offset: number): number {
  let shift = 0;
  for (const { range, newText } of sortEdits(edits)) {
    const start = range.start + shift;
    if (offset < start) break;
    if (offset < start + newText.length) return range.start;
    shift += newText.length - (range.end - range.start);
  }
  return offset - shift;
}

type Style = 'plain' | 'single' | 'double' | 'block';

/** Characters that are literal anywhere in a plain scalar. */
const PLAIN_SCALAR = /^[\w.'"()=!<>+*/%&|$^~-]*(?: [\w.'"()=!<>+*/%&|$^~-]+)*$/;
/** A plain scalar must not begin like this. */
const INDICATOR = /^[\s!&*[\]{},#|>@`"'%?:-]/;

/**
 * Converts edits of a string into edits of the document that contains it. Each changed part is written in the style of the
 * scalar; if that is impossible, the whole scalar is rewritten in quotes.
 */
export function editScalar(document: string, text: MappedText, edits: readonly TextEdit[]): readonly TextEdit[] {
  if (edits.length === 0) return [];
  const style = styleOf(document, text);
  const value = applyEdits(text.value, edits);
  const written = edits.map(edit => {
    const newText = encode(edit.newText, style);
    return newText === undefined ? undefined : { range: documentRange(text, edit.range), newText };
  });
  const isWhole = written.includes(undefined) || (style === 'plain' && (INDICATOR.test(value) || value.endsWith(':')));
  if (!isWhole) return written.filter(edit => edit !== undefined);
  return [{ range: rangeOf(document, text, style), newText: quoted(document, text, value) }];
}

/** Returns the edits that replace the string in a scalar of the document. */
export function replaceScalar(document: string, text: MappedText, value: string): readonly TextEdit[] {
  if (value === text.value) return [];
  const style = styleOf(document, text);
  const newText = style === 'block' || (style === 'plain' && INDICATOR.test(value)) ? undefined : encode(value, style);
  if (newText === undefined) return [{ range: text.range, newText: quoted(document, text, value) }];
  return [{ range: contentRange(text), newText }];
}

function styleOf(document: string, { range }: MappedText): Style {
  const first = document[range.start];
  if (first === '"') return 'double';
  if (first === "'") return 'single';
  return first === '|' || first === '>' ? 'block' : 'plain';
}

/** Undefined if the string cannot be written in this style. */
function encode(text: string, style: Style): string | undefined {
  if (style === 'double') return JSON.stringify(text).slice(1, -1);
  if (/[\n\r\t]/.test(text)) return undefined;
  if (style === 'single') return text.replaceAll("'", "''");
  return style === 'block' || PLAIN_SCALAR.test(text) ? text : undefined;
}

/** A block scalar includes its final line break, which the next line needs. */
function rangeOf(document: string, { range }: MappedText, style: Style): TextEdit['range'] {
  const trailing = style === 'block' ? /\s*$/.exec(document.slice(range.start, range.end))![0].length : 0;
  return { start: range.start, end: range.end - trailing };
}

/** JSON has only double quotes; in YAML, single quotes need no escapes. */
function quoted(document: string, text: MappedText, value: string): string {
  const isJson = document[text.range.start] === '"';
  return isJson || /[\n\r\t]/.test(value) ? JSON.stringify(value) : singleQuoted(value);
}

/**
 * Returns an edit that removes each entry from its map, or undefined if that would break the document. Comments are kept,
 * in place or on a line of their own.
 */
export function removeEntries(
  document: string,
  map: MapNode,
  removed: readonly MapEntryNode[],
): readonly (TextEdit | undefined)[] {
  const nodes = { count: map.entries.length, rangeOf: (at: number) => entryRange(document, map.entries[at]!) };
  const indices = removed.map(one => map.entries.indexOf(one));
  const scalars = removed.flatMap(({ keyRange, value }) => [keyRange, ...scalarRanges(value, document)]);
  const place = { document, scalars };
  if (document[map.range.start] === '{') return indices.map(at => removeFromFlow(place, nodes, { at, indices }));
  return indices.map(at => removeLines(place, nodes.rangeOf(at), /^[ \t]*$/));
}

/** Returns an edit that removes each item from its list, like {@link removeEntries}. */
export function removeItems(
  document: string,
  list: ListNode,
  removed: readonly DocumentNode[],
): readonly (TextEdit | undefined)[] {
  const nodes = { count: list.items.length, rangeOf: (at: number) => list.items[at]!.range };
  const indices = removed.map(one => list.items.indexOf(one));
  const place = { document, scalars: removed.flatMap(one => scalarRanges(one, document)) };
  if (document[list.range.start] === '[') return indices.map(at => removeFromFlow(place, nodes, { at, indices }));
  return indices.map(at => removeLines(place, nodes.rangeOf(at), /^[ \t]*-[ \t]+$/));
}

/** A document with the ranges of keys and scalars in what is removed, in which `#` does not begin a comment. */
interface SourceScalars {
  readonly document: string;
  readonly scalars: readonly Range[];
}

/** The entries or items of a node. Their ranges are computed when needed: an edit reads at most three, and there may be thousands. */
interface Nodes {
  readonly count: number;
  readonly rangeOf: (at: number) => Range;
}

/** Returns the range from the key, including its quotes, to the end of the value. */
function entryRange(document: string, { keyRange, value }: MapEntryNode): Range {
  const isQuoted = /["']/.test(document[keyRange.start - 1] ?? '');
  return { start: keyRange.start - (isQuoted ? 1 : 0), end: Math.max(value.range.end, keyRange.end) };
}

/** Removes the following comma too; at the end, starts after the previous item, so that no two edits overlap. */
function removeFromFlow(
  place: SourceScalars,
  { count, rangeOf }: Nodes,
  { at, indices }: { readonly at: number; readonly indices: readonly number[] },
): TextEdit {
  const own = rangeOf(at);
  const isAtEnd = at + 1 === count || isRemovedAfter(at, count, indices);
  if (!isAtEnd) return flowEdit(place, { start: own.start, end: rangeOf(at + 1).start });
  return flowEdit(place, { start: at > 0 ? rangeOf(at - 1).end : own.start, end: own.end });
}

/** Returns true if all nodes from a position on are removed. */
function isRemovedAfter(at: number, length: number, indices: readonly number[]): boolean {
  // Each index is there once, so most answers need no search.
  if (indices.length < length - at) return false;
  const removed = new Set(indices);
  for (let index = at; index < length; index += 1) if (!removed.has(index)) return false;
  return true;
}

/** Keeps the comments of a range, each with its line break, and the indentation of the last line. */
function flowEdit(place: SourceScalars, range: Range): TextEdit {
  const { document } = place;
  const comments = commentsWithin(place, range);
  if (comments.length === 0) return { range, newText: '' };
  const text = document.slice(range.start, range.end);
  const indentation = blanksAt(text, text.lastIndexOf('\n') + 1);
  const lead = /\s/.test(document[range.start - 1]!) ? '' : ' ';
  return { range, newText: lead + comments.map(comment => comment + lineBreakOf(text) + indentation).join('') };
}

/** Removes whole lines, if only what `lead` allows comes before the node. */
function removeLines(place: SourceScalars, range: Range, lead: RegExp): TextEdit | undefined {
  const { document } = place;
  const lineOffset = lineStart(document, range.start);
  const before = document.slice(lineOffset, range.start);
  if (!lead.test(before)) return undefined;
  const contentEnd = range.start + document.slice(range.start, range.end).trimEnd().length;
  const lineEnd = document.indexOf('\n', contentEnd);
  if (!/^:?[ \t]*(?:#.*)?$/.test(document.slice(contentEnd, lineEnd < 0 ? undefined : lineEnd).trimEnd()))
    return undefined;
  const whole = { start: lineOffset, end: lineEnd < 0 ? document.length : lineEnd + 1 };
  const text = document.slice(whole.start, whole.end);
  const indentation = blanksAt(document, lineOffset);
  const kept = commentsWithin(place, whole).map(comment => indentation + comment + lineBreakOf(text));
  return { range: whole, newText: kept.join('') };
}

function blanksAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(at))![0];
}

function commentsWithin({ document, scalars }: SourceScalars, { start, end }: Range): readonly string[] {
  const found = [...document.slice(start, end).matchAll(/(?<![^\s,[\]{}])#[^\r\n]*/g)];
  const isInScalar = (at: number) => scalars.some(one => one.start <= at && at < one.end);
  return found.flatMap(({ 0: comment, index }) => (isInScalar(start + index) ? [] : [comment.trimEnd()]));
}

/** Returns the ranges in which `#` does not begin a comment. After `|` or `>`, the scalar begins on the next line. */
function scalarRanges(node: DocumentNode, document: string): readonly Range[] {
  switch (node.kind) {
    case 'list':
      return node.items.flatMap(one => scalarRanges(one, document));
    case 'map':
      return node.entries.flatMap(({ keyRange, value }) => [keyRange, ...scalarRanges(value, document)]);
    case 'scalar': {
      const isBlock = node.style === 'literal' || node.style === 'folded';
      const start = isBlock ? document.indexOf('\n', node.range.start) : node.range.start;
      return [{ start, end: node.range.end }];
    }
    case 'broken':
      return [];
  }
}

/**
 * Returns a JSON text in which the value at a path is another one. Everything else stays as it is. Missing keys on the way are added, also to an
 * empty text. Undefined if the text has errors, or if a value on the way is neither a map nor null.
 */
export function updateJson(
  given: SourceText,
  { document = 1, steps }: PartPath,
  value: PlainValue,
): string | undefined {
  const source = given.text.trim() === '' ? new SourceText(given.uri, '{}\n') : given;
  const reporter = new Reporter(source.uri, 1);
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const root = documents[document - 1];
  if (!root || !reporter.isEmpty) return undefined;
  const { node, taken } = furthestOn(root, steps);
  const { text } = source;
  const unit = indentUnit(text, root);
  if (taken === steps.length) return replaced(text, node.range, indented(text, { at: node.range.start, unit }, value));
  const [key, ...rest] = steps.slice(taken);
  const isNothing = node.kind === 'scalar' && node.value === null;
  if (key === undefined || (node.kind !== 'map' && !isNothing)) return undefined;
  const member = rest.reduceRight<PlainValue>((inner, step) => ({ [step]: inner }), value);
  const entries = node.kind === 'map' ? node.entries : [];
  return withMember(text, { range: node.range, entries }, { key, member, unit });
}

function withMember(
  text: string,
  { entries, range }: Pick<MapNode, 'entries' | 'range'>,
  { key, member, unit }: { readonly key: string; readonly member: PlainValue; readonly unit: string },
): string {
  const last = entries.at(-1);
  if (!last) return replaced(text, range, indented(text, { at: range.start, unit }, { [key]: member }));
  const place = { at: last.keyRange.start, unit };
  const isOnItsOwnLine = text.slice(range.start, entries[0]!.keyRange.start).includes('\n');
  const separator = isOnItsOwnLine ? `${lineBreakOf(text)}${indentationAt(text, place.at)}` : ' ';
  const entry = `,${separator}${JSON.stringify(key)}: ${indented(text, place, member)}`;
  const at = last.value.range.end;
  return replaced(text, { start: at, end: at }, entry);
}

function replaced(text: string, { start, end }: { readonly start: number; readonly end: number }, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Returns JSON whose lines are indented like the one where it begins. */
function indented(
  text: string,
  { at, unit }: { readonly at: number; readonly unit: string },
  value: PlainValue,
): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineBreakOf(text)}${indentationAt(text, at)}`);
}

function indentationAt(text: string, at: number): string {
  const line = text.slice(lineStart(text, at), at);
  return line.slice(0, line.length - line.trimStart().length);
}

/** Returns the indentation of the first member. */
function indentUnit(text: string, root: DocumentNode): string {
  const first = root.kind === 'map' ? root.entries[0] : undefined;
  return (first && indentationAt(text, first.keyRange.start - 1)) || '  ';
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * Returns a YAML text in which the value at a path is another one. Comments stay with the parts that they belong to: items of lists are
 * recognized by their contents, their `name` or their `type`. Missing maps on the way are added. Undefined if the text has errors,
 * or if a value on the way is neither a map nor null.
 */
export function updateYaml(
  text: string,
  { document: number = 1, steps }: PartPath,
  value: PlainValue,
): string | undefined {
  const parsed = documentsIn(text);
  const documents = parsed.length > 0 ? parsed : documentsIn(`${text}{}`);
  const document = documents[number - 1];
  if (!document || documents.some(({ errors }) => errors.length > 0)) return undefined;
  if (!makeWay(document, steps)) return undefined;
  const old = document.getIn(steps, true) as Node | undefined;
  const updated = merged(document, old, value);
  if (steps.length === 0) document.contents = updated as typeof document.contents;
  else document.setIn(steps, updated);
  if (isMap(document.contents)) document.contents.flow = false;
  return documents.map(one => one.toString({ lineWidth: 0 })).join('');
}

/** A text with nothing but comments has no documents. */
function documentsIn(text: string): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(text, { keepSourceTokens: false });
  return Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
}

/** Replaces a null on the way by a map. Returns false if another value is in the way. */
function makeWay(document: Document.Parsed, steps: readonly string[]): boolean {
  for (const [taken, step] of steps.entries()) {
    const way = steps.slice(0, taken);
    const node = document.getIn(way, true);
    if (node === undefined || node === null) return true;
    if (isScalar(node) && node.value === null) {
      const map = withComments(document.createNode({}) as Node, node as Node);
      if (taken === 0) document.contents = map as typeof document.contents;
      else document.setIn(way, map);
      return true;
    }
    if (!isMap(node) && !(isSeq(node) && /^\d+$/.test(step) && Number(step) < node.items.length)) return false;
  }
  return true;
}

type Tree = Pick<Document, 'createNode'>;

function merged(tree: Tree, node: Node | undefined, value: PlainValue): Node {
  if (node === undefined || isAlias(node)) return tree.createNode(value) as Node;
  if (Array.isArray(value) && isSeq(node)) {
    moveFirstComment(node);
    const items = matchedItems(node.items as Node[], value);
    node.items = value.map((item, index) => merged(tree, items[index], item));
    return node;
  }
  if (isPlainMap(value) && isMap(node)) {
    const pairs = node.items as Pair<Node, Node>[];
    node.items = pairs.filter(({ key }) => Object.hasOwn(value, keyOf(key)));
    for (const [key, part] of Object.entries(value))
      node.set(key, merged(tree, node.get(key, true) as Node | undefined, part));
    return node;
  }
  if (!isScalar(node) || isPlainMap(value) || Array.isArray(value))
    return withComments(tree.createNode(value) as Node, node);
  if (node.value !== value) {
    if (typeof node.value !== typeof value) delete node.type;
    delete node.source;
    node.value = value;
  }
  return node;
}

/** The library attaches the comment before the first item to the list. */
function moveFirstComment(list: YAMLSeq): void {
  const [first] = list.items as Node[];
  if (list.flow || !first || first.commentBefore || !list.commentBefore) return;
  first.commentBefore = list.commentBefore;
  delete list.commentBefore;
}

function keyOf(key: Node): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function isPlainMap(value: PlainValue): value is { readonly [key: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withComments(node: Node, { commentBefore, comment, spaceBefore }: Node): Node {
  return Object.assign(node, { commentBefore, comment, spaceBefore });
}

/** Returns for each value the item that it probably was: an equal one, or else one of the same name or type. */
function matchedItems(items: readonly Node[], values: readonly PlainValue[]): readonly (Node | undefined)[] {
  const left = new Set(items);
  const found: (Node | undefined)[] = values.map(() => undefined);
  const match = (isSame: (item: unknown, value: PlainValue) => boolean) => {
    for (const [index, value] of values.entries()) {
      const item = found[index] ?? [...left].find(one => isSame(one.toJSON(), value));
      found[index] = item;
      if (item) left.delete(item);
    }
  };
  match((item, value) => JSON.stringify(item) === JSON.stringify(value));
  for (const key of ['name', 'type']) {
    match((item, value) => stringAt(item, key) !== undefined && stringAt(item, key) === stringAt(value, key));
  }
  return found;
}

function stringAt(value: unknown, key: string): string | undefined {
  const part =
    typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(key) : undefined;
  return typeof part === 'string' ? part : undefined;
}
