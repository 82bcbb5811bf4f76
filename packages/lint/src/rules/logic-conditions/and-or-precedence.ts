import type { CallExpr } from '@tollgate/cel';
import { hasComment, withParentheses } from '../../logic/operator-chain.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `a || b && c`. */
export const AND_OR_PRECEDENCE: LintRule = {
  id: 'logic/and-or-precedence',
  severity: 'warning',
  summary: 'mixed `&&` and `||` without parentheses',
  rationale:
    '`&&` binds tighter than `||`, so `a || b && c` means `a || (b && c)`. It is easily misread, or miswritten, as `(a || b) && c`; ' +
    'the rule then matches traffic that it was not meant for. Parentheses make the meaning clear.',
  bad: {
    policy: `\
inbound:
  - name: no internal pages
    expressions:
      - req.Path == '/metrics/' || «req.Path == '/debug/' && req.Method == 'POST'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no internal pages
    expressions:
      - req.Path == '/metrics/' || (req.Path == '/debug/' && req.Method == 'POST')
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: {
    calls: {
      '_||_': (call, at, context) => {
        for (const arg of call.args) {
          if (arg.kind !== 'call' || arg.function !== '_&&_' || isInParentheses(arg, at)) continue;
          const fixes = hasComment(at.typed.ast.source) ? [] : [parenthesesFix(arg, at)];
          const message = '`&&` binds tighter than the adjacent `||`; add parentheses';
          context.report({ range: rangeInDocument(at, arg.range), message, fixes });
        }
      },
    },
  },
};

function isInParentheses({ range }: CallExpr, { typed }: LintedExpression): boolean {
  return withParentheses(typed.ast.source, range).start < range.start;
}

function parenthesesFix({ range }: CallExpr, at: LintedExpression) {
  const edits = editsOf(at, [{ range, newText: `(${sourceOf(at, range)})` }]);
  return { title: 'add parentheses', applicability: 'safe', edits } as const;
}
