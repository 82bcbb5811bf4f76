import type { Range } from '@tollgate/diagnostics';
import type { MappedText } from './mapped-text.ts';

/** A value of a YAML or JSON document with its range. A value behind an alias has the range of its anchor. */
export type DocumentNode = ScalarNode | ListNode | MapNode | BrokenNode;

/** How a scalar is written; JSON strings are `double`. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** A string, number, boolean or null. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly range: Range;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** The mapping from string to source; only for strings. */
  readonly text: MappedText | undefined;
}

/** A YAML sequence or JSON array. */
export interface ListNode {
  readonly kind: 'list';
  readonly range: Range;
  readonly items: readonly DocumentNode[];
}

/** A YAML mapping or JSON object. Of duplicate keys, only the last entry is kept. */
export interface MapNode {
  readonly kind: 'map';
  readonly range: Range;
  readonly entries: readonly MapEntryNode[];
}

/** A part that could not be read. A diagnostic says why, so it must cause no others. */
interface BrokenNode {
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

/** A value without ranges, as `JSON.parse` returns it. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** Returns the entry of a key, or undefined. */
export function entryOf(map: MapNode, key: string): MapEntryNode | undefined {
  for (const entry of map.entries) if (entry.key === key) return entry;
  return undefined;
}

/** Returns the node's value without ranges. */
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

/** Describes a node in messages: `a list`, `the number 5`. */
export function describeNode(node: DocumentNode): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`;
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'string') {
    const isOldBoolean = node.style === 'plain' && /^(?:yes|no|on|off)$/i.test(node.value);
    return isOldBoolean ? `\`${node.value}\`, which is a string since YAML 1.2` : 'a string';
  }
  return typeof node.value === 'number' ? `the number ${node.value}` : `\`${node.value}\``;
}
