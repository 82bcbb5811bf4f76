import type { Fix, TextEdit } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  type Expression,
  entryOf,
  type ListNode,
  type Policy,
  type Rule,
  removeItems,
  replaceScalar,
} from '@tollgate/policy';

/** The condition that replaces several entries of `expressions`. */
interface Joined {
  readonly title: string;
  readonly entries: readonly Expression[];
  readonly source: string;
}

/** Returns a fix that replaces several entries of a rule by one condition; undefined if that would leave a broken document. */
export function joinConditions(
  rule: Rule,
  { policy, document }: { readonly policy: Policy; readonly document: string },
  { title, entries, source }: Joined,
): Fix | undefined {
  const [first, ...rest] = entries;
  const list = expressionsNode(rule, policy);
  const items = rest.map(({ range }) => list?.items.find(item => item.range.start === range.start));
  if (first === undefined || list === undefined || !items.every(isThere)) return undefined;
  const removed = removeItems(document, list, items);
  if (!removed.every(isThere)) return undefined;
  const edits: readonly TextEdit[] = [...replaceScalar(document, first.text, source), ...removed];
  return { title, applicability: 'suggestion', edits };
}

function expressionsNode(rule: Rule, policy: Policy): ListNode | undefined {
  const rules = entryOf(policy.node, rule.phase)?.value;
  const node = itemsOf(rules).find(item => item.range.start === rule.range.start);
  const expressions = node?.kind === 'map' ? entryOf(node, 'expressions')?.value : undefined;
  return expressions?.kind === 'list' ? expressions : undefined;
}

function itemsOf(node: DocumentNode | undefined): readonly DocumentNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
