import { hasUpstream, type Profile, phasesAt, terminationOf, variablesAt } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { entryOf } from '../document/model/document-node.ts';
import type { Reporter } from '../document/model/reporter.ts';
import type { Action, Policy, Rule } from '../model/policy.ts';

/** Reports a policy for an endpoint without an upstream if no rule handles all remaining traffic. */
export function reportUnhandledTraffic(policy: Policy, profile: Profile, reporter: Reporter): void {
  const { endpoint, rules } = policy;
  if (hasUpstream(endpoint)) return;
  const phases = phasesAt(profile, endpoint).filter(
    phase => !variablesAt(profile, { endpoint, phase }).some(({ path }) => path.startsWith('res.')),
  );
  if (phases.some(phase => rules[phase].some(handlesAll))) return;
  const last = phases.flatMap(phase => entryOf(policy.node, phase)?.keyRange ?? []).at(-1);
  reporter.report({
    code: 'policy/unhandled-traffic',
    message: `no rule handles the remaining traffic of a \`${endpoint}\`, which has no upstream; end with an unconditional rule and a terminating action`,
    range: last ?? startOf(policy.range),
    args: { endpoint },
  });
}

function startOf({ start, end }: Range): Range {
  return { start, end: Math.min(start + 1, end) };
}

/** Returns true if no traffic gets past a rule. Unknown actions count as terminating: they have been reported already. */
export function handlesAll({ expressions, actions }: Rule): boolean {
  return expressions.every(({ source }) => source.trim() === 'true') && actions.some(handles);
}

function handles(action: Action): boolean {
  return action.fact === undefined || terminationOf(action) === 'always';
}
