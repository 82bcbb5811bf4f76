import type { HeaderMap, HeaderValues } from '../../message/header-map.ts';
import type { Known, TrafficState } from '../../state/traffic-state.ts';
import { type ActionContext, type Ending, hasResponse, type OutcomeKind } from './effect.ts';

/** A response that the edge makes. */
export interface Answer {
  readonly kind: OutcomeKind;
  readonly action: string;
  readonly status: number | undefined;
  /** Names as in the maps of the dialect. */
  readonly headers?: HeaderMap;
  readonly body?: Known<string>;
}

/** The end that an answer of the edge makes; a closed connection where there can be no answer. */
export function answered(state: TrafficState, answer: Answer, context: Pick<ActionContext, 'place' | 'side'>): Ending {
  const { kind, action, status, headers = {}, body = '' } = answer;
  if (!hasResponse(context)) return closed(state, action);
  const outcome = { kind, status, action };
  const response = { status: status ?? state.response.status, headers, body };
  return { outcome, state: { ...state, response } };
}

/** The end without an answer. */
export function closed(state: TrafficState, action: string): Ending {
  return { outcome: { kind: 'closed', status: undefined, action }, state };
}

/** Headers with one more, which takes the place of others of its name. */
export function headersWith(headers: HeaderMap, key: string, values: HeaderValues): HeaderMap {
  return { ...headers, [key]: values };
}
