import type { Fix } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, type Policy, type Rule, removeItems } from '@tollgate/policy';

/** Returns a fix that removes a rule from its policy; undefined if that would leave a broken document. */
export function removeRuleFix(rule: Rule, policy: Policy, document: string): Fix | undefined {
  const list = entryOf(policy.node, rule.phase)?.value;
  if (list?.kind !== 'list' || list.items.length < 2) return undefined;
  const isRule = (one: DocumentNode | undefined) => one?.range.start === rule.range.start;
  const nth = list.items[rule.index];
  const item = isRule(nth) ? nth : list.items.find(isRule);
  const [edit] = item === undefined ? [] : removeItems(document, list, [item]);
  return edit && { title: 'remove the rule', applicability: 'unsafe', edits: [edit] };
}
