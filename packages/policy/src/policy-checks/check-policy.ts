import type { Profile } from '@tollgate/catalog';
import type { Diagnostic } from '@tollgate/diagnostics';
import { Reporter } from '../document/model/reporter.ts';
import type { Policy } from '../model/policy.ts';
import { reportConflictingActions } from './conflicting-actions.ts';
import { reportUnhandledTraffic } from './unhandled-traffic.ts';
import { reportUnsetVariables } from './unset-variables.ts';

/** What is wrong with a policy that shows only when all of its rules are looked at together. */
export function checkWhole(policy: Policy, profile: Profile, limit: number): readonly Diagnostic[] {
  const reporter = new Reporter(policy.uri, limit);
  reportConflictingActions(policy, reporter);
  reportUnhandledTraffic(policy, profile, reporter);
  reportUnsetVariables(policy, profile, reporter);
  return reporter.found;
}
