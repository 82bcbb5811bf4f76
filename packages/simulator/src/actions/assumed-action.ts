/** What an action is assumed to do where no exchange shows it. What the simulator knows is not changed. */
import type { Value } from '@tollgate/cel';
import type { ActionAssumptions } from '@tollgate/policy';
import { type NamedValues, type TrafficState, withResults } from '../exchange-state/traffic-state.ts';
import type { Effect, Note, ResultNames, RunAction } from './effect.ts';

type Assumption = ActionAssumptions[string];

/** Returns the action with its open questions answered: whether it ends the evaluation, and its results. */
export function withAssumption(run: RunAction, assumption: Assumption, { prefix }: ResultNames): RunAction {
  const passes = typeof assumption === 'string' ? assumption === 'passes' : assumption.passes;
  const stated = typeof assumption === 'string' ? {} : resultsIn(assumption);
  const settled = (state: TrafficState) => withStated(state, prefix, stated);
  return (state, moment): Effect => {
    const effect = run(state, moment);
    if (effect.kind === 'ends') return effect;
    const notes = (effect.notes ?? []).filter(isKnown);
    if (effect.kind === 'continues' || passes === true)
      return { kind: 'continues', state: settled(effect.state), notes };
    const ending = { ...effect.ending, state: settled(effect.ending.state) };
    return passes === false ? { kind: 'ends', ending, notes } : { ...effect, state: settled(effect.state), ending };
  };
}

function isKnown({ kind }: Note): boolean {
  return kind !== 'opaque';
}

function resultsIn({ passes: _, ...results }: Exclude<Assumption, string>): NamedValues {
  return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, (value ?? undefined) as Value]));
}

function withStated(state: TrafficState, prefix: string | undefined, stated: NamedValues): TrafficState {
  if (prefix === undefined || Object.keys(stated).length === 0) return state;
  const known = Object.entries(state.results).filter(([path]) => path.startsWith(`${prefix}.`));
  const before = Object.fromEntries(known.map(([path, value]) => [path.slice(prefix.length + 1), value]));
  return withResults(state, prefix, { ...before, ...stated });
}
