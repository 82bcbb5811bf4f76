import { costOf, type Expr } from '@tollgate/cel';
import { written } from '../../expressions/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** How many times as much the first operand may cost. */
const RATIO = 20;

/** `req.Path.matches('…') && req.Method == 'POST'`. */
export const CHEAP_FIRST: LintRule = {
  id: 'cost/cheap-first',
  severity: 'info',
  summary: 'the costly part of a condition asked before the cheap one',
  rationale:
    'Operands of `&&` are evaluated from the left, until one is false. A pattern or a loop before a plain comparison runs for ' +
    'requests that the comparison would have ruled out at once.',
  bad: {
    policy: `\
inbound:
  - name: orders in another alphabet
    expressions: ["req.Path.matches('^/orders/[^/]*[^a-z/]') && «req.Method == 'POST'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: orders in another alphabet
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
        // Of a longer chain the innermost pair is looked at, which stands first.
        if (!first || !second || !isCostly(written(at.typed.ast, first)) || !isPlain(second)) return;
        const [dear, cheap] = [first, second].map(node => costAt(at, node, context));
        if (dear! < cheap! * RATIO) return;
        const [dearSource, cheapSource] = [sourceOf(at, first.range), sourceOf(at, second.range)];
        // Each in the place of the other, so that brackets around them stay.
        const edits = editsOf(at, [
          { range: first.range, newText: cheapSource },
          { range: second.range, newText: dearSource },
        ]);
        context.report({
          range: placeOf(at, second.range),
          message: `\`${cheapSource}\` costs far less than what stands before it; ask it first`,
          fixes: [{ title: 'ask it first', applicability: 'unsafe', edits }],
        });
      },
    },
  },
};

const LOOPS: ReadonlySet<string> = new Set(['matches', 'exists', 'all', 'exists_one']);

function isCostly(node: Expr): boolean {
  return node.kind === 'call' && LOOPS.has(node.function);
}

/** A comparison of inputs and literals, without an index that may fail: it guards nothing and needs no guard. */
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
