import { nearest } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapEntryNode, MapNode, Reporter } from './document-node.ts';
import type { MappedText } from './scalar-text.ts';

/** The path of a part of a file. */
export interface PartPath {
  /** One-based; undefined means every document that has the part. */
  readonly document: number | undefined;
  /** Keys and zero-based list indices, outermost first. */
  readonly steps: readonly string[];
}

/**
 * Parses `/spec/policy`, `2` or `2/spec/policy`: a JSON Pointer (RFC 6901), preceded by the number of the document
 * if there are several. Undefined if malformed.
 */
export function parsePartPath(text: string): PartPath | undefined {
  const found = /^([1-9]\d{0,8})?((?:\/(?:[^~/]|~[01])*)*)$/.exec(text);
  if (!found) return undefined;
  const [, number, pointer = ''] = found;
  const steps = pointer.split('/').slice(1);
  return {
    document: number === undefined ? undefined : Number(number),
    steps: steps.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  };
}

/** Returns the parts at the path; if there are none, reports how much of the path exists. */
export function selectParts(
  documents: readonly DocumentNode[],
  path: PartPath,
  reporter: Reporter,
): readonly DocumentNode[] {
  const { document: number } = path;
  const candidates = number === undefined ? documents : documents.slice(number - 1, number);
  if (candidates.length === 0) {
    if (documents.length > 0) reportNoDocument(documents, number!, reporter);
    return [];
  }
  const walks = candidates.map(root => furthestOn(root, path.steps));
  const found = walks.flatMap(({ node, taken }) => (taken === path.steps.length ? [node] : []));
  if (found.length === 0) reportNoPart(furthest(walks), path.steps, reporter);
  return found;
}

/** How much of a path exists. */
interface Walk {
  /** The last node that exists on the path. */
  readonly node: DocumentNode;
  readonly taken: number;
}

/** Follows a path as far as it exists. */
export function furthestOn(root: DocumentNode, steps: readonly string[]): Walk {
  let node = root;
  for (const [taken, step] of steps.entries()) {
    const next = childAt(node, step);
    if (!next) return { node, taken };
    node = next;
  }
  return { node, taken: steps.length };
}

function childAt(node: DocumentNode, step: string): DocumentNode | undefined {
  if (node.kind === 'map') return node.entries.find(entry => entry.key === step)?.value;
  return node.kind === 'list' && /^(?:0|[1-9]\d*)$/.test(step) ? node.items[Number(step)] : undefined;
}

function furthest(walks: readonly Walk[]): Walk {
  return walks.reduce((best, one) => (one.taken > best.taken ? one : best));
}

function reportNoPart({ node, taken }: Walk, steps: readonly string[], reporter: Reporter): void {
  if (node.kind === 'broken') return;
  const path = `/${steps.slice(0, taken + 1).join('/')}`;
  const keys = node.kind === 'map' ? node.entries.map(entry => entry.key) : [];
  const suggestion = nearest(steps[taken]!, keys);
  const hint = suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
  reporter.report({
    code: 'policy/no-such-part',
    message: `no \`${path}\` in the document${hint}`,
    range: { start: node.range.start, end: node.range.start },
    args: { path, keys, ...(suggestion !== undefined && { suggestion }) },
  });
}

function reportNoDocument(documents: readonly DocumentNode[], number: number, reporter: Reporter): void {
  const count = documents.length;
  const { end } = documents.at(-1)!.range;
  reporter.report({
    code: 'policy/no-such-document',
    message: `no document ${number}: the file has ${count}`,
    range: { start: end, end },
    args: { document: number, found: count },
  });
}

/** Moves ranges that start at or after `from`. The target of an alias may come before it. */
export interface Shift {
  readonly by: number;
  readonly from: number;
}

/** Returns the range shifted. */
export function shiftRange(range: Range, { by, from }: Shift): Range {
  return range.start < from ? range : { start: range.start + by, end: range.end + by };
}

/** Returns the string with its ranges shifted. */
export function shiftString(text: MappedText, shift: Shift): MappedText {
  const pieces = text.pieces.map(({ from, to, range }) => ({ from, to, range: shiftRange(range, shift) }));
  return { value: text.value, pieces, range: shiftRange(text.range, shift) };
}

/** Returns the map with its ranges shifted. */
export function shiftMap(map: MapNode, shift: Shift): MapNode {
  const entries = map.entries.map(({ key, keyRange, value }) => ({
    key,
    keyRange: shiftRange(keyRange, shift),
    value: shiftNode(value, shift),
  }));
  return { kind: 'map', range: shiftRange(map.range, shift), entries };
}

/** Returns the node with its ranges shifted. */
export function shiftNode(node: DocumentNode, shift: Shift): DocumentNode {
  const range = shiftRange(node.range, shift);
  switch (node.kind) {
    case 'scalar': {
      const { kind, value, style, text } = node;
      return { kind, range, value, style, text: text && shiftString(text, shift) };
    }
    case 'list':
      return { kind: 'list', range, items: node.items.map(item => shiftNode(item, shift)) };
    case 'map':
      return shiftMap(node, shift);
    case 'broken':
      return { kind: 'broken', range };
  }
}

/** Nodes that replace an item of a list, and the shift of everything after it. */
interface Replacement {
  readonly old: Range;
  /** At least one. */
  readonly nodes: readonly DocumentNode[];
  readonly shift: Shift;
}

/** Returns the tree with one item of a list replaced and all ranges after it shifted. */
export function replaceNode<T extends DocumentNode>(tree: T, replacement: Replacement): T;
export function replaceNode(tree: DocumentNode, replacement: Replacement): DocumentNode {
  const { old, nodes, shift } = replacement;
  if (tree.range.end < old.start) return tree;
  if (tree.range.start > old.end) return shiftNode(tree, shift);
  const range = {
    start: tree.range.start,
    end: tree.range.end === old.end ? nodes.at(-1)!.range.end : tree.range.end + shift.by,
  };
  if (tree.kind === 'list') {
    const isOld = ({ range: { start, end } }: DocumentNode) => start === old.start && end === old.end;
    return {
      ...tree,
      range,
      items: tree.items.flatMap(item => (isOld(item) ? nodes : replaceNode(item, replacement))),
    };
  }
  if (tree.kind === 'map') return { ...tree, range, entries: tree.entries.map(entry => replaceIn(entry, replacement)) };
  return tree;
}

function replaceIn({ key, keyRange, value }: MapEntryNode, replacement: Replacement): MapEntryNode {
  const isBehind = keyRange.start > replacement.old.end;
  return {
    key,
    keyRange: isBehind ? shiftRange(keyRange, replacement.shift) : keyRange,
    value: replaceNode(value, replacement),
  };
}
