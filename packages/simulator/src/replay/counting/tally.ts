import type { Exchange, RecordLocation } from '@tollgate/traffic';
import type { Verdict } from '../../decision/verdict.ts';

/**
 * Adds up decisions. Parts of the input may be counted separately, even in other threads, and merged in the order of the input: the figures
 * are the same as when everything is counted in one pass.
 */
export interface Tally<Data> {
  /** `verdict` may be the same object for many exchanges. */
  add(exchange: Exchange, verdict: Verdict): void;
  /** Adds the counts of the input that follows. */
  merge(data: Data, locationOf: LocationOf): void;
  /** Returns the counts as plain data that can be sent to another thread. */
  data(): Data;
}

/** Converts a location in a separately counted part to one in the whole input. */
export type LocationOf = (place: RecordLocation) => RecordLocation;
