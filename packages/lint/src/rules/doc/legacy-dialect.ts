import { PROFILES } from '@tollgate/catalog';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** `inbound` where `on_http_request` is wanted. */
export const LEGACY_DIALECT: LintRule = {
  id: 'doc/legacy-dialect',
  severity: 'off',
  summary: 'a policy in another dialect than the one that is wanted',
  rationale:
    'Older dialects name phases and variables in other ways and lack newer actions. Where all policies are to be in one dialect, one that ' +
    'is not stands out. `tollgate migrate` writes it anew.',
  bad: {
    policy: `\
«inbound»:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    options: { profile: 'modern' },
  },
  good: {
    policy: `\
on_http_request:
  - name: no trace
    expressions: ["req.method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
    options: { profile: 'modern' },
  },
  cost: 'fast',
  fixable: 'no',
  presets: [],
  options: [
    {
      name: 'profile',
      type: { kind: 'choice', values: PROFILES.map(one => one.name) },
      doc: 'The dialect that is wanted; without it, any is.',
    },
  ],
  check: {
    policy: ({ node }, context) => {
      const { profile } = context.file;
      const { profile: wanted } = context.options;
      const [first] = node.entries;
      if (typeof wanted !== 'string' || profile.name === wanted || !first) return;
      context.report({
        range: first.keyRange,
        message: `the policy is in the dialect \`${profile.name}\`, and \`${wanted}\` is wanted; \`tollgate migrate\` writes it anew`,
        args: { profile: profile.name, wanted },
      });
    },
  },
};
