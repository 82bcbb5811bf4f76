import { compilePattern } from '@tollgate/cel';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A name that does not match the pattern of the project. */
export const NAMING_CONVENTION: LintRule = {
  id: 'style/naming-convention',
  severity: 'off',
  summary: 'a rule name that is not as the project wants them',
  rationale:
    'Names that follow one pattern are easier to search for in logs, and to refer to in tests and dashboards. What the pattern is, the option says.',
  bad: {
    policy: `\
inbound:
  - name: «No trace!»
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    options: { pattern: '^[a-z0-9-]+$' },
  },
  good: {
    policy: `\
inbound:
  - name: no-trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
    options: { pattern: '^[a-z0-9-]+$' },
  },
  cost: 'fast',
  fixable: 'no',
  presets: [],
  options: [
    {
      name: 'pattern',
      type: { kind: 'regex' },
      doc: 'A regular expression of RE2 that names must match; without it, any name is right.',
    },
  ],
  check: {
    policy: ({ rules }, context) => {
      const { pattern } = context.options;
      if (typeof pattern !== 'string') return;
      // One that cannot be compiled matches nothing, and every name says so.
      const compiled = compilePattern(pattern);
      for (const { name } of Object.values(rules).flat()) {
        if (!name || ('test' in compiled && compiled.test(name.value))) continue;
        const message = `the name \`${name.value}\` does not match \`${pattern}\`, as names of rules are to`;
        context.report({ range: name.range, message, args: { name: name.value, pattern } });
      }
    },
  },
};
