import { type CallExpr, type Expr, type Literal, unparse } from '@tollgate/cel';
import { type Comparison, comparisonOf } from '@tollgate/cel/tooling';
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

/** Reports `m == 'GET' || m == 'HEAD'`. */
export const PREFER_IN: LintRule = {
  id: 'logic/prefer-in',
  severity: 'info',
  summary: 'chain of comparisons of one input with literals',
  rationale:
    '`x in [...]` states in one place what a chain of comparisons repeats, and leaves no room for a forgotten `!` or a miscopied name.',
  bad: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - «req.Method == 'PUT' || req.Method == 'POST'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: read-only
    expressions:
      - req.Method in ['PUT', 'POST']
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: {
    calls: {
      '_||_': (chain, at, context) => checkChain(chain, '==', { at, context }),
      '_&&_': (chain, at, context) => checkChain(chain, '!=', { at, context }),
    },
  },
};

interface CallSite {
  readonly at: LintedExpression;
  readonly context: LintContext;
}

function checkChain(chain: CallExpr, comparator: '==' | '!=', { at, context }: CallSite): void {
  const parent = at.ancestors.at(-1);
  if (parent !== undefined && isLogicalOperator(parent) && parent.function === chain.function) return;
  const comparisons = operandsOfChain(chain).map(({ node }) => asComparison(node, comparator));
  // Printing the operands takes far longer than everything else.
  if (
    !comparisons.some(
      (comparison, index) => index > 0 && comparison !== undefined && comparisons[index - 1] !== undefined,
    )
  )
    return;
  for (let first = 0; first < comparisons.length; ) {
    const run = runFrom(comparisons, first, at);
    const values = new Set(
      run.map(({ literal }) =>
        JSON.stringify(literal.literal, (_, item) => (typeof item === 'bigint' ? String(item) : item)),
      ),
    );
    // `logic/duplicate-operand` reports duplicates.
    if (
      values.size === run.length &&
      run.length >= 2 &&
      !isVolatile(at.typed, run[0]!.operand, volatileOverloads(context.file.profile))
    )
      report(run, { at, context });
    first += Math.max(run.length, 1);
  }
}

function asComparison(node: Expr, comparator: string): Comparison | undefined {
  const comparison = node.kind === 'call' ? comparisonOf(node) : undefined;
  const isFit =
    comparison?.comparator === comparator &&
    TYPES.has(comparison.literal.literal.type) &&
    comparison.operand.kind !== 'literal';
  return isFit ? comparison : undefined;
}

const TYPES: ReadonlySet<Literal['type']> = new Set(['string', 'int', 'uint', 'double']);

/** Returns the adjacent comparisons, from a position on, of the same operand with literals of the same type. */
function runFrom(all: readonly (Comparison | undefined)[], first: number, at: LintedExpression): readonly Comparison[] {
  const key = ({ operand, literal }: Comparison) =>
    `${literal.literal.type} ${unparse({ ...at.typed.ast, root: operand })}`;
  const start = all[first];
  if (start === undefined) return [];
  const startKey = key(start);
  const run: Comparison[] = [];
  for (const comparison of all.slice(first)) {
    if (comparison === undefined || key(comparison) !== startKey) break;
    const before = run.at(-1);
    if (before && !areNeighbours(at.typed.ast.source, before.node.range, comparison.node.range)) break;
    run.push(comparison);
  }
  return run;
}

function report(run: readonly Comparison[], { at, context }: CallSite): void {
  const { source } = at.typed.ast;
  const [first, last] = [run[0]!, run.at(-1)!];
  const operand = sourceOf(at, withParentheses(source, first.operand.range));
  const list = `${operand} in [${run.map(({ literal }) => sourceOf(at, literal.range)).join(', ')}]`;
  const newText = first.comparator === '==' ? list : `!(${list})`;
  const start = withParentheses(source, first.node.range).start;
  const { end } = withParentheses(source, last.node.range);
  const edits = editsOf(at, [{ range: { start, end }, newText }]);
  context.report({
    range: rangeInDocument(at, { start, end }),
    message: `\`${operand}\` is compared ${run.length} times; write \`${newText}\``,
    fixes: hasComment(source) ? [] : [{ title: `write \`${newText}\``, applicability: 'safe', edits }],
  });
}
