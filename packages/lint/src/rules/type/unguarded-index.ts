import type { CallExpr } from '@tollgate/cel';
import { guardFixes } from '../../analyses/failures/guard-fix.ts';
import { isGuarded, isWantedToExist } from '../../analyses/failures/guards.ts';
import { type HeaderRead, headerReadOf } from '../../expressions/header-reads.ts';
import { literalSource } from '../../fixes/literal-fix.ts';
import { spelledHeader } from '../../profile/header-spelling.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** `req.Headers['X-Token'][0] != 'x'`. */
export const UNGUARDED_INDEX: LintRule = {
  id: 'type/unguarded-index',
  severity: 'warning',
  summary: 'a header that is read without asking whether it is there',
  rationale:
    'Reading a header that a request does not have is an error, and a condition that ends in an error does not match. Where the rule is to ' +
    'refuse requests, leaving the header out is then the way past it. Ask with `in` first, or use the functions that give a default.',
  bad: {
    policy: `\
inbound:
  - name: partners only
    expressions: ["«req.Headers['X-Partner']»[0] != 'acme'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: partners only
    expressions: ["!('X-Partner' in req.Headers) || req.Headers['X-Partner'][0] != 'acme'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    calls: {
      '_[_]': (call, at, context) => {
        const read = headerReadOf(at.typed, call);
        if (!read || at.role !== 'condition' || isGuarded(read, call, at)) return;
        report(read, call, at, context);
      },
    },
  },
};

/**
 * What is filled in elsewhere becomes an empty text, and a key that is not there counts as an empty one: neither keeps a rule from matching.
 * Where only a value that is there can make the condition hold, an error does what is meant: then it is only noted. */
function report(read: HeaderRead, call: CallExpr, at: LintedExpression, context: LintContext): void {
  const name = literalSource(sourceOf(at, read.key.range), spelledHeader(read.name, context.file.profile));
  const failsRequests = context.file.profile.switches.evaluationError === 'fail-request';
  context.report({
    range: placeOf(at, call.range),
    message: `a request without \`${read.name}\` ends in an error here, and the rule does not match; ask \`${name} in ${read.path}\` first`,
    args: { header: read.name, path: read.path },
    fixes: guardFixes(at, call, `${name} in ${read.path}`),
    ...(!failsRequests && isWantedToExist(at.ancestors) && { severity: 'info' }),
  });
}
