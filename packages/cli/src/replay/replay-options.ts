// Options of `replay`: its report, its engine, and which exchanges to report.

import type { EngineName } from '@tollgate/reports';
import type { Sample } from '@tollgate/simulator';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type InputOptions, parseTime } from '../input/traffic-options.ts';
import { addFormatOptions } from '../output/output-options.ts';

/** The options of {@link addReportOptions}, as given. */
export interface ReportArguments {
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly output?: string;
  /** How many clients, paths and countries to list for each rule. */
  readonly top: number;
  readonly progress: boolean;
  readonly quiet?: true;
  /** Succeed even if the traffic contains no exchange. */
  readonly allowEmpty?: boolean;
}

/** Adds the options for the report of a replay. */
export function addReportOptions(command: Command): Command {
  return addFormatOptions(command, { placeholder: 'report', formats: REPLAY_FORMATS })
    .addOption(
      new Option('--top <number>', 'number of clients, paths and countries to list per rule')
        .argParser(parseTop)
        .default(3),
    )
    .option('--no-progress', 'hide the progress of long replays')
    .option('-q, --quiet', 'hide the progress, and the summary if no rule matched');
}

const MAX_LISTED = 100;

function parseTop(text: string): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number <= MAX_LISTED) return number;
  throw new InvalidArgumentError(`expected a whole number from 0 to ${MAX_LISTED}.`);
}

/** The report formats of a replay, with their descriptions. */
export const REPLAY_FORMATS = {
  text: 'for people, on a terminal',
  json: 'all figures in one document',
  ndjson: 'JSON lines: one for each decision, and a last one with all figures',
  csv: 'one row per rule',
  decisions: 'CSV: one row for each decision',
  markdown: 'for pull requests and wikis',
  html: 'self-contained page with charts',
} as const;

/** One of {@link REPLAY_FORMATS}. */
export type ReplayFormat = keyof typeof REPLAY_FORMATS;

/** The options of {@link addEngineOptions}, as given. */
export interface EngineOptions {
  readonly engine?: EngineName;
  /** Of DuckDB. */
  readonly threads?: number;
  /** A name, or a query in parentheses. */
  readonly table?: string;
  readonly connect?: string;
  /** In s. */
  readonly queryTimeout?: number;
}

/** Named here, because a start need not load what reports say about engines. */
const ENGINES: readonly EngineName[] = ['duckdb', 'js', 'postgres', 'clickhouse', 'trino', 'spark', 'athena'];

/** Adds `--engine`, `--threads` and the options of engines that hold traffic in tables. */
export function addEngineOptions(command: Command): Command {
  const engine = new Option(
    '--engine <name>',
    'what decides the traffic: `duckdb`, for JSON lines and Parquet, or `js`; by default `duckdb` for Parquet, and for JSON lines from 192 MB on. With `--table`: ' +
      '`postgres`, `clickhouse`, `trino`, `spark` or `athena`, where the traffic is',
  );
  const threads = new Option('--threads <number>', 'number of threads that DuckDB uses; by default one per processor');
  engine.choices(ENGINES);
  return addPlaceOptions(command.addOption(engine).addOption(threads.argParser(parseThreads)));
}

/** Adds `--engine` for tables only, and the options of engines that hold them. */
export function addTableOptions(command: Command): Command {
  const engine = new Option('--engine <name>', 'with `--table`, where it is');
  return addPlaceOptions(command.addOption(engine.choices(ENGINES.filter(name => !IN_FILES.has(name)))));
}

const IN_FILES: ReadonlySet<EngineName> = new Set(['duckdb', 'js']);

function addPlaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--table <sql>',
        'table with the traffic, or a query in parentheses such as `(select * from logs where day = 1)`; instead of recordings',
      ),
    )
    .addOption(
      new Option(
        '--connect <url>',
        'where the engine of `--table` is, such as `postgres://user@host/db`, `https://user@host:8443/`, `spark://user@host:10000/` or ' +
          '`athena://region/database`; by default what `PGHOST` and its like, `CLICKHOUSE_URL`, `TRINO_URL`, `SPARK_URL` or `ATHENA_URL` say',
      ),
    )
    .addOption(
      new Option(
        '--query-timeout <seconds>',
        'how long the engine of `--table` may take to answer a query; by default an hour',
      ).argParser(parseTimeout),
    );
}

const MAX_TIMEOUT = 7 * 24 * 3600;

function parseTimeout(text: string): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1 && number <= MAX_TIMEOUT) return number;
  throw new InvalidArgumentError(`expected a number of seconds from 1 to ${MAX_TIMEOUT}.`);
}

const MAX_THREADS = 64;

function parseThreads(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= MAX_THREADS) return number;
  throw new InvalidArgumentError(`expected an integer from 1 to ${MAX_THREADS}.`);
}

/** What to say about `--threads` where only JavaScript decides; undefined if nothing was requested that it cannot do. */
export function threadsRemark({ threads }: EngineOptions): string | undefined {
  return threads === undefined || threads === 1
    ? undefined
    : '`--threads` has no effect: only DuckDB uses several threads';
}

