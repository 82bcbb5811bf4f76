import { terminationOf, variablesAt } from '@tollgate/catalog';
import { entryOf, type Policy } from '@tollgate/policy';
import { endingBefore } from '../../logic/covered-rules.ts';
import type { ExampleExchanges } from '../../logic/example-exchanges.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { PhaseLogic } from '../../logic/rule-logic.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports a policy that responds to some requests itself but not to all. */
export const NON_TERMINATING_POLICY: LintRule = {
  id: 'logic/non-terminating-policy',
  severity: 'warning',
  summary: 'policy without an upstream that leaves requests unanswered',
  rationale:
    'Without an upstream, as on endpoints that only a policy serves, requests that no rule handles end in an error of the edge. Set ' +
    '`required` for such policies; their last rule should have no conditions.',
  bad: {
    policy: `\
«inbound»:
  - name: shop
    expressions: ["req.Path.startsWith('/shop/')"]
    actions: [{ type: custom-response, config: { content: open, headers: { Content-Type: text/plain } } }]
`,
    options: { required: true },
  },
  good: {
    policy: `\
inbound:
  - name: shop
    expressions: ["req.Path.startsWith('/shop/')"]
    actions: [{ type: custom-response, config: { content: open, headers: { Content-Type: text/plain } } }]
  - name: everything else
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
    options: { required: true },
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  options: [
    {
      name: 'required',
      type: { kind: 'bool' },
      default: false,
      doc: 'Require policies to handle every request themselves. If it is not set, nothing is reported.',
    },
  ],
  check: {
    policy: (policy, context) => {
      if (context.options.required !== true) return;
      const logic = policyLogic(policy, context.file);
      const phases = logic.phases.filter(phase => isBeforeUpstream(phase, policy, context));
      const examples = phases.map(phase => unanswered(phase, logic.examples));
      const last = phases.at(-1);
      if (last === undefined || examples.includes(undefined)) return;
      const { phase } = last[0]!.rule;
      context.report({
        range: entryOf(policy.node, phase)!.keyRange,
        message: `no rule handles ${examples.at(-1)}; add a last rule without conditions`,
      });
    },
  },
};

function isBeforeUpstream(phase: PhaseLogic, policy: Policy, { file }: LintContext): boolean {
  const place = { endpoint: policy.endpoint, phase: phase[0]!.rule.phase };
  return !variablesAt(file.profile, place).some(({ path }) => path.startsWith('res.'));
}

/** Returns an exchange that no rule of the phase handles; undefined if none was found, or if it depends on more than conditions. */
function unanswered(phase: PhaseLogic, exchanges: ExampleExchanges): string | undefined {
  const ending = phase.filter(({ rule }) => rule.actions.some(action => terminationOf(action) !== 'never'));
  const isCertain = ending.every(({ effect, condition }) => effect.ends && condition !== undefined);
  if (!isCertain || endingBefore(phase, phase.length).length < ending.length) return undefined;
  return exchanges.find(phase, [], ending);
}
