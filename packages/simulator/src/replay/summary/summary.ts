import type { Phase } from '@tollgate/catalog';
import type { SkippedRecord, SkipReason } from '@tollgate/traffic';
import type { Route } from '../../edge/route.ts';
import type { Outcome } from '../../effects/model/effect.ts';
import type { Interval, Occurrence } from '../counting/counter.ts';
import type { BreakdownSummary } from './breakdown.ts';

/** What a policy does to recorded traffic, in figures. */
export interface ReplaySummary extends TrafficSummary, PolicySummary {}

/** What was read. */
export interface TrafficSummary {
  readonly exchanges: number;
  readonly files: readonly FileSummary[];
  readonly skipped: readonly SkippedSummary[];
}

/** What a policy did. */
export interface PolicySummary {
  /** In the order of the policy. */
  readonly rules: readonly RuleSummary[];
  readonly outcomes: readonly OutcomeSummary[];
  /** Exchanges whose outcome is not known, and what it would take to know it. */
  readonly undetermined: {
    readonly exchanges: number;
    readonly needs: readonly Occurrence[];
    /** Of these, those that `complete_headers` may settle: they need only headers, of which the recording may hold all. Absent when there are none. */
    readonly byCompleteHeaders?: number;
  };
  /** Exchanges of which an action rewrote the URL; absent where no rule does that. */
  readonly rewritten?: Interval;
  /** Exchanges that limits counted later than they came, because others had come before that are later; absent when there are none. */
  readonly late?: number;
  /** Where it was asked for. */
  readonly breakdown?: BreakdownSummary;
}

/** What was read of one file. */
export interface FileSummary {
  readonly file: string;
  readonly exchanges: number;
  readonly skipped: number;
  /** What kept the file from being read, or from being read to its end: the figures hold what came before. */
  readonly failure?: FileFailure;
}

/** Why a file could not be read to its end. */
export interface FileFailure {
  /** That of the `ExternalError`; for tools. */
  readonly code: string;
  readonly message: string;
}

/** Records that were skipped for one reason, with the first few of them. */
export interface SkippedSummary {
  readonly reason: SkipReason;
  readonly count: number;
  readonly first: readonly SkippedRecord[];
}

/** What became of how many exchanges. */
export interface OutcomeSummary {
  readonly outcome: Outcome;
  readonly count: Interval;
}

/** What one rule did. Of each exchange it matched, did not match, failed, or was not reached, or that is undetermined. */
export interface RuleSummary {
  readonly phase: Phase;
  /** Zero-based, in its phase. */
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
  /** What it would take to know whether it matched. */
  readonly needs: readonly Occurrence[];
}

/** What an edge does to recorded traffic, in figures. */
export interface EdgeReplaySummary extends TrafficSummary {
  /** In the order of the edge. */
  readonly routes: readonly RouteSummary[];
  /** Exchanges that no route takes. */
  readonly unrouted: number;
  /** Exchanges of which it is not known which route takes them, and what would tell. */
  readonly open: { readonly exchanges: number; readonly needs: readonly Occurrence[] };
}

/** What one route did. */
export interface RouteSummary extends PolicySummary {
  readonly route: Pick<Route, 'id' | 'match' | 'matchType'>;
  /** That it took for sure. */
  readonly exchanges: number;
}
