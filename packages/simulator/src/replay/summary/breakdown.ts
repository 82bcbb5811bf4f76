import type { Outcome } from '../../effects/model/effect.ts';
import type { KeyCount } from '../counting/frequent-keys.ts';
import type { StatusChange } from '../counting/status-tally.ts';

/** How far figures are broken down. */
export interface BreakdownOptions {
  /** Clients, paths and countries that are listed for each rule; none are counted when it is zero. */
  readonly top: number;
}

/** The figures of a policy broken down: over time, by status, and by what matched. */
export interface BreakdownSummary {
  readonly time: TimeSummary;
  /** By the recorded status. */
  readonly statuses: readonly StatusChange[];
  /** In the order of the policy. */
  readonly rules: readonly RuleBreakdown[];
}

/** Exchanges over time, in stretches of one width; those in which nothing came are left out. */
export interface TimeSummary {
  /** Of a stretch, in ms. */
  readonly width: number;
  /** When each stretch begins, in ms since 1970-01-01T00:00:00Z; ascending multiples of the width. The counts below are of the same stretches. */
  readonly starts: readonly number[];
  readonly exchanges: readonly number[];
  /** Of exchanges of which the outcome is certain. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly counts: readonly number[] }[];
  readonly undetermined: readonly number[];
  /** Exchanges of which the time is not known. */
  readonly untimed: number;
}

/** Where a rule matched for certain. */
export interface RuleBreakdown {
  /** In each stretch of time. */
  readonly matched: readonly number[];
  /** Undefined where they are not asked for. */
  readonly keys?: { readonly [dimension in KeyDimension]: KeySummary };
}

/** What matches are listed by. */
export type KeyDimension = 'clients' | 'paths' | 'countries';

/** The most frequent keys. */
export interface KeySummary {
  /** The most frequent first. */
  readonly top: readonly KeyCount[];
  /** How many different ones there are; undefined where there were too many to count all: counts are within bounds then. */
  readonly distinct: number | undefined;
  /** Matches of which the key is not known. */
  readonly unknown: number;
}
