// What a policy or edge did to recorded traffic: the model that all formats print, and what a reader must know before the figures.

import { printable, type Report } from '@tollgate/diagnostics';
import type {
  EdgeReplaySummary,
  KeyDimension,
  PolicySummary,
  RouteSummary,
  SelectionSummary,
  TrafficSummary,
} from '@tollgate/simulator';
import { formatCount, pluralize } from '../text/figures.ts';

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
    ...(selection ? [`${selectedOf(answer, selection)} selected`] : []),
    ...(selection && selection.unknown > 0
      ? [`for ${pluralize(selection.unknown, 'exchange')}, the recording does not show whether it is selected`]
      : []),
  ];
}

/** Of a table, only the selected rows are read. */
function selectedOf({ engine, traffic }: ReplayResult, { selected }: SelectionSummary): string {
  const isTable = engine !== undefined && isTableEngine(engine.name);
  return pluralize(selected, 'exchange') + (isTable ? '' : ` of ${formatCount(traffic.exchanges)}`);
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
  if (origin === undefined && HOST.test(need)) return HOST_CURE;
  if (origin === undefined && PARTS_OF_URL.test(need)) return 'pass `--origin https://example.com`';
  const [, written] = / recorded as "(.*)"$/.exec(need) ?? [];
  if (written !== undefined)
    return `pass \`--absent ${written === '' ? "''" : written}\` if no client sends that value`;
  if (need.endsWith(JOINED_INPUT)) return 'record a list of the values of that header';
  const [, name] = /^req\.headers\["([\w-]+)"\]$/i.exec(need) ?? [];
  return name && `log that header (nginx: \`$http_${name.toLowerCase().replaceAll('-', '_')}\`)`;
}

const HOST = /^req\.(?:host|headers\["host"\])$/i;
const HOST_CURE =
  'log the Host header (nginx: `$http_host`; `$host` lacks the port), or assume what is missing with `--origin https://example.com`';

/** The end of the name of a header that was sent once or several times. */
export const JOINED_INPUT = ' recorded as a comma-separated string';

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

/** The engines that hold traffic in a table, with the names of their products. */
const TABLE_ENGINES = {
  postgres: 'PostgreSQL',
  clickhouse: 'ClickHouse',
  trino: 'Trino',
  spark: 'Spark',
} as const;

/** What decides exchanges: DuckDB in groups, or JavaScript one by one; or an engine that holds the traffic in a table. */
export type EngineName = 'duckdb' | 'js' | keyof typeof TABLE_ENGINES;

/** The product names of all engines but JavaScript. */
export const ENGINE_PRODUCTS: Readonly<Record<Exclude<EngineName, 'js'>, string>> = {
  duckdb: 'DuckDB',
  ...TABLE_ENGINES,
};

/** Returns true if an engine holds the traffic in a table. */
export function isTableEngine(name: EngineName): name is keyof typeof TABLE_ENGINES {
  return Object.hasOwn(TABLE_ENGINES, name);
}

/** What a file of JSON lines has and its mapping does not read. */
export interface UnreadFile {
  readonly file: string;
  /** Dot paths. */
  readonly members: readonly string[];
  /** Paths by the fields that they seem to hold. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Maximum number of members to name. */
const MAX_MEMBERS = 12;

/** Returns what to tell the user: the members, and the option to paste. Files with the same members are told once. */
export function unreadNotes(files: readonly UnreadFile[]): readonly string[] {
  const cures = Map.groupBy(files, fieldsOption);
  return [...cures].flatMap(([cure, [first]]) => {
    const names = first!.members.slice(0, MAX_MEMBERS).map(name => `\`${printable(name)}\``);
    const all = `${names.join(', ')}${first!.members.length > MAX_MEMBERS ? ' and others' : ''}`;
    return [
      `\`${printable(first!.file)}\` has members that are not read: ${all}; if they mean what they seem to, add`,
      `  ${cure}`,
    ];
  });
}

/** Returns the option that maps the fields, for shells. Paths with a comma or a quote need a mapping file. */
export function fieldsOption({ fields }: UnreadFile): string {
  const pairs = Object.entries(fields).filter(([, path]) => !/[,='"\\\s]/.test(path) && printable(path) === path);
  return `--fields '${pairs.map(([field, path]) => `${field}=${path}`).join(',')}'`;
}
