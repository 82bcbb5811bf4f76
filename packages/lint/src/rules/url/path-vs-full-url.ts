import type { Fix } from '@tollgate/diagnostics';
import { checkLiterals } from '../../analyses/literals.ts';
import { markedNode, type ValueTest } from '../../readers/value-tests.ts';
import { sourceFix } from '../../rule-api/fixes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** A path or its end, without parts of a host or query. */
const PATH = /^\/[\w./~%-]*$/;
const PATH_END = /^(?:\/[\w./~%-]*|\.\w+)$/;
/** Part of a path, such as `v0/`. */
const PATH_PART = /^[\w.~%-]*\/[\w./~%-]*$/;

/** Reports `req.URL.contains('/admin')`. */
export const PATH_VS_FULL_URL: LintRule = {
  id: 'url/path-vs-full-url',
  severity: 'warning',
  summary: 'path compared with the whole URL',
  rationale:
    'The URL includes the scheme, host and query. A path never equals or starts it; as a substring it also matches query parameters ' +
    '(`?next=/admin`); as a suffix it fails if there is a query. Use the variable for the path.',
  bad: {
    policy: `\
inbound:
  - name: no Git metadata
    expressions: ["«req.URL.contains('/.git/')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no Git metadata
    expressions: ["req.Path.contains('/.git/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: checkLiterals(['url'], ({ text, test, at, context }) => {
    const problem = problemOf(test, text);
    const path = context.file.roles.paths.get('path');
    if (problem === undefined || path === undefined) return undefined;
    return {
      range: rangeInDocument(at, markedNode(test).range),
      message: `\`${text}\` ${problem}; test \`${path}\` instead`,
      args: { found: text, use: path },
      fixes: fixFor(at, test, context, path),
    };
  }),
};

function problemOf({ kind }: ValueTest, text: string): string | undefined {
  switch (kind) {
    case '==':
    case '!=':
    case 'in':
      return PATH.test(text) ? 'never equals a URL, which starts with the scheme' : undefined;
    case 'startsWith':
      return PATH.test(text) ? 'never starts a URL, which starts with the scheme' : undefined;
    case 'endsWith':
      return PATH_END.test(text) ? 'does not end a URL that has a query' : undefined;
    case 'contains':
      return PATH_PART.test(text) ? 'also matches in the query of a URL' : undefined;
    default:
      return undefined;
  }
}

/** Offers a fix if the operand is the URL variable itself. */
function fixFor(at: LintedExpression, { operand }: ValueTest, { file }: LintContext, path: string): readonly Fix[] {
  const isUrl =
    operand.kind === 'select' && !file.roles.variables.get(path)?.phases.every(phase => phase !== at.rule.phase);
  return isUrl
    ? [sourceFix(at, operand, { newText: path, title: `test \`${path}\``, applicability: 'suggestion' })]
    : [];
}
