/** Athena: the dialect of Trino, and a session over the API of AWS, whose client users install themselves. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Athena, GetQueryResultsOutput } from '@aws-sdk/client-athena';
import {
  CONNECT_TIMEOUT,
  clientMissing,
  type Dialect,
  type EngineRow,
  type EngineSession,
  queryFailed,
  unreachable,
} from './engine.ts';
import { TRINO } from './trino.ts';

/**
 * Opens a session with the credentials that programs for AWS use, such as those of `AWS_PROFILE`.
 *
 * @param url `athena://eu-central-1/database?workgroup=name&output=s3://bucket/prefix/`, with the data catalog before the database unless it is AWS
 *   Glue's; without it, that of `ATHENA_URL`, or what the settings of AWS and the primary workgroup say
 */
export async function openAthena(url: string | undefined, ended?: AbortSignal): Promise<EngineSession> {
  const place = placeOf(url ?? process.env.ATHENA_URL ?? 'athena:///');
  const workgroup = new Workgroup(await loadClient(), place, ended ?? new AbortController().signal);
  return {
    dialect: ATHENA,
    longestQuery: MAX_QUERY,
    describe: sql => describe(workgroup, sql),
    batches: sql => workgroup.batches(sql),
    cancel: () => workgroup.cancel(),
    close: async () => workgroup.close(),
    scannedBytes: () => workgroup.scannedBytes,
  };
}

interface Place {
  readonly region: string | undefined;
  readonly catalog: string | undefined;
  readonly database: string | undefined;
  readonly workgroup: string | undefined;
  /** Where results go, if the workgroup does not say. */
  readonly output: string | undefined;
}

const FORM = 'expected `athena://REGION/DATABASE`, with `?workgroup=NAME` or `?output=s3://BUCKET/PREFIX/` if needed';

function placeOf(text: string): Place {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.split('/').slice(1).map(decodeURIComponent) ?? [];
  const known = [...(url?.searchParams.keys() ?? [])].every(name => name === 'workgroup' || name === 'output');
  if (url?.protocol !== 'athena:' || url.username !== '' || url.port !== '' || path.length > 2 || !known)
    throw unreachable(PRODUCT, text, FORM);
  const given = (value: string | null | undefined) => value || undefined;
  return {
    region: given(url.hostname),
    catalog: path.length > 1 ? given(path[0]) : undefined,
    database: given(path.at(-1)),
    workgroup: given(url.searchParams.get('workgroup')),
    output: given(url.searchParams.get('output')),
  };
}

type Client = typeof import('@aws-sdk/client-athena');

async function loadClient(): Promise<Client> {
  try {
    return await import('@aws-sdk/client-athena');
  } catch {
    throw clientMissing(PRODUCT, '@aws-sdk/client-athena');
  }
}

/** The API says only `row` or `map` of columns that are nested, so another query returns types as Trino writes them, without reading anything. */
async function describe(workgroup: Workgroup, sql: string): ReturnType<EngineSession['describe']> {
  const names = await workgroup.columns(`select * from (${sql}) described limit 0`);
  const types = names.map(name => `typeof(described.${ATHENA.name(name)})`).join(', ');
  const found: EngineRow[] = [];
  for await (const rows of workgroup.batches(
    `select ${types} from (values 1) as one(row) left join (${sql}) described on false`,
  ))
    found.push(...rows);
  return names.map((name, at) => ({ name, type: found[0]![at]! }));
}

interface Running {
  /** Settles when the API has said how the query is called. */
  readonly started: Promise<string>;
  /** Settles when a query that is canceled has been stopped. */
  stopped: Promise<void> | undefined;
}

type Result = NonNullable<GetQueryResultsOutput['ResultSet']>;

class Workgroup {
  readonly #place: Place;
  readonly #client: Client;
  readonly #athena: Athena;
  readonly #ended: AbortSignal;
  #running: Running | undefined;
  /** Of all queries so far; what Athena charges for. */
  scannedBytes = 0;

