import { placedOperator } from '@tollgate/cel/tooling';
import type { Fix } from '@tollgate/diagnostics';
import { guards } from '../../analyses/access.ts';
import { checkLiterals } from '../../analyses/literals.ts';
import { markedNode, openPrefixOf, type ValueTest } from '../../readers/value-tests.ts';
import { literalSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

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
  options: [
    {
      name: 'routes',
      type: { kind: 'bool' },
      default: false,
      doc: 'Whether to report prefixes in rules that neither refuse nor check requests, such as routes, with the severity `info`.',
    },
  ],
  check: checkLiterals(['path', 'path-and-query'], ({ text: literal, test, at, context }) => {
    const text = openPrefixOf(test.kind, literal);
    if (text === undefined || !test.origin.isWhole) return undefined;
    const isGuard = at.role === 'condition' && guards(at.rule);
    if (!isGuard && context.options.routes !== true) return undefined;
    return {
      range: rangeInDocument(at, markedNode(test).range),
      message: `\`${text}\` also matches \`${text}x\`; test for \`${text}\` and \`${text}/\``,
      args: { found: text, example: `${text}x` },
      fixes: test.isListed ? [] : [boundaryFix(at, test, text)],
      ...(!isGuard && { severity: 'info' }),
    };
  }),
};

function boundaryFix(at: LintedExpression, { call, operand, literals }: ValueTest, text: string): Fix {
  const source = sourceOf(at, operand.range);
  const written = sourceOf(at, literals[0]!.node.range);
  const quoted = literalSource(written, text);
  const below = literalSource(written, `${text}/`);
  const newText = `${source} == ${quoted} || ${source}.startsWith(${below})`;
  return sourceFix(at, call, {
    newText: placedOperator(newText, '||', { source: at.typed.ast.source, range: call.range }),
    title: `test for \`${text}\` and \`${text}/\``,
    applicability: 'suggestion',
  });
}
