// What decides recorded traffic: JavaScript, DuckDB, or the engine that has the table.

import { stat } from 'node:fs/promises';
import { ExternalError } from '@tollgate/diagnostics';
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import type { Policy } from '@tollgate/policy';
import type {
  ChosenRows,
  DayStore,
  EngineResult,
  EqualRows,
  RowChoice,
  TableEngine,
  TableImpactOptions,
  TableImpactSummary,
  TableTraffic,
} from '@tollgate/query';
import type {
  ComparedPolicy,
  ImpactOptions,
  ReplayOptions,
  ReplaySummary,
  TrafficSelection,
  TrafficSummary,
} from '@tollgate/simulator';
import type { ReadTrafficOptions, TrafficFormat } from '@tollgate/traffic';
import { SERVER_NAMES } from '@tollgate/traffic/columns';
import { exchangesAcross, type InspectedFile, inspectTraffic } from '@tollgate/traffic-node';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import { stoppable } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import type { EngineOptions } from './replay-options.ts';

/**
 * From this size in bytes on, DuckDB replays JSON lines in clearly less time than one thread in process, on two processors;
 * docs/decisions/0060-engine-of-a-replay.md has the measurements.
 */
export const LARGE_JSON_LINES = 192 * 1024 * 1024;

/** What a compressed byte of JSON lines counts for: gzip and zstd leave a ninth of usual ones. */
export const COMPRESSION = 8;

/** JSON lines, also of servers, except Caddy's, which DuckDB does not read. */
const LINES: ReadonlySet<string> = new Set(
  ['json-lines', ...Object.keys(SERVER_NAMES)].filter(format => format !== 'caddy'),
);

/**
 * Where fewer of the exchanges are selected, one thread in process takes less time for JSON lines: it looks only at the times of all others, and
 * DuckDB reads every line.
 */
const LARGE_SHARE = 1 / 5;

