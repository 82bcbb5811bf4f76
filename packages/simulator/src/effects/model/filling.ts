import { Unknown } from '@tollgate/cel';
import type { TrafficState } from '../../state/traffic-state.ts';
import type { Note } from './effect.ts';

/** The state and the notes of one interpolation. */
export interface Filling {
  readonly state: TrafficState;
  /** Errors of expressions are added; an empty string takes their place. */
  readonly notes: Note[];
}

/** Returns the interpolated string; unknown if any part is unknown. */
export type FillText = (filling: Filling) => string | Unknown;

/** Joins parts to a string; the first unknown part makes the whole unknown. */
export function joinParts<T>(parts: readonly T[], textOf: (part: T) => string | Unknown): string | Unknown {
  let joined = '';
  for (const part of parts) {
    const text = textOf(part);
    if (text instanceof Unknown) return text;
    joined += text;
  }
  return joined;
}
