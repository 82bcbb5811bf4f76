import type { Report } from '@tollgate/diagnostics';
import type { EdgeReplaySummary, KeyDimension, PolicySummary, RouteSummary, TrafficSummary } from '@tollgate/simulator';

/** The result of a replay, which all report formats render. */
export interface ReplayResult {
  readonly kind: 'policy' | 'edge';
  /** Name of the policy or edge as given by the user. */
  readonly name: string;
  readonly profile: string;
  /** Endpoint of the policy; undefined for an edge. */
  readonly endpoint: string | undefined;
  readonly origin: string | undefined;
  /** What decided the exchanges, and why it was not the requested engine; undefined for an edge. */
  readonly engine?: { readonly name: 'duckdb' | 'js'; readonly reason?: string };
  /** Findings in the policies, warnings at most. */
  readonly report: Report;
  readonly traffic: TrafficSummary;
  /** One for the policy, or one for each route of the edge. */
  readonly parts: readonly ReplayPart[];
  /** For an edge: the exchanges without a certain route. */
  readonly unrouted?: Pick<EdgeReplaySummary, 'unrouted' | 'open'>;
}

/** What one policy did to its traffic. */
export interface ReplayPart {
  /** Undefined if there is no edge. */
  readonly route?: RouteSummary['route'];
  readonly exchanges: number;
  readonly summary: PolicySummary;
}

/** Dimensions of the most frequent matches, in report order. */
export const DIMENSIONS: readonly KeyDimension[] = ['clients', 'paths', 'countries'];

/** Returns the display name of the policy or edge. */
export function shownName({ name, report }: ReplayResult): string {
  return name === '-' ? (report.sources[0]?.uri ?? name) : name;
}

/** Returns the label of a rule: `inbound 2`. */
export function ruleLabel({ phase, index }: { readonly phase: string; readonly index: number }): string {
  return `${phase} ${index + 1}`;
}

/** Returns the label of a route: `/api/ (path_prefix)`. */
export function formatRoute({ match, matchType }: RouteSummary['route']): string {
  return `${match} (${matchType})`;
}