/** Returns the engine that replays files fastest: DuckDB for Parquet, whose rows need not become records, and for large JSON lines, also of servers. */
export async function chooseEngine(
  files: readonly string[],
  traffic: ReadTrafficOptions,
  select: TrafficSelection = {},
): Promise<'duckdb' | 'js'> {
  let [bytes, selected] = [0, 0];
  const formats = new Set<TrafficFormat>();
  for (const file of files) {
    const size = await stat(file).then(
      found => found.size,
      () => undefined,
    );
    if (size === 0) continue;
    const found = await inspectTraffic(file, traffic);
    if (size === undefined || found === undefined || found.isWrapped) return 'js';
    // Traefik also writes lines that are not JSON.
    if (found.format in SERVER_NAMES && !/^[ \t]*\{/m.test(bytesToUtf8(found.head))) return 'js';
    formats.add(found.format);
    const lines = size * (found.compression === 'uncompressed' ? 1 : COMPRESSION);
    bytes += lines;
    selected += lines * (await selectedShare(file, found, { traffic, select }));
  }
  const [format] = formats;
  if (format === undefined || formats.size > 1) return 'js';
  if (format === 'parquet') return 'duckdb';
  return LINES.has(format) && bytes >= LARGE_JSON_LINES && selected >= LARGE_SHARE * bytes ? 'duckdb' : 'js';
}

interface Selecting {
  readonly traffic: ReadTrafficOptions;
  readonly select: TrafficSelection;
}

/** Returns about which share of the exchanges in a file is selected, as far as some of its lines tell. */
async function selectedShare(
  file: string,
  { format, compression }: InspectedFile,
  { traffic, select: { since, until, sample } }: Selecting,
): Promise<number> {
  const sampled = sample !== undefined && 'percent' in sample ? sample.percent / 100 : 1;
  const isTimed = since !== undefined || until !== undefined;
  if (!isTimed || !LINES.has(format) || compression !== 'uncompressed') return sampled;
  const exchanges = await exchangesAcross(file, { ...traffic, format });
  const { length } = exchanges.filter(
    ({ time }) => time !== undefined && time >= (since ?? time) && time < (until ?? Number.POSITIVE_INFINITY),
  );
  return exchanges.length === 0 ? sampled : (sampled * length) / exchanges.length;
}

/** Ctrl-C stopped an engine, which knows nothing before its end. */
export class StoppedReplay extends Error {}

/** Returns nothing for {@link StoppedReplay}, and throws any other error. */
export function stoppedOr(error: unknown): undefined {
  if (!(error instanceof StoppedReplay)) throw error;
}

/** What is printed about it. */
export const STOPPED = 'interrupted; the query on the engine was canceled, and nothing is reported';

/** A table on an engine. */
interface TableArguments
  extends Omit<EngineOptions, 'engine'>,
    Pick<TrafficInputs, 'traffic' | 'expressions' | 'ready'> {
  readonly engine: TableEngine;
  /** Where a person logs in. */
  readonly terminal: Pick<Terminal, 'errorColumns' | 'writeError'>;
}

/** Replays the traffic in a table. Throws an `ExternalError` if it cannot be read, and {@link StoppedReplay} if Ctrl-C stops it. */
export async function replayTable(policy: Policy, given: ReplayOptions, args: TableArguments): Promise<ReplaySummary> {
  const { replayOnTable } = await import('@tollgate/query');
  return summaryOf(stop => replayOnTable(policy, { ...given, watch: { ...given.watch, stop } }, placeOf(args)));
}

/** Like {@link replayTable}, with counts of days that are kept. */
export async function replayTableByDay(
  policy: Policy,
  { select, ...given }: ReplayOptions,
  args: TableArguments,
  store: DayStore,
): Promise<ReplaySummary> {
  const { replayByDay } = await import('@tollgate/query');
  const { since, until } = select ?? {};
  const limits = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const place = { ...placeOf(args), select: limits };
  return summaryOf(stop => replayByDay(policy, { ...given, watch: { ...given.watch, stop } }, place, store));
}

/** Decides the traffic in a table with two policies. Throws as {@link replayTable} does. */
export async function impactOnTableOf(
  [was, becomes]: readonly [ComparedPolicy, ComparedPolicy],
  given: Omit<TableImpactOptions, 'watch'> & Pick<ImpactOptions, 'watch'>,
  args: TableArguments,
): Promise<TableImpactSummary> {
  const { impactOnTable } = await import('@tollgate/query');
  return summaryOf(stop => impactOnTable(was, becomes, { ...given, watch: { ...given.watch, stop } }, placeOf(args)));
}

/** Returns a row of a table for each path through a policy. Throws as {@link replayTable} does. */
export async function chooseRowsOf(
  policy: Policy,
  given: Omit<RowChoice, 'watch'>,
  args: TableArguments,
): Promise<ChosenRows> {
  const { chooseRows } = await import('@tollgate/query');
  return summaryOf(stop => chooseRows(policy, { ...given, watch: { stop } }, placeOf(args)));
}

/** Calls `each` for the rows of a table; equal ones are one. Throws as {@link replayTable} does. */
export async function readRowsOf(
  policy: Policy,
  given: Omit<ReplayOptions, 'files' | 'reader' | 'traffic' | 'watch'>,
  args: TableArguments,
  each: (rows: EqualRows) => void,
): Promise<TrafficSummary> {
  const { readRows } = await import('@tollgate/query');
  const remedy = 'choose some with a query in parentheses, such as those of an hour, or compare policies with `impact`';
  return summaryOf(async stop => {
    const found = await readRows(policy, { ...given, watch: { stop } }, placeOf(args), each);
    return found.kind === 'unsuited' ? { ...found, remedy } : found;
  });
}

function placeOf({ engine, table, connect, queryTimeout, traffic, terminal, ...given }: TableArguments): TableTraffic {
  const { expressions, ready } = given;
  // Without a terminal, nobody would see it.
  const onLogin =
    terminal.errorColumns === undefined
      ? undefined
      : (place: string) => printMessage(terminal, `log in at ${place}; the command continues then`);
  const where = { engine, url: connect, queryTimeout, onLogin };
  return { ...where, table: table!, mapping: traffic.mapping ?? {}, expressions, ready };
}

async function summaryOf<Summary>(run: (stop: AbortSignal) => Promise<EngineResult<Summary>>): Promise<Summary> {
  const found = await stoppable(run);
  if (found.kind === 'replayed') return found.summary;
  if (found.kind === 'stopped') throw new StoppedReplay();
  throw new ExternalError(
    'engine/unsuited',
    `cannot replay on a table: ${found.reason}; ${found.remedy ?? 'replay exported records instead'}`,
  );
}
