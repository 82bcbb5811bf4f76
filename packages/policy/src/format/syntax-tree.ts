import { InternalError, type Range } from '@tollgate/diagnostics';
import { CST, Parser } from 'yaml';
import type { DocumentNode, ListNode, MapEntryNode, MapNode, ScalarNode } from '../document/document-node.ts';
import { readFastPath } from '../document/read-subset.ts';
import type { PartPath } from '../document/select-part.ts';

/** A value as written, without following aliases. Offsets are relative to the text that was read. */
export type SyntaxNode = SyntaxScalar | SyntaxAlias | SyntaxCollection;

interface Placed {
  readonly start: number;
  readonly end: number;
}

/** What may precede a value. */
interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

export interface SyntaxScalar extends Placed, Properties {
  readonly kind: 'scalar';
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  /** Decoded, without quotes. */
  readonly value: string;
  readonly source: string;
}

export interface SyntaxAlias extends Placed {
  readonly kind: 'alias';
  readonly name: string;
}

/** A map or list. */
export interface SyntaxCollection extends Placed, Properties {
  readonly kind: 'map' | 'list';
  /** Whether it is in brackets. */
  readonly isFlow: boolean;
  readonly slots: readonly Slot[];
}

/** An entry of a map or item of a list. */
export interface Slot extends Placed {
  /** Undefined in lists. */
  readonly key: SyntaxScalar | undefined;
  /** Undefined if omitted. */
  readonly value: SyntaxNode | undefined;
  readonly hasBlankBefore: boolean;
}

export interface Comment {
  readonly start: number;
  /** Includes the `#`. */
  readonly text: string;
  /** Whether it is alone on its line. */
  readonly isOwnLine: boolean;
  readonly hasBlankBefore: boolean;
}

/** A document of a file. */
export interface SyntaxDocument {
  /** Such as `%YAML 1.2`. */
  readonly directives: readonly string[];
  /** Offset of `---`, if present. */
  readonly marker: number | undefined;
  readonly root: SyntaxNode | undefined;
  /** In document order. */
  readonly comments: readonly Comment[];
}

export function isCollection(node: SyntaxNode | undefined): node is SyntaxCollection {
  return node?.kind === 'map' || node?.kind === 'list';
}

/** Depth is bounded because nesting is read recursively; deeper documents take the slower way. */
const LIMITS = { maxDocumentDepth: 200, maxDocumentNodes: Number.POSITIVE_INFINITY };

/** Reads the documents of a text that has no errors and only LF line breaks. */
export function readSyntax(lines: SourceLines): readonly SyntaxDocument[] {
  const plain = readFastPath(lines.text, LIMITS);
  return plain ? [convertNodes(lines, plain)] : readTokens(lines);
}

/** Reads documents of any kind with the YAML library. */
export function readTokens(lines: SourceLines): readonly SyntaxDocument[] {
  const documents: SyntaxDocument[] = [];
  let before: CST.Token[] = [];
  for (const token of new Parser().parse(lines.text)) {
    before.push(token);
    if (token.type !== 'document') continue;
    documents.push(readDocument(lines, token, before));
    before = [];
  }
  const comments = commentsOf(lines, before);
  const last = documents.pop() ?? { directives: [], marker: undefined, root: undefined, comments: [] };
  return [...documents, { ...last, comments: [...last.comments, ...comments] }];
}

/** @param tokens the document and everything between it and the previous one */
function readDocument(lines: SourceLines, document: CST.Document, tokens: readonly CST.Token[]): SyntaxDocument {
  const directives = tokens.flatMap(token => (token.type === 'directive' ? [token.source.trimEnd()] : []));
  const marker = document.start.find(token => token.type === 'doc-start')?.offset;
  const root = document.value && readNode(lines, document.value, document.start);
  return { directives, marker, root, comments: commentsOf(lines, tokens) };
}

/** @param before the tokens before the value, which may include its anchor and tag */
function readNode(lines: SourceLines, token: CST.Token, before: readonly CST.SourceToken[]): SyntaxNode {
  const anchor = before.find(one => one.type === 'anchor')?.source;
  const properties = { anchor: anchor?.slice(1), tag: before.find(one => one.type === 'tag')?.source };
  switch (token.type) {
    case 'alias': {
      const { offset, source } = token;
      return { kind: 'alias', name: source.slice(1), start: offset, end: offset + source.length };
    }
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar':
      return { ...readScalar(lines, token), ...properties };
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      return { ...readCollection(lines, token), ...properties };
    default:
      throw new InternalError(`a ${token.type} is not a value`);
  }
}

