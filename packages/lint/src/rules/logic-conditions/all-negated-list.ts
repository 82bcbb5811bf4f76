import type { Expr } from '@tollgate/cel';
import { comparisonOf } from '@tollgate/cel/tooling';
import type { Policy } from '@tollgate/policy';
import { type AnalyzedExpression, expressionsOf, placeIn } from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import { variablePath } from '../../readers/source-nodes.ts';
import { joinConditions } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports the expressions `tls.A != 'a'` and `tls.B != 'b'` in a rule that denies. */
export const ALL_NEGATED_LIST: LintRule = {
  id: 'logic/all-negated-list',
  severity: 'warning',
  summary: 'rule that denies only if every one of several values differs',
  rationale:
    'The entries of `expressions` are joined by *and*. A rule that denies requests whose values differ from a list of expected ones ' +
    'denies only those that differ in *all* of them, so one correct value is enough to pass. Usually a single wrong value should be ' +
    'denied.',
  bad: {
    policy: `\
inbound:
  - name: expected device
    expressions:
      - «req.ClientTLS.CertCN != 'device-17'»
      - req.ClientTLS.SNI != 'devices.example.com'
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: expected device
    expressions:
      - req.ClientTLS.CertCN != 'device-17' || req.ClientTLS.SNI != 'devices.example.com'
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      for (const rule of policyLogic(policy, context.file).phases.flat()) {
        if (!rule.effect.ends || rule.rule.expressions.length < 2) continue;
        const entries = expressionsOf(rule);
        if (!testsExpectedValues(entries)) continue;
        const [first, ...others] = entries;
        const fix = orFix(entries, policy, context.file.source.text);
        context.report({
          range: placeIn(first!, first!.typed.ast.root.range),
          message: `rule matches only if all ${entries.length} entries differ; join them with \`||\` if one is enough`,
          args: { entries: entries.length },
          related: others.map(other => ({
            range: placeIn(other, other.typed.ast.root.range),
            message: 'must also hold',
          })),
          fixes: fix ? [fix] : [],
        });
      }
    },
  },
};

/** True for inputs that are each compared once and belong to one object, or number at least three: two unrelated ones may be an exception. */
function testsExpectedValues(entries: readonly AnalyzedExpression[]): boolean {
  const paths = new Set(entries.map(entry => negatedPath(entry)));
  if (paths.has(undefined) || paths.size < entries.length || paths.size < 2) return false;
  const owners = new Set([...paths].map(path => path!.slice(0, path!.lastIndexOf('.'))));
  return paths.size > 2 || (owners.size === 1 && [...owners][0]!.includes('.'));
}

function negatedPath({ typed }: AnalyzedExpression): string | undefined {
  const { root }: { root: Expr } = typed.ast;
  const comparison = root.kind === 'call' ? comparisonOf(root) : undefined;
  return comparison?.comparator === '!=' ? variablePath(typed, comparison.operand) : undefined;
}

function orFix(entries: readonly AnalyzedExpression[], policy: Policy, document: string) {
  const source = entries.map(({ typed }) => typed.ast.source.trim()).join(' || ');
  if (source.includes('//')) return undefined;
  const expressions = entries.map(({ expression }) => expression);
  const joined = { title: 'join the entries with `||`', entries: expressions, source };
  return joinConditions(entries[0]!.ruleLogic.rule, { policy, document }, joined);
}
