import { UnknownPresence } from '@tollgate/cel/tooling';
import { type TrafficState, withResults } from '../../state/traffic-state.ts';
import type { Effect, Ending, Note, ResultNames } from './effect.ts';

/** Of an action that would have refused, were it told to enforce. */
export const NOT_ENFORCED: readonly Note[] = [{ kind: 'not-enforced' }];

/** What an opaque action leaves open. */
export interface OpaqueRefusal {
  readonly ending: Ending;
  readonly state: TrafficState;
  readonly needs: readonly string[];
  /** Completing "not known, because …". */
  readonly reason: string;
  /** Without it, traffic passes whatever the action finds. */
  readonly enforces: boolean;
}

/** The effect of an action that may refuse, of which the recording does not tell whether it does. */
export function mayRefuse({ ending, state, needs, reason, enforces }: OpaqueRefusal): Effect {
  const notes: readonly Note[] = [{ kind: 'opaque', reason }];
  if (!enforces) return { kind: 'continues', state, notes };
  return { kind: 'may-end', ending, state, needs: [...new Set(needs)].sort(), notes };
}

/** The state in which what an action leaves behind is not known, not even whether it is there. */
export function withUnknownResults(
  state: TrafficState,
  { prefix, names }: ResultNames,
  needs: readonly string[],
): TrafficState {
  if (prefix === undefined) return state;
  const unknown = new UnknownPresence(needs);
  return withResults(state, prefix, Object.fromEntries(names.map(name => [name, unknown])));
}