const STYLES = { scalar: 'plain', 'single-quoted-scalar': 'single', 'double-quoted-scalar': 'double' } as const;

function readScalar(lines: SourceLines, token: CST.FlowScalar | CST.BlockScalar): SyntaxScalar {
  // It takes every scalar for one inside a collection, and so rejects a block at the margin, which a whole document may be.
  const resolved = CST.resolveAsScalar(token, true, () => {});
  if (!resolved || token.type === 'alias') throw new InternalError(`a ${token.type} is not a scalar`);
  const isBlock = token.type === 'block-scalar';
  const start = isBlock ? (token.props.find(one => one.type === 'block-scalar-header')?.offset ?? 0) : token.offset;
  const length = isBlock ? CST.stringify(token).length - (start - token.props[0]!.offset) : token.source.length;
  const style = isBlock ? (lines.text[start] === '|' ? 'literal' : 'folded') : STYLES[token.type];
  const common = { anchor: undefined, tag: undefined, start, end: start + length };
  return { kind: 'scalar', style, value: resolved.value, source: lines.text.slice(start, start + length), ...common };
}

function readCollection(
  lines: SourceLines,
  token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection,
): SyntaxCollection {
  const isFlow = token.type === 'flow-collection';
  const isMap = isFlow ? token.start.type === 'flow-map-start' : token.type === 'block-map';
  const slots = token.items.flatMap((item: CST.CollectionItem) => readSlot(lines, item, isMap) ?? []);
  const close = isFlow ? token.end.find(one => one.type.startsWith('flow-')) : undefined;
  const start = isFlow ? token.start.offset : (slots[0]?.start ?? token.offset);
  const end = close ? close.offset + 1 : (slots.at(-1)?.end ?? start);
  return { kind: isMap ? 'map' : 'list', isFlow, slots, anchor: undefined, tag: undefined, start, end };
}

/** Undefined for what follows the last item: comments, and in brackets a comma. */
function readSlot(lines: SourceLines, item: CST.CollectionItem, isMap: boolean): Slot | undefined {
  const { start, key, sep, value } = item;
  const first = start.find(token => SLOT_STARTS.has(token.type));
  if (!first && key === undefined && value === undefined) return undefined;
  if (!isMap && sep) return readPairInList(lines, item);
  const keyNode = isMap ? readKey(lines, item) : undefined;
  const valueNode = value && readNode(lines, value, sep ?? start);
  const indicator = (sep ?? start).findLast(token => token.type !== 'space' && VISIBLE.has(token.type));
  const from = first?.offset ?? keyNode?.start ?? valueNode?.start ?? indicator?.offset ?? 0;
  const indicatorEnd = indicator ? indicator.offset + indicator.source.length : from;
  const end = Math.max(valueNode?.end ?? 0, keyNode?.end ?? 0, indicatorEnd);
  return { key: keyNode, value: valueNode, start: from, end, hasBlankBefore: lines.hasBlankBefore(from) };
}

const SLOT_STARTS: ReadonlySet<string> = new Set(['seq-item-ind', 'explicit-key-ind', 'anchor', 'tag']);
const VISIBLE: ReadonlySet<string> = new Set([...SLOT_STARTS, 'map-value-ind']);

function readKey(lines: SourceLines, { key, start: before, sep = [] }: CST.CollectionItem): SyntaxScalar {
  if (!key) {
    const colon = sep.find(token => token.type === 'map-value-ind') ?? before.at(-1);
    const offset = colon?.offset ?? 0;
    const nothing = { value: '', source: '', anchor: undefined, tag: undefined, start: offset, end: offset };
    return { kind: 'scalar', style: 'plain', ...nothing };
  }
  const node = readNode(lines, key, before);
  if (node.kind !== 'scalar') throw new InternalError('a key is not a scalar');
  return node;
}

/** `[a: b]` is a list of one map. */
function readPairInList(lines: SourceLines, item: CST.CollectionItem): Slot | undefined {
  const slot = readSlot(lines, item, true);
  if (!slot) return undefined;
  const properties = { anchor: undefined, tag: undefined, start: slot.start, end: slot.end };
  return { ...slot, key: undefined, value: { kind: 'map', isFlow: true, slots: [slot], ...properties } };
}

