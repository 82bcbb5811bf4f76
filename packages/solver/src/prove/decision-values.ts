import { Unknown } from '@tollgate/cel';
import type { Rule } from '@tollgate/policy';
import type { Decision, RuleResult } from '@tollgate/simulator';

/** Returns the value of `decision` in invariants. What the simulator does not know is unknown. */
export function decisionValues(decision: Decision, rules: readonly Rule[]): Readonly<Record<string, unknown>> {
  const { outcomes, needs, upstream, response } = decision;
  const unknown = new Unknown(needs.length > 0 ? needs : ['the decision']);
  const [outcome] = outcomes;
  const results = decision.rules.map((result, at) => ({ result, rule: rules[at]! }));
  const open = results.flatMap(({ result }) => (result.status === 'undetermined' ? result.needs : []));
  const listed = (values: readonly string[]) => (open.length > 0 ? new Unknown(open) : values);
  const rulesThat = (status: RuleResult['status']) =>
    results.flatMap(({ result, rule }) => (result.status === status ? [rule] : []));
  const ran = results.flatMap(({ result, rule }) =>
    result.status === 'matched' ? rule.actions.slice(0, result.actions.length).map(({ type }) => type.value) : [],
  );
  return {
    reachesUpstream: upstream.isAsked ?? unknown,
    outcome: outcomes.length === 1 ? outcome!.kind : unknown,
    status: outcomes.length > 1 ? unknown : (response?.status ?? 0),
    action: outcomes.length === 1 ? (outcome!.action ?? '') : unknown,
    actions: listed(ran),
    rules: listed(rulesThat('matched').map(labelOf)),
    names: listed(rulesThat('matched').flatMap(({ name }) => name?.value ?? [])),
    failed: listed(rulesThat('failed').map(labelOf)),
  };
}

/** Returns phase and number of a rule: `inbound 2`. */
export function labelOf({ phase, index }: Rule): string {
  return `${phase} ${index + 1}`;
}
