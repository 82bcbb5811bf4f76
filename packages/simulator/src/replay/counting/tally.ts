import type { Exchange, Place } from '@tollgate/traffic';
import type { Verdict } from '../../decision/verdict.ts';

/**
 * Adds up what becomes of exchanges. Parts of the input may be counted apart, also in other threads, and merged in the order of the input:
 * the figures are the same as when one had counted all.
 */
export interface Tally<Data> {
  /** `verdict` may be the same object for many exchanges. */
  add(exchange: Exchange, verdict: Verdict): void;
  /** Adds what another has counted of the input behind what this one has. */
  merge(data: Data, placeOf: PlaceOf): void;
  /** What was counted, as plain data that can be sent to another thread. */
  data(): Data;
}

/** Gives the place in the whole input, for one in the part that was counted apart. */
export type PlaceOf = (place: Place) => Place;

/** Of parts that know their places. */
export const SAME_PLACE: PlaceOf = place => place;
