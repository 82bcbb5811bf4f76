// What lint rules about files of policy tests share: the nodes of the tests, and the text of their examples.

import { type DocumentNode, entryOf, type MapNode } from '@tollgate/policy';

/** The tests of a file that could be read, in order. */
export function testNodes(root: DocumentNode): readonly MapNode[] {
  const list = root.kind === 'map' ? entryOf(root, 'tests')?.value : undefined;
  return list?.kind === 'list' ? list.items.filter(item => item.kind === 'map') : [];
}

/** The policy of the examples. */
export const POLICY = `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`;

/** Tests of the policy without findings. */
export const TESTS = `\
policy: policy.yaml
tests:
  - name: denies TRACE
    request: { method: TRACE }
    expect: { outcome: denied }
  - name: passes GET
    request: { method: GET }
    expect: { outcome: passed }
`;
