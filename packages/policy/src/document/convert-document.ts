import { type Range, singleQuoted } from '@tollgate/diagnostics';
import {
  type Alias,
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import {
  type DocumentNode,
  describeNode,
  type MapEntryNode,
  type Reporter,
  type ScalarNode,
  type ScalarStyle,
} from './document-node.ts';
import { type MappedText, mapBlockScalar, mapFlowScalar, type PieceCollector } from './scalar-text.ts';
import { tagMessage } from './yaml-traps.ts';

interface Conversion {
  readonly document: string;
  readonly reporter: Reporter;
  readonly maxNodes: number;
  /** Offsets of the YAML library's errors, in order. */
  readonly errors: readonly number[];
  /** The latest node of each anchor; undefined while it is being converted, to detect cycles. */
  readonly anchors: Map<string, DocumentNode | undefined>;
  /** Number of values of each node, following aliases. */
  readonly sizes: Map<DocumentNode, number>;
  /** Number of entries that may still be merged: many small maps can each merge a large one. */
  readonly mergeable: { left: number };
}

/**
 * Converts the YAML library's tree: follows aliases, merges `<<`, and reports duplicate keys. Nodes that begin at
 * an offset in `broken` were masked and become broken nodes.
 */
export function convertDocument(
  document: string,
  parsed: Document.Parsed,
  options: { readonly maxNodes: number; readonly broken: readonly number[]; readonly reporter: Reporter },
): { readonly root: DocumentNode; readonly size: number } {
  const errors = [...parsed.errors.map(error => error.pos[0]), ...options.broken].sort((a, b) => a - b);
  const made = { anchors: new Map(), sizes: new Map(), mergeable: { left: options.maxNodes } };
  const conversion: Conversion = { ...options, ...made, document, errors };
  const root = convert(conversion, parsed.contents, rangeOf(parsed.contents, 0));
  return { root, size: made.mergeable.left < 0 ? options.maxNodes + 1 : conversion.sizes.get(root)! };
}

/** @param fallback the range of a node that has none, such as an omitted value */
function convert(conversion: Conversion, node: Node | null | undefined, fallback: Range): DocumentNode {
  if (isAlias(node)) return convertAlias(conversion, node);
  const anchor = node?.anchor;
  if (anchor !== undefined) conversion.anchors.set(anchor, undefined);
  const converted = convertValue(conversion, node, fallback);
  if (anchor !== undefined) conversion.anchors.set(anchor, converted);
  return converted;
}

function convertValue(conversion: Conversion, node: Node | null | undefined, fallback: Range): DocumentNode {
  const range = node?.range ? rangeOf(node, fallback.start) : fallback;
  if (node?.tag === '!') reportBareTag(conversion, range);
  // The library reports other unknown tags.
  if (node?.tag?.startsWith('!')) return sized(conversion, { kind: 'broken', range });
  if (isMap<Node, Node>(node)) {
    return sized(conversion, { kind: 'map', range: trimmed(node, range), entries: convertEntries(conversion, node) });
  }
  if (isSeq<Node>(node)) {
    const items = node.items.map(item => convert(conversion, item, { start: range.start, end: range.start }));
    return sized(conversion, { kind: 'list', range: trimmed(node, range), items });
  }
  // With a missing quote, for example, the intended string is unknown.
  if (hasError(conversion, range)) return sized(conversion, { kind: 'broken', range });
  return sized(conversion, convertScalar(conversion, isScalar(node) ? node : undefined, range));
}

/** The library silently drops the tag, and the expression would mean the opposite of what was written. */
function reportBareTag({ document, reporter }: Conversion, { start: textStart, end }: Range): void {
  const start = document.lastIndexOf('!', textStart);
  const whole = document.slice(start, end);
  const edits = [{ range: { start, end }, newText: singleQuoted(whole) }];
  reporter.report({
    code: 'yaml/unknown-tag',
    message: tagMessage('!'),
    range: { start, end: start + 1 },
    args: { tag: '!' },
    ...(!whole.includes('\n') && { fixes: [{ title: 'put quotes around it', applicability: 'safe', edits }] }),
  });
}

/** Ends block lists and maps at their last value, without the line breaks and comments that follow. */
function trimmed(node: YAMLMap<Node, Node> | YAMLSeq<Node>, range: Range): Range {
  if (node.flow) return range;
  const last = node.items.at(-1);
  const value = isPair<Node, Node | null>(last) ? (last.value ?? last.key) : last;
  if (!value?.range) return range;
  const end = isMap<Node, Node>(value) || isSeq<Node>(value) ? trimmed(value, rangeOf(value, 0)).end : value.range[1];
  return { start: range.start, end: Math.max(end, range.start) };
}

/** Sizes stay small: no node exceeds the limit by more than the sum of its children, which were checked here. */
function sized(conversion: Conversion, node: DocumentNode): DocumentNode {
  const children =
    node.kind === 'list' ? node.items : node.kind === 'map' ? node.entries.map(entry => entry.value) : [];
  const sum = children.reduce((total, child) => total + conversion.sizes.get(child)!, 1);
  conversion.sizes.set(node, Math.min(sum, conversion.maxNodes + 1));
  return node;
}

function convertAlias(conversion: Conversion, alias: Alias): DocumentNode {
  const range = rangeOf(alias, 0);
  const target = conversion.anchors.get(alias.source);
  if (target) return target;
  const isCyclic = conversion.anchors.has(alias.source);
  conversion.reporter.report({
    code: isCyclic ? 'yaml/cyclic-alias' : 'yaml/unknown-alias',
    message: isCyclic
      ? `\`*${alias.source}\` refers to a value that contains it`
      : `no anchor \`&${alias.source}\` for \`*${alias.source}\`; put quotes around a string that begins with \`*\``,
    range,
    args: { alias: alias.source },
  });
  return sized(conversion, { kind: 'broken', range });
}

function convertEntries(conversion: Conversion, map: YAMLMap<Node, Node>): readonly MapEntryNode[] {
  const entries = new Map<string, MapEntryNode>();
  const merged: MapEntryNode[] = [];
  for (const pair of map.items) {
    const entry = convertEntry(conversion, pair);
    if (!entry) continue;
    if (entry.key === '<<' && isMerge(conversion, entry, pair.key)) {
      addMerged(conversion, entry.value, merged);
      continue;
    }
    const first = entries.get(entry.key);
    if (first) reportDuplicate(conversion.reporter, entry, first);
    entries.set(entry.key, entry);
  }
  const own = new Set(entries.keys());
  for (const entry of merged) {
    const first = entries.get(entry.key);
    if (!first) entries.set(entry.key, entry);
    else if (!own.has(entry.key) && first.value !== entry.value) reportHidden(conversion.reporter, entry, first);
  }
  return [...entries.values()];
}

/** Returns true if `<<` merges maps here. In quotes it is an ordinary key. */
function isMerge({ document, reporter }: Conversion, { value, keyRange }: MapEntryNode, key: Node): boolean {
  if (isScalar(key) && key.srcToken?.type !== 'scalar') return false;
  const others = value.kind === 'list' ? value.items.filter(item => item.kind !== 'map') : [];
  const wrong = value.kind === 'scalar' ? [value] : others;
  for (const node of wrong.filter(one => one.kind !== 'broken')) {
    const found = describeNode(node);
    const message = `\`<<\` merges maps, found ${found}; put quotes around it if you mean a key`;
    const isHere = document.slice(node.range.start, node.range.end) !== '';
    reporter.report({ code: 'yaml/bad-merge', message, range: isHere ? node.range : keyRange, args: { found } });
  }
  return true;
}

/** Reports an entry that an earlier merged map overrides. */
function reportHidden(reporter: Reporter, { key, keyRange }: MapEntryNode, first: MapEntryNode): void {
  reporter.report({
    code: 'yaml/hidden-key',
    severity: 'info',
    message: `\`${key}\` is hidden by a map that is merged first`,
    range: keyRange,
    args: { key },
    related: [{ range: first.keyRange, message: 'merged from here' }],
  });
}

/** A map's own keys win, then those of the map merged first. */
function addMerged(conversion: Conversion, node: DocumentNode, merged: MapEntryNode[]): void {
  const { mergeable } = conversion;
  for (const map of node.kind === 'list' ? node.items : [node]) {
    if (map.kind !== 'map') continue;
    mergeable.left -= map.entries.length;
    if (mergeable.left < 0) return;
    for (const entry of map.entries) merged.push(entry);
  }
}

function convertEntry(conversion: Conversion, { key, value }: Pair<Node, Node>): MapEntryNode | undefined {
  const keyRange = rangeOf(key, 0);
  // The value first: if the key is an alias, errors of both are reported.
  const converted = convert(conversion, value, { start: keyRange.end, end: keyRange.end });
  if (!isScalar(key)) {
    if (!hasError(conversion, keyRange)) reportKey(conversion.reporter, keyRange);
    return undefined;
  }
  const text = typeof key.value === 'string' ? key.value : (key.source ?? '');
  return { key: text, keyRange: withoutQuotes(conversion.document, keyRange), value: converted };
}

function convertScalar(conversion: Conversion, node: Scalar | undefined, range: Range): ScalarNode {
  const value = node?.value;
  const style = styleOf(conversion.document, node);
  if (typeof value === 'string') {
    return { kind: 'scalar', range, value, style, text: mapScalar(conversion.document, node!, value, range) };
  }
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'scalar', range, value: isPlain ? value : null, style, text: undefined };
}

