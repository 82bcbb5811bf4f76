import type { Fix } from '@tollgate/diagnostics';
import { keepsOut } from '../../../analyses/access/access.ts';
import { stringLiteralsOf, type ValueTest } from '../../../expressions/value-tests.ts';
import { literalSource, sourceFix } from '../../../fixes/literal-fix.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf, sourceOf } from '../../../rule-api/linted-expression.ts';

/** Ends in the middle of a name; one that ends in `/`, `-`, `.` or `=` is meant to go on. */
const INSIDE_NAME = /\/[\w.~%-]*[A-Za-z0-9]$/;

/** `req.Path.startsWith('/admin')`. */
export const PREFIX_BOUNDARY: LintRule = {
  id: 'url/prefix-boundary',
  severity: 'warning',
  summary: 'the beginning of a path that ends in the middle of a name',
  rationale:
    'A text that begins with `/admin` may go on with any letter: `/administrator` and `/admin-guide` are in, too. What is below a ' +
    'path begins with the path and a slash.',
  bad: {
    policy: `\
inbound:
  - name: the back office is closed
    expressions: ["«req.Path.startsWith('/admin')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the back office is closed
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      const tests = at.analysis.testsOf('path', 'path-and-query').filter(test => test.kind === 'startsWith');
      for (const { test, text } of stringLiteralsOf(tests)) {
        if (!INSIDE_NAME.test(text) || !test.origin.isWhole) continue;
        const isGuard = at.role === 'condition' && keepsOut(at.rule);
        context.report({
          range: placeOf(at, test.call.range),
          message: `\`${text}\` is also the beginning of \`${text}x\`; ask for \`${text}/\`, and for \`${text}\` itself`,
          args: { found: text, example: `${text}x` },
          fixes: [boundaryFix(at, test, text)],
          ...(!isGuard && { severity: 'info' }),
        });
      }
    },
  },
};

function boundaryFix(at: LintedExpression, { call, operand, literals }: ValueTest, text: string): Fix {
  const source = sourceOf(at, operand.range);
  const quoted = sourceOf(at, literals[0]!.node.range);
  const below = literalSource(quoted, `${text}/`);
  const newText = `(${source} == ${quoted} || ${source}.startsWith(${below}))`;
  return sourceFix(at, call, {
    newText,
    title: `ask for \`${text}\` and what is below it`,
    applicability: 'suggestion',
  });
}
