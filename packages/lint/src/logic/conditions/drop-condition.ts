import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type Policy, removeEntries, removeItems } from '@tollgate/policy';
import { ruleNode } from '../../actions/action-node.ts';
import type { Verdict } from './verdicts.ts';

/** Returns fixes that remove a condition that always holds; the whole list if it is the only entry. */
export function dropConditionFixes(
  { analyzed, isWhole }: Verdict,
  {
    policy,
    document,
    applicability,
  }: { readonly policy: Policy; readonly document: string } & Pick<Fix, 'applicability'>,
): readonly Fix[] {
  const rules = Object.values(policy.rules).flat();
  const rule = rules.find(one => one.expressions.some(({ typed }) => typed === analyzed.typed));
  const at = rule?.expressions.findIndex(({ typed }) => typed === analyzed.typed) ?? -1;
  const map = rule && ruleNode(rule, policy);
  const entry = map && entryOf(map, 'expressions');
  if (!isWhole || !map || entry?.value.kind !== 'list') return [];
  const { items } = entry.value;
  const [edit] =
    items.length === 1 ? removeEntries(document, map, [entry]) : removeItems(document, entry.value, [items[at]!]);
  return edit ? [{ title: 'remove the condition', applicability, edits: [edit] }] : [];
}
