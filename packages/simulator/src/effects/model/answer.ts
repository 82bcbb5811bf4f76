import type { HeaderMap } from '../../message/header-map.ts';
import { type Known, MADE, type TrafficState } from '../../state/traffic-state.ts';
import { type ActionContext, type Ending, hasResponse, type OutcomeKind } from './effect.ts';

/** A response that the edge creates. */
interface Answer {
  readonly kind: OutcomeKind;
  readonly action: string;
  readonly status: number | undefined;
  /** Names in the form of the profile's header maps. */
  readonly headers?: HeaderMap;
  readonly body?: Known<string>;
}

/** Returns the ending with a response of the edge, or with a closed connection if there can be no response. */
export function answered(state: TrafficState, answer: Answer, context: Pick<ActionContext, 'place' | 'side'>): Ending {
  const { kind, action, status, headers = {}, body = '' } = answer;
  if (!hasResponse(context)) return closed(state, action);
  const outcome = { kind, status, action };
  const response = { status: status ?? state.response.status, headers, body, changes: MADE };
  return { outcome, state: { ...state, response } };
}

/** Returns the ending with a closed connection. */
export function closed(state: TrafficState, action: string): Ending {
  return { outcome: { kind: 'closed', status: undefined, action }, state };
}
