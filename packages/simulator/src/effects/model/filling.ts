import { Unknown } from '@tollgate/cel';
import type { TrafficState } from '../../state/traffic-state.ts';
import type { Note } from './effect.ts';

/** What a run fills in, and what it says of it. */
export interface Filling {
  readonly state: TrafficState;
  /** Failures of expressions are added; an empty text stands in their place. */
  readonly notes: Note[];
}

/** Gives a text with what is filled in. A part that is not known makes the whole unknown. */
export type FillText = (filling: Filling) => string | Unknown;

/** Joins the parts of a text; the first that is not known makes the whole unknown. */
export function joinParts<T>(parts: readonly T[], textOf: (part: T) => string | Unknown): string | Unknown {
  let joined = '';
  for (const part of parts) {
    const text = textOf(part);
    if (text instanceof Unknown) return text;
    joined += text;
  }
  return joined;
}