function styleOf(document: string, node: Scalar | undefined): ScalarStyle {
  switch (node?.srcToken?.type) {
    case 'single-quoted-scalar':
      return 'single';
    case 'double-quoted-scalar':
      return 'double';
    case 'block-scalar':
      return document[node.range?.[0] ?? 0] === '>' ? 'folded' : 'literal';
    default:
      return 'plain';
  }
}

/** If our decoding differs from the library's, which happens only in documents with errors, maps everything to the whole range. */
function mapScalar(document: string, node: Scalar, value: string, range: Range): MappedText {
  const { text, pieces } = decode(document, node, range);
  if (!text.startsWith(value)) return { value, pieces: [{ from: 0, to: value.length, range }], range };
  const kept = pieces.filter(piece => piece.from < value.length);
  return { value, pieces: kept, range };
}

function decode(document: string, node: Scalar, range: Range): PieceCollector {
  const style = styleOf(document, node);
  if (style !== 'literal' && style !== 'folded') return mapFlowScalar(document, range, style);
  const { srcToken } = node;
  return mapBlockScalar(document, range, srcToken && 'indent' in srcToken ? srcToken.indent : 0);
}

function hasError({ errors }: Conversion, { start, end }: Range): boolean {
  let low = 0;
  for (let high = errors.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (errors[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low < errors.length && errors[low]! <= end;
}

/** An unterminated string has no closing quote to exclude. */
function withoutQuotes(document: string, { start, end }: Range): Range {
  const isQuoted = /^(["']).*\1$/s.test(document.slice(start, end));
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
}

function rangeOf(node: Node | null | undefined, fallback: number): Range {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : { start: fallback, end: fallback };
}

function reportDuplicate(reporter: Reporter, entry: MapEntryNode, first: MapEntryNode): void {
  reporter.report({
    code: 'yaml/duplicate-key',
    message: `duplicate key \`${entry.key}\``,
    range: entry.keyRange,
    args: { key: entry.key },
    related: [{ range: first.keyRange, message: 'first defined here' }],
  });
}

function reportKey(reporter: Reporter, range: Range): void {
  reporter.report({ code: 'yaml/key-type', message: 'mapping keys must be strings', range, args: {} });
}

/** Returns the ranges of the comments, in order. Not recursive, so that deep nesting cannot overflow the stack. */
export function commentsIn(tokens: readonly CST.Token[]): readonly Range[] {
  const found: Range[] = [];
  const open: CST.Token[] = [];
  // One by one: the number of arguments of a call is limited.
  const add = (more: readonly CST.Token[] | undefined): void => {
    for (const token of more ?? []) open.push(token);
  };
  add(tokens);
  for (let token = open.pop(); token; token = open.pop()) {
    if (token.type === 'comment') found.push({ start: token.offset, end: token.offset + token.source.length });
    if ('start' in token && Array.isArray(token.start)) add(token.start);
    if ('value' in token && token.value) open.push(token.value);
    if ('props' in token) add(token.props);
    if ('end' in token) add(token.end);
    if ('items' in token) for (const item of token.items) addParts(item, add);
  }
  return found.sort((a, b) => a.start - b.start);
}

function addParts(
  { start, key, sep, value }: CST.CollectionItem,
  add: (more: readonly CST.Token[] | undefined) => void,
) {
  add(start);
  add(key ? [key] : []);
  add(sep);
  add(value ? [value] : []);
}

/**
 * Returns the offset where nesting first exceeds `limit`, or undefined. Not recursive: the YAML composer is, so
 * it must only see what passed this check.
 */
export function tooDeepAt(tokens: readonly CST.Token[], limit: number): number | undefined {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map(token => ({ token, depth: 0 }));
  while (open.length > 0) {
    const { token, depth } = open.pop()!;
    if (depth > limit) return token.offset;
    for (const child of childrenOf(token)) open.push({ token: child, depth: depth + ('items' in child ? 1 : 0) });
  }
  return undefined;
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap((item: CST.CollectionItem) => [item.key, item.value].filter(child => child != null));
}
