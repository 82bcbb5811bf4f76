import { InternalError } from '@tollgate/diagnostics';
import { CST, Parser } from 'yaml';
import { readFastPath } from '../../document/subset-reader/read-fast-path.ts';
import { commentAt, convertNodes } from './convert-nodes.ts';
import type { SourceLines } from './source-lines.ts';
import type { Comment, Slot, SyntaxCollection, SyntaxDocument, SyntaxNode, SyntaxScalar } from './syntax-tree.ts';

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
