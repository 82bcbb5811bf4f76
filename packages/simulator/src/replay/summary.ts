/** The figures of a replay, as data for reports. */
import type { Phase } from '@tollgate/catalog';
import type { SkippedRecord, SkipReason } from '@tollgate/traffic';
import type { Outcome, OutcomeKind } from '../actions/effect.ts';
import type { Route } from '../edge/routes.ts';
import type { Interval, Occurrence, StatusChange } from './counter.ts';
import type { KeyCount } from './frequent-keys.ts';
import type { SelectionSummary } from './select-exchanges.ts';

/** The figures of a policy on recorded traffic. */
export interface ReplaySummary extends TrafficSummary, PolicySummary {
  /** With a selection: what it left. All figures but the number of exchanges read are about the selected ones. */
  readonly selection?: SelectionSummary;
}

/** What was read. */
export interface TrafficSummary {
  readonly exchanges: number;
  readonly files: readonly FileSummary[];
  readonly skipped: readonly SkippedSummary[];
  /** With counts that are kept by day: the days whose counts were kept, and those that were counted. */
  readonly days?: { readonly kept: readonly string[]; readonly counted: readonly string[] };
  /** Reading was stopped before the end. */
  readonly isPartial?: true;
  /** What the engine with the table says it has scanned, where users pay for that. */
  readonly scannedBytes?: number;
}

/** What a policy did. */
export interface PolicySummary {
  /** In the order of the policy. */
  readonly rules: readonly RuleSummary[];
  readonly outcomes: readonly OutcomeSummary[];
  /** Exchanges whose outcome is unknown, and the inputs that would settle it. */
  readonly undetermined: {
    readonly exchanges: number;
    readonly needs: readonly Occurrence[];
    /** Those that `complete_headers` may settle: they need only headers, which the recording may contain completely. Absent if zero. */
    readonly byCompleteHeaders?: number;
  };
  /** Exchanges whose URL an action rewrote; absent if no rule does that. */
  readonly rewritten?: Interval;
  /** Exchanges that limits counted after their time, because later ones preceded them; absent if zero. */
  readonly late?: number;
  /** If requested. */
  readonly breakdown?: BreakdownSummary;
}

/** What was read of one file. */
export interface FileSummary {
  readonly file: string;
  readonly exchanges: number;
  readonly skipped: number;
  /** Why the file could not be read to its end; the figures include what came before. */
  readonly failure?: FileFailure;
}

/** Why a file could not be read to its end. */
export interface FileFailure {
  /** The code of the `ExternalError`, for tools. */
  readonly code: string;
  readonly message: string;
}

/** Records that were skipped for one reason, with the first few of them. */
export interface SkippedSummary {
  readonly reason: SkipReason;
  readonly count: number;
  readonly first: readonly SkippedRecord[];
}

/** An outcome and the number of its exchanges. */
export interface OutcomeSummary {
  readonly outcome: Outcome;
  readonly count: Interval;
}

/** What one rule did. Each exchange matched, did not match, failed, was not reached, or is undetermined. */
export interface RuleSummary {
  readonly phase: Phase;
  /** Zero-based, within its phase. */
  readonly index: number;
  readonly name: string | undefined;
  readonly matched: number;
  readonly notMatched: number;
  readonly failed: number;
  readonly notReached: number;
  readonly undetermined: number;
  readonly actions: readonly { readonly type: string; readonly fired: Interval }[];
  /** Evaluation errors. */
  readonly errors: readonly Occurrence[];
  /** The inputs that would settle whether it matched. */
  readonly needs: readonly Occurrence[];
}

/** The figures of an edge on recorded traffic. */
export interface EdgeReplaySummary extends TrafficSummary {
  /** In the order of the edge. */
  readonly routes: readonly RouteSummary[];
  /** Exchanges that match no route. */
  readonly unrouted: number;
  /** Exchanges whose route is unknown, and the inputs that would settle it. */
  readonly open: { readonly exchanges: number; readonly needs: readonly Occurrence[] };
}

/** What one route did. */
export interface RouteSummary extends PolicySummary {
  readonly route: Pick<Route, 'id' | 'match' | 'matchType'>;
  /** Exchanges that certainly match it. */
  readonly exchanges: number;
}

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

const ORDER: readonly OutcomeKind[] = [
  'passed',
  'forwarded',
  'replaced',
  'answered',
  'redirected',
  'denied',
  'refused',
  'closed',
  'failed',
];

/** Returns a key under which equal outcomes are counted together. */
export function outcomeKey({ kind, status, action }: Outcome): string {
  return `${kind} ${status} ${action}`;
}

/** The order in which outcomes are shown: passed first, failed last. */
export function compareOutcomes(a: Outcome, b: Outcome): number {
  return (
    ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
    (a.status ?? 0) - (b.status ?? 0) ||
    (outcomeKey(a) < outcomeKey(b) ? -1 : 1)
  );
}
