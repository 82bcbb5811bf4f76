import type { Expr } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import { comparisonOf } from '../../../expressions/comparisons.ts';
import { variablePath } from '../../../expressions/variable-path.ts';
import { joinConditions } from '../../../fixes/join-conditions.ts';
import { type AnalyzedExpression, expressionsOf, placeIn } from '../../../logic/conditions/analyzed-expression.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** Entries `tls.A != 'a'`, `tls.B != 'b'`, then `deny`. */
export const ALL_NEGATED_LIST: LintRule = {
  id: 'logic/all-negated-list',
  severity: 'warning',
  summary: 'a refusal that needs every one of several values to differ',
  rationale:
    'The entries of `expressions` are joined by *and*. A rule that refuses what differs from a list of expected values refuses only what ' +
    'differs in *all* of them: one right value is enough to pass. Usually one wrong value was meant to be enough to be refused.',
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
        if (!asksForExpectedValues(entries)) continue;
        const [first, ...others] = entries;
        const fix = orFix(entries, policy, context.file.source.text);
        context.report({
          range: placeIn(first!, first!.typed.ast.root.range),
          message: `this refuses only what differs in all ${entries.length} entries; join them by \`||\` in one entry if one is enough`,
          args: { entries: entries.length },
          related: others.map(one => ({
            range: placeIn(one, one.typed.ast.root.range),
            message: 'must hold as well',
          })),
          fixes: fix ? [fix] : [],
        });
      }
    },
  },
};

/** Differing paths, each compared once, of one object or at least three of them: two that have nothing in common may well be an exception. */
function asksForExpectedValues(entries: readonly AnalyzedExpression[]): boolean {
  const paths = new Set(entries.map(one => negatedPath(one)));
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
  const expressions = entries.map(one => one.expression);
  const joined = { title: 'join them by `||`', entries: expressions, source };
  return joinConditions(entries[0]!.of.rule, { policy, document }, joined);
}
