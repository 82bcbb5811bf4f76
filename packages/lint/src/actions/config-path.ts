import { type Action, type DocumentNode, entryOf } from '@tollgate/policy';

/** Returns the node at a path of keys in an action's configuration; undefined if it is absent. */
export function configNodeAt({ configNode }: Action, ...keys: readonly string[]): DocumentNode | undefined {
  let node: DocumentNode | undefined = configNode;
  for (const key of keys) node = node?.kind === 'map' ? entryOf(node, key)?.value : undefined;
  return node;
}
