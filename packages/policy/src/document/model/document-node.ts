import type { Range } from '@tollgate/diagnostics';
import type { MappedText } from './mapped-text.ts';

/** A value of a YAML or JSON document with its place. Values reached through an alias stand where their anchor does. */
export type DocumentNode = ScalarNode | ListNode | MapNode | BrokenNode;

/** How a scalar is written; JSON strings are in double quotes. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** A text, number, truth value or null. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly range: Range;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** Of texts only. */
  readonly text: MappedText | undefined;
}

/** A list. */
export interface ListNode {
  readonly kind: 'list';
  readonly range: Range;
  readonly items: readonly DocumentNode[];
}

/** A map; of keys given twice, the last one. */
export interface MapNode {
  readonly kind: 'map';
  readonly range: Range;
  readonly entries: readonly MapEntryNode[];
}

/** Stands where the document could not be understood; a diagnostic says why, and nothing more is to be said about it. */
export interface BrokenNode {
  readonly kind: 'broken';
  readonly range: Range;
}

/** A key with its value. */
export interface MapEntryNode {
  readonly key: string;
  /** Without quotes. */
  readonly keyRange: Range;
  readonly value: DocumentNode;
}

/** A plain value without places, as `JSON.parse` would give it. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** The entry of a key. */
export function entryOf(map: MapNode, key: string): MapEntryNode | undefined {
  for (const entry of map.entries) if (entry.key === key) return entry;
  return undefined;
}

/** The node without places. */
export function plainValue(node: DocumentNode): PlainValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'broken') return null;
  if (node.kind === 'list') return node.items.map(plainValue);
  const plain: Record<string, PlainValue> = {};
  for (const { key, value } of node.entries) {
    // Not an assignment, which would set the prototype.
    if (key === '__proto__') Object.defineProperty(plain, key, { ...OWN, value: plainValue(value) });
    else plain[key] = plainValue(value);
  }
  return plain;
}

const OWN = { configurable: true, enumerable: true, writable: true };

/** What a node is, for messages: `a list`, `the number 5`. */
export function describeNode(node: DocumentNode): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`;
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'string') {
    const isTruthWord = node.style === 'plain' && /^(?:yes|no|on|off)$/i.test(node.value);
    return isTruthWord ? `\`${node.value}\`, which is a text since YAML 1.2` : 'a text';
  }
  return typeof node.value === 'number' ? `the number ${node.value}` : `\`${node.value}\``;
}
