import type { Fix } from '@tollgate/diagnostics';
import { keepsOut } from '../../../analyses/access/access.ts';
import { checkLiterals } from '../../../analyses/literals/check-literals.ts';
import type { ValueTest } from '../../../expressions/value-tests.ts';
import { literalSource, sourceFix } from '../../../fixes/literal-fix.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../../rule-api/linted-expression.ts';

/** A prefix that ends inside a segment; one that ends in `/`, `-`, `.` or `=` is open on purpose. */
const INSIDE_NAME = /\/[\w.~%-]*[A-Za-z0-9]$/;

/** Reports `req.Path.startsWith('/admin')`. */
export const PREFIX_BOUNDARY: LintRule = {
  id: 'url/prefix-boundary',
  severity: 'warning',
  summary: 'path prefix that ends in the middle of a segment',
  rationale:
    'A path that starts with `/admin` may continue with any character, so `/administrator` and `/admin-guide` match too. Test for the ' +
    'path itself and for the path followed by a slash.',
  bad: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["«req.Path.startsWith('/admin')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: checkLiterals(['path', 'path-and-query'], ({ text, test, at }) => {
    if (test.kind !== 'startsWith' || !INSIDE_NAME.test(text) || !test.origin.isWhole) return undefined;
    const isGuard = at.role === 'condition' && keepsOut(at.rule);
    return {
      range: rangeInDocument(at, test.call.range),
      message: `\`${text}\` also matches \`${text}x\`; test for \`${text}\` and \`${text}/\``,
      args: { found: text, example: `${text}x` },
      fixes: [boundaryFix(at, test, text)],
      ...(!isGuard && { severity: 'info' }),
    };
  }),
};

function boundaryFix(at: LintedExpression, { call, operand, literals }: ValueTest, text: string): Fix {
  const source = sourceOf(at, operand.range);
  const quoted = sourceOf(at, literals[0]!.node.range);
  const below = literalSource(quoted, `${text}/`);
  const newText = `(${source} == ${quoted} || ${source}.startsWith(${below}))`;
  return sourceFix(at, call, {
    newText,
    title: `test for \`${text}\` and \`${text}/\``,
    applicability: 'suggestion',
  });
}