  constructor(client: Client, place: Place, ended: AbortSignal) {
    this.#client = client;
    this.#place = place;
    this.#ended = ended;
    this.#athena = new client.Athena({
      ...(place.region && { region: place.region }),
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT * 1000 },
    });
  }

  async columns(sql: string): Promise<readonly string[]> {
    for await (const { ResultSetMetadata } of this.#results(sql)) return namesIn(ResultSetMetadata);
    return [];
  }

  async *batches(sql: string): AsyncGenerator<readonly EngineRow[]> {
    let isFirst = true;
    for await (const { Rows = [], ResultSetMetadata } of this.#results(sql)) {
      const rows = Rows.map(({ Data = [] }) => Data.map(({ VarCharValue }) => VarCharValue ?? null));
      // The first row of a result has the names of the columns.
      const isHeader = isFirst && rows[0]?.join() === namesIn(ResultSetMetadata).join();
      isFirst = false;
      const batch = isHeader ? rows.slice(1) : rows;
      if (batch.length > 0) yield batch;
    }
  }

  /** Stops the query that runs, also one that has hardly begun: it would run to its end, and cost. */
  async cancel(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.stopped = running.started.then(id => this.#stop(id));
    await running.stopped;
  }

  close(): void {
    this.#athena.destroy();
  }

  /** Yields the pages of a result. */
  async *#results(sql: string): AsyncGenerator<Result> {
    const length = Buffer.byteLength(sql);
    if (length > MAX_QUERY)
      throw queryFailed(PRODUCT, `a query has ${length} bytes, and ${MAX_QUERY} are allowed${TOO_LONG}`);
    const running: Running = { started: this.#start(sql), stopped: undefined };
    this.#running = running;
    let id: string | undefined;
    let hasEnded = false;
    try {
      id = await running.started;
      await this.#succeeded(id, running);
      hasEnded = true;
      let next: string | undefined;
      do {
        const request = { QueryExecutionId: id, MaxResults: PAGE, ...(next !== undefined && { NextToken: next }) };
        const { ResultSet, NextToken } = await this.#call(options => this.#athena.getQueryResults(request, options));
        yield ResultSet ?? {};
        next = NextToken;
      } while (next !== undefined);
    } finally {
      this.#running = undefined;
      // The command may end after this.
      if (id !== undefined && !hasEnded) await (running.stopped ?? this.#stop(id)).catch(() => undefined);
    }
  }

  async #start(sql: string): Promise<string> {
    const { workgroup, output, catalog, database } = this.#place;
    const request = {
      QueryString: sql,
      // However often it is sent, it is one query.
      ClientRequestToken: randomUUID(),
      QueryExecutionContext: { ...(catalog && { Catalog: catalog }), ...(database && { Database: database }) },
      ...(workgroup && { WorkGroup: workgroup }),
      ...(output && { ResultConfiguration: { OutputLocation: output } }),
    };
    const { QueryExecutionId } = await this.#call(options => this.#athena.startQueryExecution(request, options));
    return QueryExecutionId!;
  }

  /** Waits until a query has succeeded. Throws one line if it fails. */
  async #succeeded(id: string, running: Running): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 1.5, LAST_PAUSE_MS)) {
      const request = { QueryExecutionId: id };
      const { QueryExecution } = await this.#call(options => this.#athena.getQueryExecution(request, options));
      const { Status: { State, StateChangeReason, AthenaError } = {}, Statistics } = QueryExecution ?? {};
      if (State === 'SUCCEEDED' || State === 'FAILED' || State === 'CANCELLED')
        this.scannedBytes += Statistics?.DataScannedInBytes ?? 0;
      if (running.stopped !== undefined || State === 'CANCELLED') throw queryFailed(PRODUCT, 'the query was canceled');
      if (State === 'SUCCEEDED') return;
      if (State === 'FAILED')
        throw queryFailed(PRODUCT, AthenaError?.ErrorMessage ?? StateChangeReason ?? 'no reason given');
      await pause(wait, undefined, { signal: this.#ended });
    }
  }

  async #stop(id: string): Promise<void> {
    await this.#call(options => this.#athena.stopQueryExecution({ QueryExecutionId: id }, options));
  }

  /** Calls the API, again and again while it is overloaded: an account has few calls and queries at a time. */
  async #call<Output>(call: (options: { readonly abortSignal: AbortSignal }) => Promise<Output>): Promise<Output> {
    for (let wait = THROTTLED_PAUSE_MS; ; wait *= 2)
      try {
        return await call({ abortSignal: this.#ended });
      } catch (error) {
        if (!(error instanceof this.#client.AthenaServiceException)) throw await this.#unreachable(error);
        if (!THROTTLED.has(error.name) || wait > LAST_THROTTLED_PAUSE_MS)
          throw queryFailed(PRODUCT, withRemedy(error.message || error.name), error);
        await pause(wait, undefined, { signal: this.#ended });
      }
  }

  async #unreachable(error: unknown): Promise<Error> {
    const region = await this.#athena.config.region().catch(() => undefined);
    if (region === undefined)
      return unreachable(PRODUCT, 'AWS', 'no region; name it in `--connect athena://REGION/DATABASE` or `AWS_REGION`');
    return unreachable(PRODUCT, region, error);
  }
}

/** Rows of a page, the most that the API returns. */
const PAGE = 1000;

/** In ms: the API counts calls, and most queries take seconds. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2000;

/** In ms, after the attempts that the client makes itself. */
const THROTTLED_PAUSE_MS = 500;
const LAST_THROTTLED_PAUSE_MS = 30_000;
const THROTTLED: ReadonlySet<string> = new Set(['TooManyRequestsException', 'ThrottlingException']);

/** The length of a query in bytes; a fixed limit of Athena. */
const MAX_QUERY = 262_144;
/** Queries contain the classes of values. */
const TOO_LONG = '; restrict the table to fewer distinct values';

function namesIn(metadata: Result['ResultSetMetadata']): readonly string[] {
  return (metadata?.ColumnInfo ?? []).map(({ Name }) => Name!);
}

function withRemedy(message: string): string {
  return message.startsWith('No output location provided')
    ? `${message.replace(/[.]$/, '')}; name one with \`?output=s3://BUCKET/PREFIX/\` in \`--connect\``
    : message;
}

/** Engine version 3, which is Trino. The time zone of its sessions is UTC. */
const ATHENA: Dialect = { ...TRINO, product: 'Athena' };

const PRODUCT = ATHENA.product;
