import type { Fix, Range } from '@tollgate/diagnostics';
import type { MapEntryNode, MapNode } from '@tollgate/policy';
import { actionNode, ruleNode } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { firstFrom } from '../../sorted-ranges.ts';

/** Reports `actions` before `expressions`. */
export const KEY_ORDER: LintRule = {
  id: 'style/key-order',
  severity: 'info',
  summary: 'keys in an unusual order',
  rationale:
    'A rule is easiest to read with its name first, then when it matches, then what it does. `tollgate fmt` puts keys in that order.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    actions: [{ type: deny }]
    «expressions»: ["req.Method == 'TRACE'"]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    policy: ({ node }, context) => checkOrder(node, ['enabled', ...context.file.profile.phases], context),
    rule: (rule, policy, context) => checkOrder(ruleNode(rule, policy), ['name', 'expressions', 'actions'], context),
    action: (action, place, context) => checkOrder(actionNode(action, place), ['type', 'config'], context),
  },
};

function checkOrder(map: MapNode | undefined, order: readonly string[], context: LintContext): void {
  const known = map?.entries.filter(({ key }) => order.includes(key)) ?? [];
  let last = -1;
  for (const { key, keyRange } of known) {
    const at = order.indexOf(key);
    if (at < last) {
      const message = `\`${key}\` belongs before \`${order[last]}\`; run \`tollgate fmt\` to sort keys`;
      context.report({ range: keyRange, message, args: { key }, fixes: ordering(map!, known, { order, context }) });
    }
    last = Math.max(last, at);
  }
}

/** Reorders the known entries only. Offers nothing if a comment or an anchor may belong to one of them. */
function ordering(
  { range }: MapNode,
  known: readonly MapEntryNode[],
  { order, context }: { readonly order: readonly string[]; readonly context: LintContext },
): readonly Fix[] {
  const { source, comments } = context.file;
  const inside = source.text.slice(range.start, range.end);
  const comment = comments[firstFrom(comments, range.start)];
  if (comment !== undefined && comment.start < range.end) return [];
  if (/(?:^|[\s:,[{-])[&*]\w|[|>]\d?[+]/.test(inside)) return [];
  const slots = known.map(entry => slotOf(entry, source.text));
  const sorted = known.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  const edits = slots.map((slot, index) => {
    const { start, end } = slotOf(sorted[index]!, source.text);
    return { range: slot, newText: source.text.slice(start, end) };
  });
  const changed = edits.filter(({ range: at, newText }) => source.text.slice(at.start, at.end) !== newText);
  return [{ title: 'sort the keys', applicability: 'safe', edits: changed }];
}

/** Returns the range of an entry, from its key with quotes to the end of its value. */
function slotOf({ keyRange, value }: MapEntryNode, document: string): Range {
  const start = /["']/.test(document[keyRange.start - 1] ?? '') ? keyRange.start - 1 : keyRange.start;
  const end = Math.max(value.range.end, keyRange.end + 1);
  return { start, end: start + document.slice(start, end).trimEnd().length };
}
