import type { CallExpr, Expr, Literal } from '@tollgate/cel';
import { unparse } from '@tollgate/cel';
import { type Comparison, comparisonOf } from '../../../expressions/comparisons.ts';
import {
  areNeighbours,
  hasComment,
  isLogicalOperator,
  operandsOfChain,
  withParentheses,
} from '../../../logic/conditions/operator-chain.ts';
import { isVolatile, volatileOverloads } from '../../../logic/effects/volatile-calls.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../../rule-api/linted-expression.ts';

/** `m == 'GET' || m == 'HEAD'`. */
export const PREFER_IN: LintRule = {
  id: 'logic/prefer-in',
  severity: 'info',
  summary: 'one value compared with several literals in a row',
  rationale:
    '`x in [...]` says in one place what a chain of comparisons says in many, and cannot be spoilt by a forgotten `!` or a copied name.',
  bad: {
    policy: `\
inbound:
  - name: no writing
    expressions:
      - «req.Method == 'PUT' || req.Method == 'POST'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no writing
    expressions:
      - req.Method in ['PUT', 'POST']
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended', 'style'],
  check: {
    calls: {
      '_||_': (chain, at, context) => checkChain(chain, '==', { at, context }),
      '_&&_': (chain, at, context) => checkChain(chain, '!=', { at, context }),
    },
  },
};

interface Visit {
  readonly at: LintedExpression;
  readonly context: LintContext;
}

function checkChain(chain: CallExpr, comparator: '==' | '!=', { at, context }: Visit): void {
  const parent = at.ancestors.at(-1);
  if (parent !== undefined && isLogicalOperator(parent) && parent.function === chain.function) return;
  const comparisons = operandsOfChain(chain).map(({ node }) => asComparison(node, comparator));
  // Printing what is compared takes far longer than all else.
  if (!comparisons.some((one, index) => index > 0 && one !== undefined && comparisons[index - 1] !== undefined)) return;
  for (let first = 0; first < comparisons.length; ) {
    const run = runFrom(comparisons, first, at);
    const values = new Set(
      run.map(({ value }) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))),
    );
    // The same twice is said elsewhere.
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
  const found = node.kind === 'call' ? comparisonOf(node) : undefined;
  const isFit = found?.comparator === comparator && TYPES.has(found.value.type) && found.operand.kind !== 'literal';
  return isFit ? found : undefined;
}

const TYPES: ReadonlySet<Literal['type']> = new Set(['string', 'int', 'uint', 'double']);

/** The comparisons in a row, from a position on, that are of the same operand with literals of the same type. */
function runFrom(all: readonly (Comparison | undefined)[], first: number, at: LintedExpression): readonly Comparison[] {
  const text = ({ operand, value }: Comparison) => `${value.type} ${unparse({ ...at.typed.ast, root: operand })}`;
  const start = all[first];
  if (start === undefined) return [];
  const wanted = text(start);
  const run: Comparison[] = [];
  for (const one of all.slice(first)) {
    if (one === undefined || text(one) !== wanted) break;
    const before = run.at(-1);
    if (before && !areNeighbours(at.typed.ast.source, before.node.range, one.node.range)) break;
    run.push(one);
  }
  return run;
}

function report(run: readonly Comparison[], { at, context }: Visit): void {
  const { source } = at.typed.ast;
  const [first, last] = [run[0]!, run.at(-1)!];
  const operand = sourceOf(at, withParentheses(source, first.operand.range));
  const list = `${operand} in [${run.map(one => sourceOf(at, one.literal.range)).join(', ')}]`;
  const newText = first.comparator === '==' ? list : `!(${list})`;
  const start = withParentheses(source, first.node.range).start;
  const { end } = withParentheses(source, last.node.range);
  const edits = editsOf(at, [{ range: { start, end }, newText }]);
  context.report({
    range: placeOf(at, { start, end }),
    message: `\`${operand}\` is compared ${run.length} times; write \`${newText}\``,
    fixes: hasComment(source) ? [] : [{ title: `write \`${newText}\``, applicability: 'safe', edits }],
  });
}
