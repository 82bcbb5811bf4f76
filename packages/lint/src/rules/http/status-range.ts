import type { Action } from '@tollgate/policy';
import { entryOfRole } from '../../actions/action-parts.ts';
import { isEquality, type LiteralNode } from '../../expressions/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** `res.StatusCode == 1000`. */
export const STATUS_RANGE: LintRule = {
  id: 'http/status-range',
  severity: 'error',
  summary: 'a status that no response has',
  rationale:
    'Statuses go from 100 to 599, and those below 200 are no final answer (RFC 9110, section 15). Clients take another one for ' +
    'an error of the server, or give up; a comparison with one holds for no response.',
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
            range: placeOf(at, node.range),
            message: `no response has the status ${status}; expected one from 100 to 599`,
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
    message: `${status} is no status to answer with; expected one from 200 to 599`,
    args: { found: status, min: 200, max: 599 },
  });
}

function statusIn({ type, value }: LiteralNode['literal']): number | undefined {
  if (type === 'int' || type === 'uint') return Number(value);
  return type === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Some edges answer by default with a status that is none, to be told from upstreams. */
function isDefault(status: number, { file }: LintContext): boolean {
  return file.profile.actions.some(action =>
    action.config.some(field => field.role === 'status' && field.default === status),
  );
}
