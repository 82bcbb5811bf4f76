import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type Policy, type Rule, removeItems } from '@tollgate/policy';

/** Returns a fix that removes a rule from its policy; undefined if that would leave a broken document. */
export function removeRuleFix(rule: Rule, policy: Policy, document: string): Fix | undefined {
  const list = entryOf(policy.node, rule.phase)?.value;
  if (list?.kind !== 'list' || list.items.length < 2) return undefined;
  const item = list.items.find(one => one.range.start === rule.range.start);
  const [edit] = item === undefined ? [] : removeItems(document, list, [item]);
  return edit && { title: 'remove the rule', applicability: 'unsafe', edits: [edit] };
}
