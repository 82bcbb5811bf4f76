import type { PatternNode } from '@tollgate/cel/tooling';

/** Returns true if the test holds for the node of a pattern or for one inside it. */
export function someNode(node: PatternNode, test: (node: PatternNode) => boolean): boolean {
  if (test(node)) return true;
  switch (node.kind) {
    case 'concat':
      return node.items.some(item => someNode(item, test));
    case 'alternate':
      return node.branches.some(branch => someNode(branch, test));
    case 'repeat':
      return someNode(node.body, test);
    default:
      return false;
  }
}
