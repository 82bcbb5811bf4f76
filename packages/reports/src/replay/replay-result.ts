// What a policy or edge did to recorded traffic: the model that all formats print, and what a reader must know before the figures.

import { printable, type Report } from '@tollgate/diagnostics';
import type {
  EdgeReplaySummary,
  KeyDimension,
  PolicySummary,
  RouteSummary,
  SelectionSummary,
  TimeSummary,
  TrafficSummary,
} from '@tollgate/simulator';
import { formatBytes, formatCount, pluralize } from '../text/figures.ts';

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
    ...(engine && traffic.scannedBytes !== undefined ? [scannedText(engine.name, traffic.scannedBytes)] : []),
    ...(traffic.days ? [daysText(traffic.days)] : []),
    ...(engine?.reason === undefined ? [] : [`replayed in process, without DuckDB: ${engine.reason}`]),
    ...(traffic.isPartial ? ['partial: interrupted before the end of the traffic'] : []),
    ...(selection ? [`${selectedOf(answer, selection)} selected`] : []),
    ...(selection && selection.unknown > 0
      ? [
          `for ${pluralize(selection.unknown, 'exchange')}, the recording does not show whether ${selection.unknown === 1 ? 'it is' : 'they are'} selected`,
        ]
      : []),
  ];
}

/** Returns which days were counted before: `counts of 29 days were kept (2026-11-01 to 2026-11-29), and 1 day was counted (2026-11-30)`. */
function daysText({ kept, counted }: NonNullable<TrafficSummary['days']>): string {
  const shown = (days: readonly string[], verb: string) => {
    const was = days.length === 1 ? 'was' : 'were';
    const [first, last] = [days[0], days.at(-1)];
    const range = days.length < 2 ? first : `${first} to ${last}`;
    return `${pluralize(days.length, 'day')} ${was} ${verb}${range === undefined ? '' : ` (${range})`}`;
  };
  return `counts of ${shown(kept, 'kept')}, and ${shown(counted, 'counted')}`;
}

/** Returns what users of an engine pay for. */
export function scannedText(engine: EngineName, bytes: number): string {
  return `${engine === 'js' ? 'the engine' : ENGINE_PRODUCTS[engine]} scanned ${formatBytes(bytes)}`;
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
  return name && `record that header (nginx: \`$http_${name.toLowerCase().replaceAll('-', '_')}\`)`;
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
  athena: 'Athena',
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

// Divides the time of a recording into columns of a plot.

/** Consecutive intervals of time, one for each column of a plot. */
export interface Timeline {
  /** Start of the first column, in ms since 1970-01-01T00:00:00Z. */
  readonly start: number;
  /** Width of a column, in ms. */
  readonly width: number;
  readonly columns: number;
  /** Number of exchanges without a column, because they are far away from all others. */
  readonly outside: number;
  /** Adds up the counts of {@link TimeSummary} by column. */
  readonly spread: (counts: readonly number[]) => readonly number[];
}

/** Maximum fraction of exchanges to leave out, so that one wrong clock does not compress all others into one column. */
const STRAY_SHARE = 0.001;
/** Minimum factor by which this must shorten the time. */
const STRAY_FACTOR = 20;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Readable widths of columns: they divide the minute, the hour or the day. */
const WIDTHS: readonly number[] = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map(count => count * HOUR),
  ...[1, 2, 3, 4, 5, 7, 14, 28].map(count => count * DAY),
];

/** Divides the time into at most this many columns; undefined if fewer than two times are known. */
export function timelineOf({ width, starts, exchanges }: TimeSummary, maxColumns: number): Timeline | undefined {
  if (starts.length < 2) return undefined;
  const [from, to] = mainRange(starts, exchanges);
  const ends = [starts[from]!, starts[to - 1]!] as const;
  const each = columnWidth(width, ends, maxColumns);
  const first = Math.floor(ends[0] / each);
  const columns = Math.floor(ends[1] / each) - first + 1;
  const spread = (counts: readonly number[]) => {
    const sums = Array.from({ length: columns }, () => 0);
    for (let index = from; index < to; index++) sums[Math.floor(starts[index]! / each) - first]! += counts[index] ?? 0;
    return sums;
  };
  const inside = sum(exchanges.slice(from, to));
  return { start: first * each, width: each, columns, outside: sum(exchanges) - inside, spread };
}

/** Returns a multiple of the interval width, so that no interval spans two columns. */
function columnWidth(width: number, [start, end]: readonly [number, number], maxColumns: number): number {
  const fits = (each: number) => Math.floor(end / each) - Math.floor(start / each) < maxColumns;
  const readable = WIDTHS.find(each => each % width === 0 && fits(each));
  if (readable !== undefined) return readable;
  let each = Math.ceil(Math.max(width, WIDTHS.at(-1)!) / width) * width;
  while (!fits(each)) each *= 2;
  return each;
}

/** Returns the shortest range of intervals with almost all exchanges if it is much shorter than the whole; half-open indexes. */
function mainRange(starts: readonly number[], exchanges: readonly number[]): readonly [from: number, to: number] {
  const needed = sum(exchanges) * (1 - STRAY_SHARE);
  let best: readonly [number, number] = [0, starts.length];
  let [from, held] = [0, 0];
  for (let to = 1; to <= starts.length; to++) {
    held += exchanges[to - 1]!;
    while (held - exchanges[from]! >= needed) held -= exchanges[from++]!;
    if (held >= needed && span(starts, [from, to]) < span(starts, best)) best = [from, to];
  }
  const whole = [0, starts.length] as const;
  return span(starts, best) * STRAY_FACTOR < span(starts, whole) ? best : whole;
}

function span(starts: readonly number[], [from, to]: readonly [number, number]): number {
  return starts[to - 1]! - starts[from]!;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
