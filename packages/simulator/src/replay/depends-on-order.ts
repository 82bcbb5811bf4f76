import type { Policy } from '@tollgate/policy';
import type { RoutePolicies } from '../edge/edge-simulation.ts';
import type { Edge } from '../edge/route.ts';

/** Actions that count from one exchange to the next. */
const COUNTING: ReadonlySet<string> = new Set(['circuit-breaker', 'rate-limit']);

/** The type of an action by which what becomes of an exchange hangs on those before it; undefined when there is none. */
export function hangsOnOrder({ rules }: Policy): string | undefined {
  const actions = Object.values(rules).flatMap(phase => phase.flatMap(rule => rule.actions));
  return actions.find(action => COUNTING.has(action.type.value))?.type.value;
}

/** Whether what becomes of an exchange on an edge depends on those before it. */
export function edgeHangsOnOrder({ routes }: Edge, policies: RoutePolicies): boolean {
  const hasBreaker = routes.some(({ modules }) => modules.circuitBreaker !== undefined);
  return hasBreaker || [...policies.values()].some(policy => hangsOnOrder(policy) !== undefined);
}