function commentsOf(lines: SourceLines, tokens: readonly CST.Token[]): readonly Comment[] {
  const found: Comment[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value !== 'object' || value === null) return;
    else if (isComment(value)) found.push(commentAt(lines, value.offset, value.source));
    else Object.values(value).forEach(visit);
  };
  visit(tokens);
  return found.sort((a, b) => a.start - b.start);
}

function isComment(value: object): value is CST.SourceToken {
  return 'type' in value && value.type === 'comment';
}

/** A document without anchors, tags and merged maps, as `readFastPath` reads it. */
interface PlainDocument {
  readonly root: DocumentNode;
  readonly comments: readonly Range[];
}

/** Returns the syntax of a document whose values are known already. */
export function convertNodes(lines: SourceLines, { root, comments }: PlainDocument): SyntaxDocument {
  return {
    directives: [],
    marker: undefined,
    root: convert(lines, root),
    comments: comments.map(({ start, end }) => commentAt(lines, start, lines.text.slice(start, end))),
  };
}

/** Returns a comment with its place. */
function commentAt(lines: SourceLines, start: number, source: string): Comment {
  const before = lines.text.slice(start - lines.columnOf(start), start);
  const isOwnLine = /^\ufeff?[ \t]*$/.test(before);
  return { start, text: source.trimEnd(), isOwnLine, hasBlankBefore: lines.hasBlankBefore(start) };
}

const NO_PROPERTIES = { anchor: undefined, tag: undefined };

/** Undefined for an omitted value. */
function convert(lines: SourceLines, node: DocumentNode): SyntaxNode | undefined {
  if (node.kind === 'broken') return undefined;
  if (node.kind === 'scalar') return scalarOf(lines.text, node);
  return node.kind === 'list' ? convertList(lines, node) : convertMap(lines, node);
}

function scalarOf(text: string, { range, style, text: mapped }: ScalarNode): SyntaxScalar | undefined {
  const { start, end } = range;
  if (start === end) return undefined;
  const source = text.slice(start, end);
  return { kind: 'scalar', style, value: mapped?.value ?? source, source, ...NO_PROPERTIES, start, end };
}

function convertList(lines: SourceLines, { range, items }: ListNode): SyntaxCollection {
  const isFlow = lines.text[range.start] === '[';
  const column = lines.columnOf(range.start);
  const slots = items.map(
    (item, index): Slot =>
      isFlow ? flowItem(lines, item) : blockItem(lines, item, index === 0 ? range.start : dashOf(lines, item, column)),
  );
  const end = isFlow ? range.end : slots.at(-1)!.end;
  return { kind: 'list', isFlow, slots, ...NO_PROPERTIES, start: range.start, end };
}

function blockItem(lines: SourceLines, item: DocumentNode, start: number): Slot {
  const value = convert(lines, item);
  return { key: undefined, value, start, end: value?.end ?? start + 1, hasBlankBefore: lines.hasBlankBefore(start) };
}

/** The dash of an item is in the column of the list, on the line of its value or on a line above. */
function dashOf({ text }: SourceLines, { range }: DocumentNode, column: number): number {
  let lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  for (;;) {
    const dash = lineStart + column;
    if (text[dash] === '-' && dash < range.start && isBlank(text, lineStart, dash)) return dash;
    lineStart = text.lastIndexOf('\n', lineStart - 2) + 1;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text[at] !== ' ') return false;
  return true;
}

/** `[a: b]` is a list of one map. */
function flowItem(lines: SourceLines, item: DocumentNode): Slot {
  if (item.kind === 'map' && lines.text[item.range.start] !== '{') {
    const [entry] = item.entries;
    const slot = slotOf(lines, entry!);
    const { start, end } = slot;
    return {
      ...slot,
      key: undefined,
      value: { kind: 'map', isFlow: true, slots: [slot], ...NO_PROPERTIES, start, end },
    };
  }
  const value = convert(lines, item);
  const { start, end } = item.range;
  return { key: undefined, value, start, end, hasBlankBefore: lines.hasBlankBefore(start) };
}

