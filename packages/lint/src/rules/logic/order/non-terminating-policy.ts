import { terminationOf, variablesAt } from '@tollgate/catalog';
import { entryOf, type Policy } from '@tollgate/policy';
import { exampleInput } from '../../../logic/examples/example-input.ts';
import { endingAtEnd } from '../../../logic/phases/coverage.ts';
import type { PhaseLogic } from '../../../logic/phases/rule-logic.ts';
import { policyLogic } from '../../../logic/policy-logic.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** A policy that answers itself, but not everything. */
export const NON_TERMINATING_POLICY: LintRule = {
  id: 'logic/non-terminating-policy',
  severity: 'warning',
  summary: 'a policy that must answer everything, and leaves something unanswered',
  rationale:
    'Where there is no upstream, as at endpoints that only a policy serves, what no rule answers ends in an error of the edge. Set `required` for ' +
    'such policies: the last rule should have no condition.',
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
  - name: the rest
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
      doc: 'Policies must answer everything themselves. Without it, nothing is reported.',
    },
  ],
  check: {
    policy: (policy, context) => {
      if (context.options.required !== true) return;
      const phases = policyLogic(policy, context.file).phases.filter(phase => isBeforeUpstream(phase, policy, context));
      const examples = phases.map(unanswered);
      const last = phases.at(-1);
      if (last === undefined || examples.includes(undefined)) return;
      const { phase } = last[0]!.rule;
      const example = examples.at(-1)!;
      context.report({
        range: entryOf(policy.node, phase)!.keyRange,
        message: `no rule answers ${example.length === 0 ? 'other traffic' : `traffic with \`${example.join(' && ')}\``}; end with a rule without conditions that does`,
      });
    },
  },
};

function isBeforeUpstream(phase: PhaseLogic, policy: Policy, { file }: LintContext): boolean {
  const place = { endpoint: policy.endpoint, phase: phase[0]!.rule.phase };
  return !variablesAt(file.profile, place).some(({ path }) => path.startsWith('res.'));
}

/** An input that no rule of the phase ends; undefined where none was found, or where it hangs on more than conditions. */
function unanswered(phase: PhaseLogic): readonly string[] | undefined {
  const ending = phase.filter(({ rule }) => rule.actions.some(action => terminationOf(action) !== 'never'));
  const isCertain = ending.every(({ effect, condition }) => effect.ends && condition !== undefined);
  if (!isCertain || endingAtEnd(phase).length < ending.length) return undefined;
  return exampleInput([], ending, phase[0]!.where);
}
