import { unparse } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import { comparisonOf } from '../../../expressions/comparisons.ts';
import { joinConditions } from '../../../fixes/join-conditions.ts';
import { type AnalyzedExpression, expressionsOf, placeIn } from '../../../logic/conditions/analyzed-expression.ts';
import { conflictIn } from '../../../logic/conditions/conflict.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** Two entries, `x == 'a'` and `x == 'b'`. */
export const CONTRADICTION_ACROSS_LIST: LintRule = {
  id: 'logic/contradiction-across-list',
  severity: 'error',
  summary: 'entries of `expressions` that can never all hold',
  rationale:
    'The entries of `expressions` are joined by *and*: all must hold. A list of values that are each meant to match is read as *or* by people, and ' +
    'never matches anything. Ask with `in [...]` or `||` inside of one entry.',
  bad: {
    policy: `\
inbound:
  - name: known scanners
    expressions:
      - conn.ClientIP == '192.0.2.1'
      - «conn.ClientIP == '198.51.100.7'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: known scanners
    expressions:
      - conn.ClientIP in ['192.0.2.1', '198.51.100.7']
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      for (const rule of policyLogic(policy, context.file).phases.flat()) {
        if (rule.rule.expressions.length < 2 || !rule.isImpossible()) continue;
        const entries = conflictIn(expressionsOf(rule), rule.work);
        const last = entries.at(-1)!;
        if (entries.length < 2) continue;
        const others = entries.slice(0, -1);
        const fix = inFix(entries, policy, context.file.source.text);
        context.report({
          range: placeIn(last, last.typed.ast.root.range),
          message: `all entries must hold, and this one never does together with ${namesOf(others)}; ask for one or the other in one entry`,
          related: others.map(one => ({
            range: placeIn(one, one.typed.ast.root.range),
            message: 'cannot hold at the same time',
          })),
          fixes: fix ? [fix] : [],
        });
      }
    },
  },
};

function namesOf(entries: readonly AnalyzedExpression[]): string {
  return entries.map(({ typed }) => `\`${typed.ast.source.trim()}\``).join(' and ');
}

/** Where all compare the same with one value each. */
function inFix(entries: readonly AnalyzedExpression[], policy: Policy, document: string) {
  const { rule } = entries[0]!.of;
  const comparisons = entries.flatMap(({ typed }) => {
    const { root, source } = typed.ast;
    const found = root.kind === 'call' ? comparisonOf(root) : undefined;
    if (found?.comparator !== '==') return [];
    const text = (range: { start: number; end: number }) => source.slice(range.start, range.end);
    const key = `${found.value.type} ${unparse({ ...typed.ast, root: found.operand })}`;
    return [{ key, operand: text(found.operand.range), literal: text(found.literal.range) }];
  });
  const [first] = comparisons;
  if (first === undefined || comparisons.length < entries.length || comparisons.some(one => one.key !== first.key)) {
    return undefined;
  }
  const source = `${first.operand} in [${comparisons.map(one => one.literal).join(', ')}]`;
  const expressions = entries.map(one => one.expression);
  return joinConditions(rule, { policy, document }, { title: `write \`${source}\``, entries: expressions, source });
}
