import { guards } from '../../analyses/access.ts';
import { checkPatterns } from '../../analyses/patterns.ts';
import { originOf } from '../../readers/value-origin.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `req.Path.matches('/admin')`. */
export const UNANCHORED_PATH: LintRule = {
  id: 'regex/unanchored-path',
  severity: 'warning',
  summary: 'pattern for the start of a path that matches anywhere in it',
  rationale:
    '`matches` succeeds if the pattern occurs anywhere: `/admin` also matches `/docs/admin-guide`. A pattern that begins with the slash ' +
    'of a path is most likely meant for its start. Begin it with `^`, and end it with `(/|$)`.',
  bad: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path.matches('«/admin»')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path.matches('^/admin(/|$)')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: checkPatterns(({ pattern, call, rangeOf, edit }, context) => {
    if (call?.at.role !== 'condition' || !guards(call.at.rule) || !/^\/[a-z][\w/-]*$/i.test(pattern)) return;
    const { node, at } = call;
    const origin = originOf(at.typed, context.file.roles, node.target ?? node.args[0]!);
    // `regex/unanchored-allow` reports those that let traffic pass.
    const isNegated = at.analysis.nodes.find(({ node: { id } }) => id === node.id)?.isNegated ?? false;
    if (origin?.role !== 'path' || !origin.isWhole || isNegated) return;
    const anchored = `^${pattern}${pattern.endsWith('/') ? '' : '(/|$)'}`;
    const edits = edit([{ start: 0, end: pattern.length }], anchored);
    context.report({
      range: rangeOf({ start: 0, end: pattern.length }),
      message: `\`${pattern}\` also matches \`/docs${pattern}${pattern.endsWith('/') ? '' : '-guide'}\`; write \`${anchored}\``,
      args: { found: pattern, suggestion: anchored },
      fixes: edits.length > 0 ? [{ title: `change to \`${anchored}\``, applicability: 'suggestion', edits }] : [],
    });
  }),
};
