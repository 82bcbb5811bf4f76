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
import type { PlainValue } from '../document/model/document-node.ts';
import type { PartPath } from '../document/model/select-part.ts';

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
