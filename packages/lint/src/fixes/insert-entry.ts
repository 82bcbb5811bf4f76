import { lineStart, type TextEdit } from '@tollgate/diagnostics';
import type { MapNode } from '@tollgate/policy';

/** Returns the edit that inserts a first entry into a map; undefined if the layout has no room for it. `value` is JSON. */
export function insertEntry(document: string, map: MapNode, key: string, value: string): TextEdit | undefined {
  const { start } = map.range;
  const isJson = /^\{\s*"/.test(document.slice(start, map.range.end));
  const name = isJson ? JSON.stringify(key) : key;
  if (document[start] === '{')
    return { range: { start: start + 1, end: start + 1 }, newText: inFlow(document, map, `${name}: ${value}`) };
  const first = map.entries[0];
  if (!first) return undefined;
  const at = first.keyRange.start - (/["']/.test(document[first.keyRange.start - 1] ?? '') ? 1 : 0);
  const lineOffset = lineStart(document, at);
  const indent = document.slice(lineOffset, at);
  // The first key of a list item follows its dash.
  if (!/^ *(?:- +)*$/.test(indent)) return undefined;
  return { range: { start: at, end: at }, newText: `${name}: ${value}\n${' '.repeat(indent.length)}` };
}

function inFlow(document: string, { entries, range }: MapNode, entry: string): string {
  if (entries.length === 0) return ` ${entry} `;
  return /\s/.test(document[range.start + 1]!) ? ` ${entry},` : ` ${entry}, `;
}
