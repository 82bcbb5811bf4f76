import { printable } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { createSimulation, type Decision, type SimulationOptions } from '@tollgate/simulator';
import { probeExchanges } from './probe-exchanges.ts';

/** One version of a policy, and its environments. */
export interface PolicyVersion {
  readonly policy: Policy;
  readonly simulation: SimulationOptions;
}

/** Returns the first generated exchange that the two versions decide differently, with both results; undefined if there is none. */
export function firstChange(before: PolicyVersion, after: PolicyVersion): string | undefined {
  const [one, other] = [before, after].map(({ policy, simulation }) => createSimulation(policy, simulation));
  for (const exchange of probeExchanges([before.policy, after.policy])) {
    const [was, is] = [endsOf(one!.decide(exchange)), endsOf(other!.decide(exchange))];
    if (was !== is)
      return `${exchange.method ?? '?'} ${printable(exchange.url ?? exchange.target ?? '')}: ${was}, then ${is}`;
  }
  return undefined;
}

/** Returns the outcome of an exchange and the request that the upstream receives. */
function endsOf({ outcomes, upstream }: Decision): string {
  const ends = outcomes.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`)).toSorted();
  const url = upstream.isAsked === false ? '' : ` at ${String(upstream.request.url)}`;
  return ends.join(' or ') + url;
}
