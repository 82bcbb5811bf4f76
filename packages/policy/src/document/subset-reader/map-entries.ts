import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapEntryNode } from '../model/document-node.ts';
import type { Cursor } from './cursor.ts';

/** A mapping key. */
export interface Key {
  readonly key: string;
  /** Without quotes. */
  readonly keyRange: Range;
  readonly isQuoted: boolean;
}

/** Returns the node as a key, or undefined if it is not a scalar. A plain key is a string whatever it would be as a value. */
export function keyOf({ text }: Cursor, node: DocumentNode): Key | undefined {
  if (node.kind !== 'scalar') return undefined;
  const { start, end } = node.range;
  if (node.style === 'plain') return { key: text.slice(start, end), keyRange: node.range, isQuoted: false };
  return { key: String(node.value), keyRange: { start: start + 1, end: end - 1 }, isQuoted: true };
}

/** The entries of a map while it is read; for large maps also the set of keys, to find duplicates. */
export interface Entries {
  readonly list: MapEntryNode[];
  keys: Set<string> | undefined;
}

const MANY = 12;
/** YAML 1.2.2, section 7.4.2. */
const LONGEST_KEY = 1000;

/** Adds an entry; returns false if its key is a duplicate, a merge, or too long. */
export function addEntry(entries: Entries, entry: MapEntryNode): boolean {
  const { key } = entry;
  const { list } = entries;
  if (key === '<<' || key.length > LONGEST_KEY) return false;
  if (list.length === MANY) entries.keys = new Set(list.map(one => one.key));
  if (entries.keys ? entries.keys.has(key) : isIn(list, key)) return false;
  entries.keys?.add(key);
  list.push(entry);
  return true;
}

function isIn(list: readonly MapEntryNode[], key: string): boolean {
  for (const entry of list) if (entry.key === key) return true;
  return false;
}
