import type { TextEdit } from '@tollgate/diagnostics';
import { type DocumentNode, type ListNode, removeItems } from '@tollgate/policy';

/**
 * Returns the edits that move an item of a block list next to another one; undefined if the layout does not allow it. Comments on lines of
 * their own stay, other comments move along.
 */
export function moveItem(
  document: string,
  list: ListNode,
  { item, to, where }: { readonly item: DocumentNode; readonly to: DocumentNode; readonly where: 'before' | 'behind' },
): readonly TextEdit[] | undefined {
  if (document[list.range.start] === '[') return undefined;
  const [removal, place] = removeItems(document, list, [item, to]);
  if (!removal || !place) return undefined;
  const text = document.slice(removal.range.start, removal.range.end);
  const at = where === 'before' ? place.range.start : place.range.end;
  const isOpen = where === 'behind' && !document.slice(0, at).endsWith('\n');
  const newText = isOpen ? `\n${text.replace(/\n$/, '')}` : text.endsWith('\n') ? text : `${text}\n`;
  return [
    { range: removal.range, newText: '' },
    { range: { start: at, end: at }, newText },
  ];
}
