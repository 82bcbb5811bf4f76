// Looks for an exchange that a rewritten policy decides differently.

import { printable } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import {
  createSimulation,
  DECISION_PARTS,
  type Decision,
  DecisionComparer,
  type SimulationOptions,
} from '@tollgate/simulator';
import { compareAcross, comparePolicies, type PolicyContext, PolicyQuestions, SolverSession } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import { probeExchanges } from './probe-exchanges.ts';

/** One version of a policy, and its environments. */
interface PolicyVersion {
  readonly policy: Policy;
  readonly simulation: SimulationOptions;
}

/**
 * Returns the first exchange that the two versions decide differently, with both results; undefined if none is known. Tries generated
 * exchanges, and then those of the solver: what a comparison of the policies finds.
 */
export function firstChange(before: PolicyVersion, after: PolicyVersion): string | undefined {
  const [one, other] = [before, after].map(({ policy, simulation }) => createSimulation(policy, simulation));
  const side = ({ policy, simulation: { profile } }: PolicyVersion) => ({ policy, profile });
  const comparer = new DecisionComparer(side(before), side(after), true);
  for (const exchanges of [probeExchanges([before.policy, after.policy]), solverExchanges(before, after)]) {
    for (const exchange of exchanges) {
      const [was, is] = [one!.decide(exchange), other!.decide(exchange)];
      const { isCertain, parts } = comparer.ofDecisions(was, is);
      if (!isCertain) continue;
      const [first, then] = [endsOf(was), endsOf(is)];
      const what =
        first === then
          ? `${first}, other ${parts.map(part => DECISION_PARTS[part]).join(' and ')}`
          : `${first}, then ${then}`;
      return `${exchange.method ?? '?'} ${printable(exchange.url ?? exchange.target ?? '')}: ${what}`;
    }
  }
  return undefined;
}

function* solverExchanges(before: PolicyVersion, after: PolicyVersion): Iterable<Exchange> {
  const isSameProfile = before.simulation.profile === after.simulation.profile;
  const comparison = isSameProfile
    ? comparePolicies(before.policy, after.policy, contextOf(before))
    : compareAcross(
        { policy: before.policy, context: contextOf(before) },
        { policy: after.policy, context: contextOf(after) },
      );
  for (const { exchange } of comparison?.differences ?? []) yield exchange;
  if (isSameProfile || comparison?.verdict === 'same') return;
  // Where something is open, exchanges on which rules match or fail are tried.
  for (const version of [before, after]) {
    const questions = new PolicyQuestions(new SolverSession(contextOf(version)), version.policy);
    for (const rule of version.simulation.profile.phases.flatMap(phase => version.policy.rules[phase])) {
      for (const answer of [questions.canMatch(rule), questions.canFail(rule)]) {
        if (answer.kind === 'possible') yield answer.exchange;
      }
    }
  }
}

function contextOf({ policy, simulation: { profile, environments } }: PolicyVersion): PolicyContext {
  return { profile, environments, endpoint: policy.endpoint };
}

/** Returns the outcome of an exchange and the request that the upstream receives. */
function endsOf({ outcomes, upstream }: Decision): string {
  const ends = outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`)).toSorted();
  const url = upstream.isAsked === false ? '' : ` at ${String(upstream.request.url)}`;
  return ends.join(' or ') + url;
}
