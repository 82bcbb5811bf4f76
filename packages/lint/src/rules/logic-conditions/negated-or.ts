import type { Expr } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import { editScalar } from '@tollgate/policy';
import {
  type AnalyzedExpression,
  hasComment,
  isLogicalOperator,
  operandsOfChain,
  placeIn,
} from '../../logic/operator-chain.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `x != 'a' || x != 'b'`. */
export const NEGATED_OR: LintRule = {
  id: 'logic/negated-or',
  severity: 'warning',
  summary: 'negated tests of one input joined by `||`',
  rationale:
    'No value equals both `a` and `b`, so `x != a || x != b` is true for every `x`. Use `x != a && x != b` to exclude both.',
  bad: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - «req.Method != 'GET' || req.Method != 'HEAD'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - "!(req.Method in ['GET', 'HEAD'])"
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      for (const { kind, analyzed, range, parts } of policyLogic(policy, context.file).verdicts) {
        if (kind !== 'negated-or') continue;
        const [a, b] = parts.map(part => analyzed.typed.ast.source.slice(part.range.start, part.range.end));
        const fix = andFix(analyzed, parts, context.file.source.text);
        context.report({
          range: placeIn(analyzed, range),
          message: `\`${a}\` or \`${b}\` is true for every value; use \`&&\` to exclude both`,
          args: { first: a!, second: b! },
          fixes: fix ? [fix] : [],
        });
      }
    },
  },
};

/** Offers a fix if the chain consists of these two operands. */
function andFix({ expression, typed }: AnalyzedExpression, [a, b]: readonly Expr[], document: string): Fix | undefined {
  const { source, root } = typed.ast;
  const between = { start: a!.range.end, end: b!.range.start };
  const operator = source.slice(between.start, between.end).indexOf('||');
  const isPair = isLogicalOperator(root) && operandsOfChain(root).length === 2 && root.function === '_||_';
  if (!isPair || operator < 0 || hasComment(source)) return undefined;
  const start = between.start + operator;
  const edits = editScalar(document, expression.text, [{ range: { start, end: start + 2 }, newText: '&&' }]);
  return { title: 'use `&&`', applicability: 'suggestion', edits };
}
