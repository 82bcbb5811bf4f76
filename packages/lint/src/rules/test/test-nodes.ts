import { type DocumentNode, entryOf, type MapNode } from '@tollgate/policy';

/** The tests of a file that could be read, in order. */
export function testNodes(root: DocumentNode): readonly MapNode[] {
  const list = root.kind === 'map' ? entryOf(root, 'tests')?.value : undefined;
  return list?.kind === 'list' ? list.items.filter(item => item.kind === 'map') : [];
}
