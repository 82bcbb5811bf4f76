import type { Report } from '@tollgate/diagnostics';
import type { EdgeReplaySummary, KeyDimension, PolicySummary, RouteSummary, TrafficSummary } from '@tollgate/simulator';

/** What came of a replay: what every format of its report is made of. */
export interface ReplayAnswer {
  readonly kind: 'policy' | 'edge';
  /** Of the policy, or of the edge, as the user named it. */
  readonly name: string;
  readonly profile: string;
  /** What the policy is for; undefined of an edge. */
  readonly endpoint: string | undefined;
  readonly origin: string | undefined;
  /** On the policies; warnings at most. */
  readonly report: Report;
  readonly traffic: TrafficSummary;
  /** One for the policy, or one for each route of the edge. */
  readonly parts: readonly ReplayPart[];
  /** Of an edge: what no route took for sure. */
  readonly unrouted?: Pick<EdgeReplaySummary, 'unrouted' | 'open'>;
}

/** What one policy did to the traffic that it met. */
export interface ReplayPart {
  /** Of an edge. */
  readonly route?: RouteSummary['route'];
  readonly exchanges: number;
  readonly summary: PolicySummary;
}

/** What the most frequent matches are listed by, in the order of the reports. */
export const DIMENSIONS: readonly KeyDimension[] = ['clients', 'paths', 'countries'];

/** The name of what was replayed, for people. */
export function shownName({ name, report }: ReplayAnswer): string {
  return name === '-' ? (report.sources[0]?.uri ?? name) : name;
}

/** How other figures call a rule, and tests too: `inbound 2`. */
export function ruleLabel({ phase, index }: { readonly phase: string; readonly index: number }): string {
  return `${phase} ${index + 1}`;
}

/** `/api/ (path_prefix)`. */
export function routeText({ match, matchType }: RouteSummary['route']): string {
  return `${match} (${matchType})`;
}
