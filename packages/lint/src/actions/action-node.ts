import { type Action, type DocumentNode, entryOf, type MapNode, type Policy, type Rule } from '@tollgate/policy';

/** Returns the map of the document that a rule was read from. */
export function ruleNode(rule: Rule, policy: Policy): MapNode | undefined {
  return mapAt(itemsOf(entryOf(policy.node, rule.phase)?.value), rule.range.start);
}

/** Returns the map of the document that an action was read from. */
export function actionNode(
  action: Action,
  { rule, policy }: { readonly rule: Rule; readonly policy: Policy },
): MapNode | undefined {
  const map = ruleNode(rule, policy);
  return mapAt(itemsOf(map && entryOf(map, 'actions')?.value), action.range.start);
}

function itemsOf(node: DocumentNode | undefined): readonly DocumentNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function mapAt(items: readonly DocumentNode[], start: number): MapNode | undefined {
  return items.find((item): item is MapNode => item.kind === 'map' && item.range.start === start);
}