function convertMap(lines: SourceLines, { range, entries }: MapNode): SyntaxCollection {
  const isFlow = lines.text[range.start] === '{';
  const slots = entries.map(entry => slotOf(lines, entry));
  const end = isFlow ? range.end : slots.at(-1)!.end;
  return { kind: 'map', isFlow, slots, ...NO_PROPERTIES, start: range.start, end };
}

function slotOf(lines: SourceLines, entry: MapEntryNode): Slot {
  const key = keyOf(lines.text, entry);
  const value = convert(lines, entry.value) ?? emptyBefore(lines.text, entry.value.range.start);
  const end = value?.end ?? colonBefore(lines.text, entry.value.range.start) + 1;
  return { key, value, start: key.start, end, hasBlankBefore: lines.hasBlankBefore(key.start) };
}

function keyOf(text: string, { key: value, keyRange }: MapEntryNode): SyntaxScalar {
  const quote = text[keyRange.start - 1];
  const style = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain';
  const by = style === 'plain' ? 0 : 1;
  const [start, end] = [keyRange.start - by, keyRange.end + by];
  return { kind: 'scalar', style, value, source: text.slice(start, end), ...NO_PROPERTIES, start, end };
}

/** Before a comma, the YAML library reads a value without characters. */
function emptyBefore(text: string, at: number): SyntaxScalar | undefined {
  if (text[at] !== ',') return undefined;
  return { kind: 'scalar', style: 'plain', value: '', source: '', ...NO_PROPERTIES, start: at, end: at };
}

/** An omitted value is placed after the spaces that follow the colon. */
function colonBefore(text: string, before: number): number {
  let at = before - 1;
  while (text[at] === ' ') at -= 1;
  return at;
}

/** An index of the lines of a text, built once: a whole document may be on one line. */
export class SourceLines {
  readonly text: string;
  readonly #starts: readonly number[];

  /** @param text has only LF line breaks */
  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** Returns the zero-based column of an offset. */
  columnOf(offset: number): number {
    return offset - this.#startOf(offset);
  }

  /** Returns true if the line before that of the offset is empty. */
  hasBlankBefore(offset: number): boolean {
    const { text } = this;
    const start = this.#startOf(offset);
    if (start === 0) return false;
    for (let at = start - 2; ; at -= 1) {
      const code = text.charCodeAt(at);
      if (at < 0 || code === LINE_FEED) return true;
      if (code !== SPACE && text.slice(at, at + 1).trim() !== '') return false;
    }
  }

  /** Returns the start of the line of an offset; usually a few spaces before it. */
  #startOf(offset: number): number {
    const { text } = this;
    for (let at = offset; at > offset - NEAR; at -= 1) if (at === 0 || text.charCodeAt(at - 1) === LINE_FEED) return at;
    return this.#starts[this.#lineOf(offset)]!;
  }

  #lineOf(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** A document may be on one line, so the way back is bounded. */
const NEAR = 100;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** A part of a document and its ancestors, outermost first. */
export interface SyntaxPart {
  readonly node: SyntaxNode;
  readonly owners: readonly SyntaxCollection[];
}

/** Returns the part of each document at the path, or undefined for documents without it. Without a path, returns the roots. */
export function findParts(
  documents: readonly SyntaxDocument[],
  path: PartPath | undefined,
): readonly (SyntaxPart | undefined)[] {
  let number = 0;
  return documents.map(({ root }) => {
    if (!root || isNothing(root)) return undefined;
    number += 1;
    if (path?.document !== undefined && path.document !== number) return undefined;
    return walk(root, path?.steps ?? []);
  });
}

/** Empty documents are not counted. */
function isNothing(root: SyntaxNode): boolean {
  return root.kind === 'scalar' && root.source === '' && root.anchor === undefined && root.tag === undefined;
}

function walk(root: SyntaxNode, steps: readonly string[]): SyntaxPart | undefined {
  const owners: SyntaxCollection[] = [];
  let node: SyntaxNode = root;
  for (const step of steps) {
    if (!isCollection(node)) return undefined;
    owners.push(node);
    const next = childAt(node, step);
    if (!next) return undefined;
    node = next;
  }
  return { node, owners };
}

function childAt({ kind, slots }: SyntaxCollection, step: string): SyntaxNode | undefined {
  if (kind === 'map') return slots.findLast(({ key }) => key?.value === step)?.value;
  return /^(?:0|[1-9]\d*)$/.test(step) ? slots[Number(step)]?.value : undefined;
}
