import { PROFILES } from '@tollgate/catalog';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `inbound` in a policy that should use the profile `modern`. */
export const LEGACY_DIALECT: LintRule = {
  id: 'doc/legacy-dialect',
  severity: 'off',
  summary: 'policy written for another profile than the required one',
  rationale:
    'Older profiles use different names for phases and variables and lack newer actions. Set the option `profile` when all policies of ' +
    'a project should use the same one; `tollgate migrate` converts the others.',
  bad: {
    policy: `\
«inbound»:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    options: { profile: 'modern' },
  },
  good: {
    policy: `\
on_http_request:
  - name: no TRACE
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
      type: { kind: 'choice', values: PROFILES.map(({ name }) => name) },
      doc: 'Required profile. If it is not set, every profile is allowed.',
    },
  ],
  check: {
    policy: ({ node }, context) => {
      const { profile } = context.file;
      const { profile: required } = context.options;
      const [first] = node.entries;
      if (typeof required !== 'string' || profile.name === required || !first) return;
      context.report({
        range: first.keyRange,
        message: `policy uses the profile \`${profile.name}\` instead of \`${required}\`; convert it with \`tollgate migrate\``,
        args: { profile: profile.name, wanted: required },
      });
    },
  },
};
