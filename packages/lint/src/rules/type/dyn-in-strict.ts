import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `jwt.claims['role'] == 'admin'`. */
export const DYN_IN_STRICT: LintRule = {
  id: 'type/dyn-in-strict',
  severity: 'off',
  summary: 'comparison with a value of dynamic type',
  rationale:
    'Nothing can be checked about a value of type `dyn` before a request arrives. A comparison with a value of another type is never ' +
    'true, and an operation that its type does not support is an error. Convert the value to make its type explicit.',
  bad: {
    policy: `\
on_http_request:
  - name: log one host
    expressions: ["«dyn(req.host)» == 'a.example.com'"]
    actions: [{ type: log }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: log one host
    expressions: ["req.host == 'a.example.com'"]
    actions: [{ type: log }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {
    expression: (at, context) => {
      for (const { node, operand } of at.analysis.comparisons) {
        if (at.typed.types[operand.id]?.kind !== 'dyn') continue;
        const source = sourceOf(at, operand.range);
        const message = `type of \`${source}\` is unknown before evaluation; convert it, for example with \`string(${source})\``;
        context.report({ range: rangeInDocument(at, operand.range), message, args: { operator: node.function } });
      }
    },
  },
};
