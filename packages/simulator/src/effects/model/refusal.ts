import { UnknownPresence } from '@tollgate/cel/tooling';
import { type TrafficState, withResults } from '../../state/traffic-state.ts';
import type { Effect, Ending, Note, ResultNames } from './effect.ts';

/** The note of an action that would have refused the traffic if it were enforced. */
export const NOT_ENFORCED: readonly Note[] = [{ kind: 'not-enforced' }];

/** What an opaque action leaves undetermined. */
interface OpaqueRefusal {
  readonly ending: Ending;
  readonly state: TrafficState;
  readonly needs: readonly string[];
  /** Completes "not known, because …". */
  readonly reason: string;
  /** If false, traffic passes whatever the action finds. */
  readonly enforces: boolean;
}

/** Returns the effect of an action that may refuse the traffic, if the recording does not show whether it does. */
export function mayRefuse({ ending, state, needs, reason, enforces }: OpaqueRefusal): Effect {
  const notes: readonly Note[] = [{ kind: 'opaque', reason }];
  if (!enforces) return { kind: 'continues', state, notes };
  return { kind: 'may-end', ending, state, needs: [...new Set(needs)].sort(), notes };
}

/** Returns the state in which the results of an action are unknown, including whether they exist. */
export function withUnknownResults(
  state: TrafficState,
  { prefix, names }: ResultNames,
  needs: readonly string[],
): TrafficState {
  if (prefix === undefined) return state;
  const unknown = new UnknownPresence(needs);
  return withResults(state, prefix, Object.fromEntries(names.map(name => [name, unknown])));
}
