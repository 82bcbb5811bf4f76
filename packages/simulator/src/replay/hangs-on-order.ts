import type { Policy } from '@tollgate/policy';

/** Actions that count from one exchange to the next. */
const COUNTING: ReadonlySet<string> = new Set(['circuit-breaker', 'rate-limit']);

/** The type of an action by which what becomes of an exchange hangs on those before it; undefined when there is none. */
export function hangsOnOrder({ rules }: Policy): string | undefined {
  const actions = Object.values(rules).flatMap(phase => phase.flatMap(rule => rule.actions));
  return actions.find(action => COUNTING.has(action.type.value))?.type.value;
}
