import { unparse } from '@tollgate/cel';
import { comparisonOf } from '@tollgate/cel/tooling';
import type { Policy } from '@tollgate/policy';
import { type AnalyzedExpression, expressionsOf, placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { conflictIn } from '../../logic/verdicts.ts';
import { joinConditions } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports two entries, `x == 'a'` and `x == 'b'`. */
export const CONTRADICTION_ACROSS_LIST: LintRule = {
  id: 'logic/contradiction-across-list',
  severity: 'error',
  summary: 'expressions of a rule that can never all be true',
  rationale:
    'The entries of `expressions` are joined by *and*, so all of them must hold. A list of values that are each meant to match reads ' +
    'like *or* but never matches anything. Use `in [...]` or `||` in a single entry.',
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
        const entries = conflictIn(expressionsOf(rule), rule.questions);
        const last = entries.at(-1)!;
        if (entries.length < 2) continue;
        const others = entries.slice(0, -1);
        const fix = inFix(entries, policy, context.file.source.text);
        context.report({
          range: placeIn(last, last.typed.ast.root.range),
          message: `all entries must hold, but this one contradicts ${namesOf(others)}; combine them in one entry with \`||\` or \`in\``,
          related: others.map(other => ({
            range: placeIn(other, other.typed.ast.root.range),
            message: 'cannot be true at the same time',
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

/** Offers `in` if all entries compare the same input with one value each. */
function inFix(entries: readonly AnalyzedExpression[], policy: Policy, document: string) {
  const { rule } = entries[0]!.ruleLogic;
  const comparisons = entries.flatMap(({ typed }) => {
    const { root, source } = typed.ast;
    const comparison = root.kind === 'call' ? comparisonOf(root) : undefined;
    if (comparison?.comparator !== '==') return [];
    const text = (range: { start: number; end: number }) => source.slice(range.start, range.end);
    const key = `${comparison.literal.literal.type} ${unparse({ ...typed.ast, root: comparison.operand })}`;
    return [{ key, operand: text(comparison.operand.range), literal: text(comparison.literal.range) }];
  });
  const [first] = comparisons;
  if (first === undefined || comparisons.length < entries.length || comparisons.some(({ key }) => key !== first.key)) {
    return undefined;
  }
  const source = `${first.operand} in [${comparisons.map(({ literal }) => literal).join(', ')}]`;
  const expressions = entries.map(({ expression }) => expression);
  return joinConditions(rule, { policy, document }, { title: `write \`${source}\``, entries: expressions, source });
}
