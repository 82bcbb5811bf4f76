import { type CallExpr, type Expr, unparse } from '@tollgate/cel';
import type { Fix } from '@tollgate/diagnostics';
import {
  areNeighbours,
  hasComment,
  isLogicalOperator,
  operandsOfChain,
  withParentheses,
} from '../../logic/operator-chain.ts';
import { isVolatile, volatileOverloads } from '../../logic/rule-logic.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `a && a`. */
export const DUPLICATE_OPERAND: LintRule = {
  id: 'logic/duplicate-operand',
  severity: 'warning',
  summary: 'duplicate operand in a chain of `&&` or `||`',
  rationale:
    'The repetition has no effect. Usually one of the two was copied and should have been changed, so the rule tests less than ' +
    'intended.',
  bad: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - req.Method == 'PUT' || req.Method == 'POST' || «req.Method == 'PUT'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - req.Method in ['PUT', 'POST', 'PATCH']
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: {
    expression: checkEntry,
    calls: { '_||_': checkChain, '_&&_': checkChain },
  },
};

function checkChain(chain: CallExpr, at: LintedExpression, context: LintContext): void {
  const parent = at.ancestors.at(-1);
  if (parent !== undefined && isLogicalOperator(parent) && parent.function === chain.function) return;
  const operands = operandsOfChain(chain).map(operand => operand.node);
  if (operands.every(operand => !operands.some(other => other !== operand && mayBeSame(operand, other)))) return;
  if (new Set(operands.map(roughKey)).size === operands.length) return;
  const texts = operands.map(node => unparse({ ...at.typed.ast, root: node }));
  operands.forEach((node, index) => {
    if (texts.indexOf(texts[index]!) === index || isVolatile(at.typed, node, volatileOverloads(context.file.profile)))
      return;
    const operator = chain.function === '_&&_' ? '&&' : '||';
    context.report({
      range: rangeInDocument(at, node.range),
      message: `\`${sourceOf(at, node.range)}\` is already an operand of this \`${operator}\`; remove it, or correct it`,
      args: { operator },
      fixes: removal(operands[index - 1]!, node, at),
      tags: ['unnecessary'],
    });
  });
}

/** Reports an entry of `expressions`, or an operand in it, that an earlier entry has: entries are joined by *and*. */
function checkEntry(at: LintedExpression, context: LintContext): void {
  const { expressions } = at.rule;
  const index = at.role === 'condition' ? expressions.findIndex(({ text }) => text === at.text) : -1;
  if (index < 1) return;
  const earlier = expressions.slice(0, index).flatMap(({ typed }) => (typed ? conjunctsOf(typed.ast.root) : []));
  const keys = new Set(earlier.map(roughKey));
  const repeated = conjunctsOf(at.typed.ast.root).filter(node => keys.has(roughKey(node)));
  if (repeated.length === 0) return;
  const texts = new Set(
    expressions
      .slice(0, index)
      .flatMap(({ typed }) =>
        typed ? conjunctsOf(typed.ast.root).map(node => unparse({ ...typed.ast, root: node })) : [],
      ),
  );
  for (const node of repeated) {
    const isKnown = texts.has(unparse({ ...at.typed.ast, root: node }));
    if (!isKnown || isVolatile(at.typed, node, volatileOverloads(context.file.profile))) continue;
    context.report({
      range: rangeInDocument(at, node.range),
      message: `\`${sourceOf(at, node.range)}\` is tested by an earlier entry of \`expressions\`; remove it, or correct it`,
      args: { operator: '&&' },
      tags: ['unnecessary'],
    });
  }
}

function conjunctsOf(node: Expr): readonly Expr[] {
  if (node.kind !== 'call' || node.function !== '_&&_') return [node];
  return operandsOfChain(node).map(operand => operand.node);
}

/** Quick test, false for most operands that differ; printing them takes longer. */
function mayBeSame(a: Expr, b: Expr): boolean {
  return a.kind === b.kind && (a.kind !== 'call' || b.kind !== 'call' || a.function === b.function);
}

/** Returns a key that differs for most operands that differ; printing all of them takes far longer. */
function roughKey(node: Expr): string {
  if (node.kind !== 'call') return node.kind;
  const literals = node.args.map(arg => (arg.kind === 'literal' ? String(arg.literal.value) : arg.kind));
  return `${node.function} ${literals.join(' ')}`;
}

/** Offers no fix if it would leave an unbalanced parenthesis. */
function removal(before: Expr, node: Expr, at: LintedExpression): readonly Fix[] {
  const { source } = at.typed.ast;
  if (hasComment(source) || !areNeighbours(source, before.range, node.range)) return [];
  const start = withParentheses(source, before.range).end;
  const { end } = withParentheses(source, node.range);
  const edits = editsOf(at, [{ range: { start, end }, newText: '' }]);
  return [{ title: 'remove the duplicate operand', applicability: 'safe', edits }];
}
