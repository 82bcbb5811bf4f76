import type { CallExpr, TypedAst } from '@tollgate/cel';
import { guardFixes, isGuarded, isWantedValue, unguardedMessage } from '../../analyses/guards.ts';
import { type Lookup, lookupsIn } from '../../readers/lookups.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import { sourceNodes } from '../../readers/source-nodes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `getReqHeader('X-Partner')[0] != 'acme'` and `req.Params['q'][0] != ''`. */
export const UNGUARDED_LOOK_UP: LintRule = {
  id: 'type/unguarded-look-up',
  severity: 'warning',
  summary: 'first value of a header or parameter read without a test',
  rationale:
    'Lookup functions return an empty list for a missing header or parameter. Reading its first value is an error, and a condition ' +
    'that ends in an error does not match. If the rule is meant to deny requests, clients bypass it by omitting the value. Test that ' +
    'it exists first.',
  bad: {
    policy: `\
inbound:
  - name: partners only
    expressions: ["«getReqHeader('X-Partner')[0]» != 'acme'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: partners only
    expressions: ["!hasReqHeader('X-Partner') || getReqHeader('X-Partner')[0] != 'acme'"]
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
        if (at.role !== 'condition') return;
        const read = at.analysis.lookups.find(lookup => isRead(lookup, call, at.typed));
        if (!read || isAskedFor(read, call, at, context.file.roles)) return;
        const failsRequests = context.file.profile.switches.evaluationError === 'fail-request';
        const isIntended = !failsRequests && isWantedValue(at.ancestors);
        if (isIntended && context.options.everywhere !== true) return;
        const side = read.role.startsWith('response') ? 'response' : 'request';
        const asked = question(read, at);
        context.report({
          range: rangeInDocument(at, call.range),
          message: unguardedMessage({ name: read.name, side, question: asked }, at, context.file),
          args: { name: read.name },
          fixes: guardFixes(at, call, { question: asked }),
          ...(isIntended && { severity: 'info' }),
        });
      },
    },
  },
};

const HEADERS = /^re(?:quest|sponse)-headers$/;

/** True if the index fails for a missing name. Header maps are left to `type/unguarded-index`. */
function isRead({ node, role }: Lookup, call: CallExpr, { types }: TypedAst): boolean {
  if (node.id === call.id) return !HEADERS.test(role);
  const isOfFunction = node.kind === 'call' && node.function !== '_[_]' && node.function !== '@in';
  return isOfFunction && node.id === call.args[0]?.id && types[node.id]?.kind === 'list';
}

/**
 * True if the conditions of the rule also use the name in another way, which means that its absence was considered. A membership test
 * counts only where it guards the read.
 */
function isAskedFor(read: Lookup, call: CallExpr, at: LintedExpression, roles: ProfileRoles): boolean {
  const uses = otherUses(read, at, roles);
  const isOnlyTested = uses.every(({ node }) => node.kind === 'call' && node.function === '@in');
  return uses.length > 0 && (!isOnlyTested || isGuarded(read, call, at));
}

function otherUses(read: Lookup, at: LintedExpression, roles: ProfileRoles): readonly Lookup[] {
  const name = read.name.toLowerCase();
  return at.rule.expressions.flatMap(({ typed }) => {
    if (!typed) return [];
    const nodes = sourceNodes(typed.ast);
    const indices = nodes.flatMap(({ node }) => (node.kind === 'call' && node.function === '_[_]' ? [node] : []));
    return lookupsIn(typed, roles, nodes).filter(
      other =>
        other.role === read.role &&
        other.name.toLowerCase() === name &&
        !indices.some(index => index.id === other.node.id || index.args[0]?.id === other.node.id),
    );
  });
}

function question({ node, key, path }: Lookup, at: LintedExpression): string {
  const isFunction = node.kind === 'call' && node.function !== '_[_]';
  return isFunction ? `size(${sourceOf(at, node.range)}) > 0` : `${sourceOf(at, key.range)} in ${path}`;
}
