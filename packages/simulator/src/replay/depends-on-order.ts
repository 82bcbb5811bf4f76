import type { Policy } from '@tollgate/policy';
import type { RoutePolicies } from '../edge/edge-simulation.ts';
import type { Edge } from '../edge/route.ts';

/** Actions whose counters carry over from one exchange to the next. */
const COUNTING: ReadonlySet<string> = new Set(['circuit-breaker', 'rate-limit']);

/** Returns the type of an action that makes decisions depend on earlier exchanges; undefined if there is none. */
export function dependsOnOrder({ rules }: Policy): string | undefined {
  const actions = Object.values(rules).flatMap(phase => phase.flatMap(rule => rule.actions));
  return actions.find(action => COUNTING.has(action.type.value))?.type.value;
}

/** Returns true if decisions of an edge depend on earlier exchanges. */
export function edgeDependsOnOrder({ routes }: Edge, policies: RoutePolicies): boolean {
  const hasBreaker = routes.some(({ modules }) => modules.circuitBreaker !== undefined);
  return hasBreaker || [...policies.values()].some(policy => dependsOnOrder(policy) !== undefined);
}
