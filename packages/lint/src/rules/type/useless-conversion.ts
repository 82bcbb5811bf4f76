import type { CallExpr } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** `string(req.Method) == 'GET'`. */
export const USELESS_CONVERSION: LintRule = {
  id: 'type/useless-conversion',
  severity: 'info',
  summary: 'a value converted to the type that it has',
  rationale: 'The conversion does nothing. Whoever reads it looks for the reason, and finds none.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["«string(req.Method)» == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
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
  // Of an open type, which may differ from what the catalog says, the conversion may be needed.
  if (!value || second || call.target || path?.alsoReadAs || at.typed.types[value.id]?.kind !== call.function) return;
  const source = sourceOf(at, value.range);
  const isOperand = /^[\w.]+(?:\([^()]*\)|\[[^[\]]*\])*$/.test(source);
  const newText = isOperand ? source : `(${source})`;
  context.report({
    range: placeOf(at, call.range),
    message: `\`${source}\` is of the type ${call.function} already`,
    fixes: [
      {
        title: 'take the conversion out',
        applicability: 'safe',
        edits: editsOf(at, [{ range: call.range, newText }]),
      },
    ],
    tags: ['unnecessary'],
  });
}
