import type { CallExpr } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `string(req.Method) == 'GET'`. */
export const USELESS_CONVERSION: LintRule = {
  id: 'type/useless-conversion',
  severity: 'info',
  summary: 'conversion to the type that the value already has',
  rationale: 'The conversion has no effect and makes readers look for a reason.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["«string(req.Method)» == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['style'],
  check: { calls: { string: check, int: check, uint: check, double: check, bool: check } },
};

function check(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [value, second] = call.args;
  const path = value && context.file.roles.variables.get(sourceOf(at, value.range));
  // A variable that may have another type at run time may need the conversion.
  if (!value || second || call.target || path?.alsoReadAs || at.typed.types[value.id]?.kind !== call.function) return;
  const source = sourceOf(at, value.range);
  const isOperand = /^[\w.]+(?:\([^()]*\)|\[[^[\]]*\])*$/.test(source);
  const newText = isOperand ? source : `(${source})`;
  context.report({
    range: rangeInDocument(at, call.range),
    message: `\`${source}\` already has the type \`${call.function}\`; remove the conversion`,
    fixes: [
      {
        title: 'remove the conversion',
        applicability: 'safe',
        edits: editsOf(at, [{ range: call.range, newText }]),
      },
    ],
    tags: ['unnecessary'],
  });
}
