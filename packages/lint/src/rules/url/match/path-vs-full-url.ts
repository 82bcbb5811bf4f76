import type { Fix } from '@tollgate/diagnostics';
import { stringLiteralsOf, type ValueTest } from '../../../expressions/value-tests.ts';
import { sourceFix } from '../../../fixes/literal-fix.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../../rule-api/linted-expression.ts';

/** A path or the end of one, and nothing of a host or of a query. */
const PATH = /^\/[\w./~%-]*$/;
const PATH_END = /^(?:\/[\w./~%-]*|\.\w+)$/;
/** Parts of a path, as `v0/`. */
const PATH_PART = /^[\w.~%-]*\/[\w./~%-]*$/;

/** `req.URL.contains('/admin')`. */
export const PATH_VS_FULL_URL: LintRule = {
  id: 'url/path-vs-full-url',
  severity: 'warning',
  summary: 'a path looked for in the whole URL',
  rationale:
    'The URL goes from the scheme to the query. A path is never equal to it, nor its beginning; looked for inside of it, it is found ' +
    'in parameters too (`?next=/admin`), and at its end it is not found when there are some. The path has a variable of its own.',
  bad: {
    policy: `\
inbound:
  - name: no secrets
    expressions: ["«req.URL.contains('/.git/')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no secrets
    expressions: ["req.Path.contains('/.git/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      for (const { test, text } of stringLiteralsOf(at.analysis.testsOf('url'))) {
        const problem = problemOf(test, text);
        const path = context.file.roles.paths.get('path');
        if (problem === undefined || path === undefined) continue;
        context.report({
          range: placeOf(at, test.call.range),
          message: `\`${text}\` ${problem}; ask \`${path}\` for it`,
          args: { found: text, use: path },
          fixes: fixFor(at, test, context, path),
        });
      }
    },
  },
};

function problemOf({ kind }: ValueTest, text: string): string | undefined {
  switch (kind) {
    case '==':
    case '!=':
    case 'in':
      return PATH.test(text) ? 'never equals a URL, which begins with the scheme' : undefined;
    case 'startsWith':
      return PATH.test(text) ? 'is no beginning of a URL, which has the scheme there' : undefined;
    case 'endsWith':
      return PATH_END.test(text) ? 'is not found at the end of a URL that has parameters' : undefined;
    case 'contains':
      return PATH_PART.test(text) ? 'is found in the parameters of a URL too' : undefined;
    default:
      return undefined;
  }
}

/** Of an operand that is the URL itself. */
function fixFor(at: LintedExpression, { operand }: ValueTest, { file }: LintContext, path: string): readonly Fix[] {
  const isUrl =
    operand.kind === 'select' && !file.roles.variables.get(path)?.phases.every(phase => phase !== at.rule.phase);
  return isUrl
    ? [sourceFix(at, operand, { newText: path, title: `ask \`${path}\``, applicability: 'suggestion' })]
    : [];
}