/** Ends the command if options of tables do not fit together. */
export function requireTraffic(
  command: Command,
  { engine, table, trafficFormat, logFormat }: EngineOptions & Pick<InputOptions, 'trafficFormat' | 'logFormat'>,
  { files, edge }: { readonly files: readonly string[]; readonly edge?: string | undefined },
): void {
  const isTable = engine !== undefined && !IN_FILES.has(engine);
  if (isTable !== (table !== undefined))
    command.error('error: use `--table` together with `--engine postgres`, `clickhouse`, `trino`, `spark` or `athena`');
  if (isTable && (edge !== undefined || files.length > 0))
    command.error(`error: \`--table\` replaces recordings${command.name() === 'replay' ? ' and `--edge`' : ''}`);
  const [format] =
    Object.entries({ '--traffic-format': trafficFormat, '--log-format': logFormat }).find(
      ([, value]) => value !== undefined,
    ) ?? [];
  if (isTable && format !== undefined)
    command.error(
      `error: \`${format}\` is about files, and the columns of a table have names; use \`--mapping\` or \`--fields\``,
    );
  if (files.length === 0 && !isTable) command.error("error: missing required argument 'traffic'");
}

/** The options of {@link addSelectionOptions}, as given. */
export interface SelectionOptions {
  /** An expression on exchanges and decisions. */
  readonly where?: string;
  readonly sample?: SampleSize;
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly since?: number;
  readonly until?: number;
}

/** A sample before its seed is known. */
type SampleSize = Sample extends infer One ? (One extends Sample ? Omit<One, 'seed'> : never) : never;

/** Adds the options that select exchanges. */
export function addSelectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--where <expression>',
        'report only exchanges for which this CEL expression holds, such as `decision.outcome == "denied"`',
      ),
    )
    .addOption(
      new Option(
        '--sample <size>',
        'report only a sample: a number of exchanges, or a share such as `1%`; the same for the same `--seed`',
      ).argParser(parseSample),
    )
    .addOption(new Option('--since <time>', 'report only exchanges at or after this time').argParser(parseTime))
    .addOption(new Option('--until <time>', 'report only exchanges before this time').argParser(parseTime));
}

function parseSample(text: string): SampleSize {
  const isShare = text.endsWith('%');
  const number = Number(isShare ? text.slice(0, -1) : text);
  const isValid = /^\d+(?:\.\d+)?%?$/.test(text) && number > 0 && (isShare ? number <= 100 : number <= MAX_SAMPLE);
  if (!isValid || (!isShare && !Number.isInteger(number)))
    throw new InvalidArgumentError(`expected a number of exchanges up to ${MAX_SAMPLE}, or a share such as \`1%\`.`);
  return isShare ? { percent: number } : { count: number };
}

/** They are held in memory. */
const MAX_SAMPLE = 1_000_000;

/** The options of {@link addFollowOptions}, as given. */
export interface FollowOptions {
  readonly follow?: true;
  readonly fromEnd?: true;
  /** A condition on the totals. */
  readonly stopWhen?: string;
  /** Where metrics are served. */
  readonly metrics?: string;
}

/** Adds `--follow` and what belongs to it. */
export function addFollowOptions(command: Command, example: string): Command {
  return command
    .option(
      '--follow',
      'continue with what is added to the recordings, also after they were rotated or truncated, until Ctrl-C',
    )
    .option('--from-end', 'with `--follow`, begin with what is added from now on')
    .addOption(
      new Option(
        '--stop-when <expression>',
        `with \`--follow\`, stop and fail as soon as this CEL expression on the totals holds, such as \`${example}\``,
      ),
    )
    .addOption(
      new Option(
        '--metrics <address>',
        'with `--follow`, serve the totals for Prometheus, such as at `127.0.0.1:9090`',
      ),
    );
}

/** Ends the command if options need `--follow`, or what `--follow` cannot do. */
export function requireFollow(command: Command, { follow, engine, ...given }: FollowOptions & EngineOptions): void {
  const dependent = { '--from-end': given.fromEnd, '--stop-when': given.stopWhen, '--metrics': given.metrics };
  if (follow) {
    if (engine !== undefined && engine !== 'js')
      command.error('error: `--follow` reads recordings while they are written, which only `--engine js` does');
    return;
  }
  for (const [option, value] of Object.entries(dependent))
    if (value !== undefined) command.error(`error: use \`${option}\` together with \`--follow\``);
}

/** Adds `--state`. */
export function addStateOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--state <file>',
      'with `--table` and `--top 0`, keep the counts of each day that is over in this file, so that the next run only counts other days',
    ),
  );
}

/** Ends the command if counts of days cannot be added up to what was requested. */
export function requireAddable(
  command: Command,
  {
    state,
    table,
    top,
    where,
    sample,
  }: EngineOptions & SelectionOptions & { readonly state?: string; readonly top: number },
): void {
  if (state === undefined) return;
  if (table === undefined) command.error('error: `--state` is for traffic in a table; use it together with `--table`');
  if (top > 0)
    command.error(
      'error: the clients of several days cannot be counted from those of each; use `--state` together with `--top 0`',
    );
  if (where !== undefined || sample !== undefined)
    command.error(
      `error: \`--state\` keeps the counts of whole days; leave out \`--${where === undefined ? 'sample' : 'where'}\`, or use a query in parentheses`,
    );
}

/** Adds `--requirements`. */
export function addRequirementsOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--requirements',
      'show which fields the policy needs and how to log them with nginx, Apache and Envoy, instead of replaying',
    ),
  );
}
