import { lineStart } from '@tollgate/diagnostics';
import { indentOf, type Line, lineAt } from './lines.ts';

/** A map entry or list item around a position, outermost first. */
type Level =
  | { readonly kind: 'key'; readonly key: string; readonly column: number; readonly line: Line }
  | { readonly kind: 'item'; readonly column: number; readonly line: Line };

/** A limit that parents of a position must be left of. */
interface Limit {
  readonly column: number;
  /** A list may begin in the column of its key. */
  readonly isDash: boolean;
}

/** Returns what surrounds a position in a block document, by indentation alone, so also in documents with errors. */
export function levelsAround(text: string, line: Line, column: number): readonly Level[] {
  const levels: Level[] = [];
  let limit = addItems(levels, line, { column, isDash: false });
  for (let at = previous(text, line, limit); at; at = previous(text, at, limit)) {
    const { key } = at;
    if (key && isLeft(key.column, limit) && opensBlock(text, at)) {
      levels.unshift({ kind: 'key', key: key.text, column: key.column, line: at });
      limit = { column: key.column, isDash: false };
    }
    limit = addItems(levels, at, limit);
    if (limit.column === 0 && !limit.isDash) break;
  }
  return levels;
}

/** Adds the list items that begin on a line left of the limit. */
function addItems(levels: Level[], line: Line, before: Limit): Limit {
  let limit = before;
  for (const column of line.dashes.toReversed()) {
    if (column >= limit.column) continue;
    levels.unshift({ kind: 'item', column, line });
    limit = { column, isDash: true };
  }
  return limit;
}

/** Returns the nearest earlier line that can hold a parent: lines indented further are skipped without reading them. */
function previous(text: string, line: Line, { column, isDash }: Limit): Line | undefined {
  let { start } = line;
  while (start > 0) {
    start = lineStart(text, start - 1);
    const indent = indentOf(text, start);
    // An item in this column is beside the position, not around it; a list may be in the column of its key.
    if (indent > column || (indent === column && (!isDash || isItem(text, start + indent)))) continue;
    const found = lineAt(text, start);
    if (!found.isBlank) return found;
  }
  return undefined;
}

function isItem(text: string, offset: number): boolean {
  return text[offset] === '-' && ' \r\n'.includes(text[offset + 1] ?? '\n');
}

function isLeft(column: number, limit: Limit): boolean {
  return column < limit.column || (limit.isDash && column === limit.column);
}

/** Returns true if nothing but a comment, an anchor or a tag follows the key. */
function opensBlock(text: string, { rest, end }: Line): boolean {
  return /^(?:[&!]\S*(?:\s+|$))*(?:#.*)?$/.test(text.slice(rest, end));
}

/** Returns the entries of the map whose keys are in this column, around a line: each key with what follows it on its line. */
export function siblingsOf(text: string, line: Line, column: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (one: Line) => {
    if (one.key?.column === column) found.set(one.key.text, text.slice(one.rest, one.end));
  };
  add(line);
  const beginsHere = line.dashes.some(dash => dash < column) && line.column === column;
  for (let { start } = line; !beginsHere && start > 0; ) {
    start = lineStart(text, start - 1);
    if (indentOf(text, start) > column) continue;
    const above = lineAt(text, start);
    if (above.isBlank) continue;
    const outer = above.dashes[0] ?? above.column;
    if (above.column === column) add(above);
    if (outer < column) break;
  }
  for (let end = text.indexOf('\n', line.end); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (indentOf(text, end + 1) > column) continue;
    const below = lineAt(text, end + 1);
    if (below.isBlank) continue;
    if ((below.dashes[0] ?? below.column) < column || below.dashes.includes(column)) break;
    add(below);
  }
  return found;
}
