import type { Profile } from '@tollgate/catalog';
import type { Diagnostic } from '@tollgate/diagnostics';
import { Reporter } from '../document/model/reporter.ts';
import type { Policy, Rule } from '../model/policy.ts';
import { reportConflictingActions } from './conflicting-actions.ts';
import { handlesAll, reportUnhandledTraffic } from './unhandled-traffic.ts';
import { mayUseVariables, reportUnsetVariables } from './unset-variables.ts';

/** Returns the errors that only show when all rules of a policy are considered together. */
export function checkPolicyAsWhole(policy: Policy, profile: Profile, limit: number): readonly Diagnostic[] {
  const reporter = new Reporter(policy.uri, limit);
  reportConflictingActions(policy, reporter);
  reportUnhandledTraffic(policy, profile, reporter);
  reportUnsetVariables(policy, profile, reporter);
  return reporter.found;
}

/** Returns true if {@link checkPolicyAsWhole} has to see a rule: its findings are the same without all others. */
export function mayConcernOthers(rule: Rule): boolean {
  const isInGroup = rule.actions.some(({ fact }) => fact?.onlyOneOf !== undefined);
  return isInGroup || mayUseVariables(rule) || handlesAll(rule);
}
