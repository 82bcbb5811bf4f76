import type { Outcome } from '../../effects/model/effect.ts';
import type { KeyCount } from '../counting/frequent-keys.ts';
import type { StatusChange } from '../counting/status-tally.ts';

/** How far to break figures down. */
export interface BreakdownOptions {
  /** The number of clients, paths and countries to list for each rule; zero counts none. */
  readonly top: number;
}

/** The figures of a policy over time, by status, and by client, path and country. */
export interface BreakdownSummary {
  readonly time: TimeSummary;
  /** By recorded status. */
  readonly statuses: readonly StatusChange[];
  /** In the order of the policy. */
  readonly rules: readonly RuleBreakdown[];
  /** Of traffic that does not just pass, in the order of outcomes; absent if not requested. */
  readonly outcomes?: readonly OutcomeBreakdown[];
}

/** The exchanges that certainly have an outcome. */
export interface OutcomeBreakdown {
  readonly outcome: Outcome;
  readonly keys: { readonly [dimension in KeyDimension]: KeySummary };
}

/** Exchanges over time, in intervals of one width; empty intervals are left out. */
export interface TimeSummary {
  /** Of an interval, in ms. */
  readonly width: number;
  /** Start of each interval, in ms since 1970-01-01T00:00:00Z; ascending multiples of the width. The counts below are parallel to it. */
  readonly starts: readonly number[];
  readonly exchanges: readonly number[];
  /** Of exchanges whose outcome is certain. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly counts: readonly number[] }[];
  readonly undetermined: readonly number[];
  /** Exchanges whose time is unknown. */
  readonly untimed: number;
}

/** The exchanges that certainly match a rule. */
export interface RuleBreakdown {
  /** In each interval. */
  readonly matched: readonly number[];
  /** Undefined if not requested. */
  readonly keys?: { readonly [dimension in KeyDimension]: KeySummary };
}

/** The dimensions that matches are listed by. */
export type KeyDimension = 'clients' | 'paths' | 'countries';

/** The most frequent keys. */
export interface KeySummary {
  /** Most frequent first. */
  readonly top: readonly KeyCount[];
  /** The number of distinct keys; undefined if there are too many to count, in which case counts are bounds. */
  readonly distinct: number | undefined;
  /** Matches whose key is unknown. */
  readonly unknown: number;
}
