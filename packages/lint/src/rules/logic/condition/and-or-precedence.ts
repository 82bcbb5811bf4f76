import type { CallExpr } from '@tollgate/cel';
import { hasComment, withParentheses } from '../../../logic/conditions/operator-chain.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../../rule-api/linted-expression.ts';

/** `a || b && c`. */
export const AND_OR_PRECEDENCE: LintRule = {
  id: 'logic/and-or-precedence',
  severity: 'warning',
  summary: '`&&` beside `||` without parentheses',
  rationale:
    '`&&` binds tighter than `||`, so `a || b && c` is `a || (b && c)`. Many readers, and many writers, take it for `(a || b) && c`: then the ' +
    'rule matches traffic that it was meant to leave alone. Parentheses say what is meant.',
  bad: {
    policy: `\
inbound:
  - name: internal area
    expressions:
      - req.Path == '/metrics/' || «req.Path == '/debug/' && req.Method == 'POST'»
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: internal area
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
          const message = '`&&` binds tighter than the `||` beside it; put parentheses around what belongs together';
          context.report({ range: placeOf(at, arg.range), message, fixes });
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
  return { title: 'put it in parentheses', applicability: 'safe', edits } as const;
}
