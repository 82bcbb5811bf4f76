import type { ActionResult, ActionTrace } from '../decision/decision.ts';
import type { Effect, Ending, Moment, RunAction } from '../effects/model/effect.ts';
import type { TrafficState } from '../state/traffic-state.ts';

/** The effect of a matching rule's actions. */
export interface ActionsRun {
  readonly traces: readonly ActionTrace[];
  /** The state in which evaluation continues, if it does. */
  readonly state: TrafficState;
  /** The possible endings, in order. */
  readonly endings: readonly Ending[];
  /** Whether evaluation certainly ended. */
  readonly ended: boolean;
  /** The inputs that would settle whether it ended. */
  readonly needs: readonly string[];
}

const NO_NOTES: ActionTrace['notes'] = [];

/** Runs actions in order, until one certainly ends the evaluation. */
export function runActions(actions: readonly RunAction[], start: TrafficState, moment: Moment): ActionsRun {
  const traces: ActionTrace[] = [];
  const endings: Ending[] = [];
  const needs: string[] = [];
  let state = start;
  for (const run of actions) {
    const before = state;
    const effect = run(before, needs.length === 0 ? moment : { ...moment, needs: [...moment.needs, ...needs] });
    if (effect.kind !== 'ends') state = effect.state;
    const result = resultOf(effect, endings.length > 0);
    const ending = effect.kind === 'continues' ? undefined : effect.ending;
    if (ending !== undefined) endings.push(ending);
    const open = effect.kind === 'may-end' ? effect.needs : NOTHING;
    traces.push({ result, before, after: state, ending, needs: open, notes: effect.notes ?? NO_NOTES });
    if (effect.kind === 'ends') return { traces, state, endings, ended: true, needs };
    needs.push(...open);
  }
  return { traces, state, endings, ended: false, needs };
}

const NOTHING: readonly string[] = [];

function resultOf(effect: Effect, mayHaveEnded: boolean): ActionResult {
  if (effect.kind === 'continues' && effect.idle === true) return 'idle';
  return effect.kind === 'may-end' || mayHaveEnded ? 'may-have-fired' : 'fired';
}
