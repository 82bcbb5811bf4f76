import { compilePattern } from '@tollgate/cel/tooling';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports rule names that do not match the option `pattern`. */
export const NAMING_CONVENTION: LintRule = {
  id: 'style/naming-convention',
  severity: 'off',
  summary: "rule name that does not match the project's pattern",
  rationale:
    'Names that follow one pattern are easier to find in logs and to use in tests and dashboards. The option `pattern` sets the ' +
    'pattern.',
  bad: {
    policy: `\
inbound:
  - name: «No TRACE!»
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
      doc: 'RE2 regular expression that rule names must match. If it is not set, every name is allowed.',
    },
  ],
  check: {
    policy: ({ rules }, context) => {
      const { pattern } = context.options;
      if (typeof pattern !== 'string') return;
      // An invalid pattern matches nothing, so every name is reported.
      const compiled = compilePattern(pattern);
      for (const { name } of Object.values(rules).flat()) {
        if (!name || ('test' in compiled && compiled.test(name.value))) continue;
        const message = `rule name \`${name.value}\` does not match \`${pattern}\`; rename the rule`;
        context.report({ range: name.range, message, args: { name: name.value, pattern } });
      }
    },
  },
};
