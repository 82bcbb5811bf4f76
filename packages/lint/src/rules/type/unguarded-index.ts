import type { CallExpr } from '@tollgate/cel';
import { guardFixes, isGuarded, isWantedValue, unguardedMessage } from '../../analyses/guards.ts';
import { type HeaderRead, headerReadOf } from '../../readers/lookups.ts';
import { spelledHeader } from '../../readers/profile-roles.ts';
import { literalSource } from '../../rule-api/fixes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `req.Headers['X-Token'][0] != 'x'`. */
export const UNGUARDED_INDEX: LintRule = {
  id: 'type/unguarded-index',
  severity: 'warning',
  summary: 'header read without testing that it exists',
  rationale:
    'Reading a header that the request does not have is an error, and a condition that ends in an error does not match. If the rule is ' +
    'meant to deny requests, clients bypass it by omitting the header. Test with `in` first, or use the functions that return an empty ' +
    'list for a missing header.',
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
  options: [
    {
      name: 'everywhere',
      type: { kind: 'bool' },
      default: false,
      doc: 'Whether to report reads whose failure has the intended effect as well, with the severity `info`.',
    },
  ],
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
 * Only conditions are checked: in interpolations and rate limit keys, a missing header counts as an empty string.
 * If only an existing value can make the condition hold, an error has the intended effect and is reported, as info, only if an option asks for it.
 */
function report(read: HeaderRead, call: CallExpr, at: LintedExpression, context: LintContext): void {
  const failsRequests = context.file.profile.switches.evaluationError === 'fail-request';
  const isIntended = !failsRequests && isWantedValue(at.ancestors);
  if (isIntended && context.options.everywhere !== true) return;
  const name = literalSource(sourceOf(at, read.key.range), spelledHeader(read.name, context.file.profile));
  const question = `${name} in ${read.path}`;
  const side = read.path.startsWith('res.') ? 'response' : 'request';
  context.report({
    range: rangeInDocument(at, call.range),
    message: unguardedMessage({ name: read.name, side, question }, at, context.file),
    args: { header: read.name, path: read.path },
    fixes: guardFixes(at, call, { question, key: { range: read.key.range, source: name } }),
    ...(isIntended && { severity: 'info' }),
  });
}
