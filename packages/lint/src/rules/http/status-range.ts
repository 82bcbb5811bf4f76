import type { Action } from '@tollgate/policy';
import { entryOfRole } from '../../readers/actions.ts';
import { isEquality, type LiteralNode } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `res.StatusCode == 1000`. */
export const STATUS_RANGE: LintRule = {
  id: 'http/status-range',
  severity: 'error',
  summary: 'invalid status code',
  rationale:
    'Valid status codes range from 100 to 599, and those below 200 are not final responses (RFC 9110, section 15). Clients treat any ' +
    'other status as a server error or give up, and a comparison with one matches no response.',
  bad: {
    policy: `\
inbound:
  - name: under construction
    actions: [{ type: custom-response, config: { status_code: «603», content: under construction } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: under construction
    actions:
      - type: custom-response
        config: { status_code: 503, content: under construction, headers: { Retry-After: "600" } }
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => checkAnswer(action, context),
    expression: (at, context) => {
      for (const { literals } of at.analysis.testsOf('status').filter(isEquality)) {
        for (const { node, literal } of literals) {
          const status = statusIn(literal);
          if (status === undefined || (status >= 100 && status <= 599) || isDefault(status, context)) continue;
          context.report({
            range: rangeInDocument(at, node.range),
            message: `${status} is not a valid response status; use one from 100 to 599`,
            args: { found: status, min: 100, max: 599 },
          });
        }
      }
    },
  },
};

function checkAnswer(action: Action, context: LintContext): void {
  const value = entryOfRole(action, 'status')?.value;
  const status = value?.kind === 'scalar' ? value.value : undefined;
  if (typeof status !== 'number' || (status >= 200 && status <= 599) || isDefault(status, context)) return;
  context.report({
    range: value!.range,
    message: `${status} is not a valid final response status; use one from 200 to 599`,
    args: { found: status, min: 200, max: 599 },
  });
}

function statusIn({ type, value }: LiteralNode['literal']): number | undefined {
  if (type === 'int' || type === 'uint') return Number(value);
  return type === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** True for the invalid status that some edges use by default to mark their own responses. */
function isDefault(status: number, { file }: LintContext): boolean {
  return file.profile.actions.some(action =>
    action.config.some(field => field.role === 'status' && field.default === status),
  );
}
