import type { Phase } from '@tollgate/catalog';
import type { SkippedRecord, SkipReason } from '@tollgate/traffic';
import type { Route } from '../../edge/route.ts';
import type { Outcome } from '../../effects/model/effect.ts';
import type { SelectionSummary } from '../../selection/select-exchanges.ts';
import type { Interval, Occurrence } from '../counting/counter.ts';
import type { BreakdownSummary } from './breakdown.ts';

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
  /** Reading was stopped before the end. */
  readonly isPartial?: true;
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
