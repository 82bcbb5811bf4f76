import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** `jwt.claims['role'] == 'admin'`. */
export const DYN_IN_STRICT: LintRule = {
  id: 'type/dyn-in-strict',
  severity: 'off',
  summary: 'a value whose type is only known when it is there',
  rationale:
    'Nothing can be checked about such a value before a request comes: a comparison with a value of another type is never true, and an operation ' +
    'that its type does not have is an error. Convert it, so that the type is said.',
  bad: {
    policy: `\
on_http_request:
  - name: admins
    expressions: ["«dyn(req.host)» == 'a'"]
    actions: [{ type: log }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: admins
    expressions: ["req.method == 'PUT'"]
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
        const message = `\`${source}\` is of a type that is only known when it is there; convert it, as in \`string(${source})\``;
        context.report({ range: placeOf(at, operand.range), message, args: { operator: node.function } });
      }
    },
  },
};
