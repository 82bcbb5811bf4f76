import { printable, type Report } from '@tollgate/diagnostics';
import type {
  EdgeReplaySummary,
  KeyDimension,
  PolicySummary,
  RouteSummary,
  SelectionSummary,
  TrafficSummary,
} from '@tollgate/simulator';
import { formatCount, pluralize } from '../../text/format-count.ts';
import { type EngineName, isTableEngine } from './engines.ts';
import { type UnreadFile, unreadNotes } from './unread-notes.ts';

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
  readonly engine?: { readonly name: EngineName; readonly reason?: string };
  /** Recordings with members that may hold what is needed, if something is undetermined. */
  readonly unread?: readonly UnreadFile[];
  /** Findings in the policies, warnings at most. */
  readonly report: Report;
  readonly traffic: TrafficSummary;
  /** If only some exchanges are reported. */
  readonly selection?: SelectionSummary;
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

/** Returns what the reader must know about the traffic as a whole: that it was not read to its end, or only partly reported, or why DuckDB did not replay it. */
export function scopeNotes(answer: ReplayResult): readonly string[] {
  const { traffic, selection, engine, unread = [] } = answer;
  return [
    ...(isUndecided(answer) ? [undecidedText(answer)] : []),
    ...unreadNotes(unread),
    ...(engine && isTableEngine(engine.name)
      ? ['rows of a table have no numbers, so examples are located by table only']
      : []),
    ...(engine?.reason === undefined ? [] : [`replayed in process, without DuckDB: ${engine.reason}`]),
    ...(traffic.isPartial ? ['partial: interrupted before the end of the traffic'] : []),
    ...(selection
      ? [`${pluralize(selection.selected, 'exchange')} of ${formatCount(traffic.exchanges)} selected`]
      : []),
    ...(selection && selection.unknown > 0
      ? [`for ${pluralize(selection.unknown, 'exchange')}, the recording does not show whether it is selected`]
      : []),
  ];
}

/** Returns true if the outcome of no exchange is certain. */
export function isUndecided({ parts }: ReplayResult): boolean {
  const all = parts.filter(({ exchanges }) => exchanges > 0);
  return all.length > 0 && all.every(({ exchanges, summary }) => summary.undetermined.exchanges === exchanges);
}

/** One line that ends in what to do about it. */
function undecidedText({ parts, origin }: ReplayResult): string {
  const needs = parts.flatMap(({ summary }) => summary.undetermined.needs.map(({ text }) => printable(text)));
  const distinct = [...new Set(needs)];
  const shown = distinct.slice(0, 3).join(', ');
  const cure = distinct.map(need => cureOf(need, origin)).find(one => one !== undefined) ?? 'record it';
  return `nothing is decided: the outcome of every exchange depends on what the recording lacks, such as ${shown}; ${cure}`;
}

/** Returns what makes an input known, as an imperative; undefined if only another recording does. */
function cureOf(need: string, origin: string | undefined): string | undefined {
  if (origin === undefined && PARTS_OF_URL.test(need)) return 'pass `--origin https://example.com`';
  const [, written] = / recorded as "(.*)"$/.exec(need) ?? [];
  if (written !== undefined)
    return `pass \`--absent ${written === '' ? "''" : written}\` if no client sends that value`;
  const [, name] = /^req\.headers\["([\w-]+)"\]$/i.exec(need) ?? [];
  return name && `log that header (nginx: \`$http_${name.toLowerCase().replaceAll('-', '_')}\`)`;
}

/** Parts of the URL, by the names of inputs in every profile. */
export const PARTS_OF_URL = /^req\.(?:url|host|headers\["host"\])(?:\.scheme)?$/i;

/** Returns the label of a rule: `inbound 2`. */
export function ruleLabel({ phase, index }: { readonly phase: string; readonly index: number }): string {
  return `${phase} ${index + 1}`;
}

/** Returns the label of a route: `/api/ (path_prefix)`. */
export function formatRoute({ match, matchType }: RouteSummary['route']): string {
  return `${match} (${matchType})`;
}
