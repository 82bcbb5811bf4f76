import { costOf, type Expr } from '@tollgate/cel';
import { asWritten } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** The first operand is reported if it costs at least this many times as much as the second. */
const RATIO = 20;

/** Reports `req.Path.matches('…') && req.Method == 'POST'`, where the comparison should come first. */
export const CHEAP_FIRST: LintRule = {
  id: 'cost/cheap-first',
  severity: 'info',
  summary: 'expensive operand of `&&` before a cheap one',
  rationale:
    '`&&` evaluates its operands from left to right and stops at the first that is false. A pattern match or loop in front of a plain ' +
    'comparison therefore runs even for requests that the comparison would have ruled out.',
  bad: {
    policy: `\
inbound:
  - name: no unusual order ids
    expressions: ["req.Path.matches('^/orders/[^/]*[^a-z/]') && «req.Method == 'POST'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no unusual order ids
    expressions: ["req.Method == 'POST' && req.Path.matches('^/orders/[^/]*[^a-z/]')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'unsafe',
  presets: ['strict'],
  check: {
    calls: {
      '_&&_': (call, at, context) => {
        const [first, second] = call.args;
        // A longer chain nests to the left, so this also compares the first two operands of every chain.
        if (!first || !second || !isCostly(asWritten(at.typed.ast, first)) || !isPlain(second)) return;
        const [expensive, cheap] = [first, second].map(node => costAt(at, node, context));
        if (expensive! < cheap! * RATIO) return;
        const [expensiveSource, cheapSource] = [sourceOf(at, first.range), sourceOf(at, second.range)];
        // Swapping the operands alone keeps the parentheses around them.
        const edits = editsOf(at, [
          { range: first.range, newText: cheapSource },
          { range: second.range, newText: expensiveSource },
        ]);
        context.report({
          range: rangeInDocument(at, second.range),
          message: `\`${cheapSource}\` costs far less than the operand before it; move it to the front`,
          fixes: [{ title: 'swap the operands', applicability: 'unsafe', edits }],
        });
      },
    },
  },
};

const LOOPS: ReadonlySet<string> = new Set(['matches', 'exists', 'all', 'exists_one']);

function isCostly(node: Expr): boolean {
  return node.kind === 'call' && LOOPS.has(node.function);
}

/** True for a comparison of inputs and literals without an index that may fail: it guards nothing and needs no guard. */
function isPlain(node: Expr): boolean {
  return node.kind === 'call' && ['_==_', '_!=_', '@in'].includes(node.function) && node.args.every(isSimple);
}

function isSimple(node: Expr): boolean {
  if (node.kind === 'list') return node.elements.every(element => element.kind === 'literal');
  if (node.kind === 'select') return isSimple(node.operand);
  return node.kind === 'literal' || node.kind === 'ident';
}

function costAt({ typed }: LintedExpression, root: Expr, { file }: LintContext): number {
  return costOf({ ...typed, ast: { ...typed.ast, root } }, file.roles.sizes).max;
}
