/** Spark: its dialect, and a session over the Thrift protocol of HiveServer2. */
import type { Socket } from 'node:net';
import type hive from 'hive-driver';
import { SPARK_STRINGS } from '../questions/plain-forms.ts';
import {
  CONNECT_TIMEOUT,
  type ColumnKind,
  clientMissing,
  type Dialect,
  type EngineRow,
  type EngineSession,
  memberIn,
  notConnected,
  queryFailed,
  unreachable,
} from './engine.ts';

/** Rows that are fetched at once. */
const BATCH = 10_000;

type HiveClient = InstanceType<typeof hive.HiveClient>;
type Session = Awaited<ReturnType<HiveClient['openSession']>>;
type Operation = Awaited<ReturnType<Session['executeStatement']>>;

/**
 * Opens a session of a Thrift server, which speaks the protocol of HiveServer2.
 *
 * @param url `spark://user:password@host:10000/schema`, with `?ssl=true` for TLS; without it, that of `SPARK_URL`, or the local server
 */
export async function openSpark(url: string | undefined, ended?: AbortSignal): Promise<EngineSession> {
  const place = placeOf(url ?? process.env.SPARK_URL ?? 'spark://127.0.0.1:10000/');
  const driver = await loadDriver();
  const connection = await connect(driver, place, ended);
  const { session, lost } = connection;
  let running: Operation | undefined;
  const batches = async function* (sql: string): AsyncGenerator<readonly EngineRow[]> {
    const operation = await failing(lost, session.executeStatement(sql, { runAsync: true }));
    running = operation;
    try {
      operation.setMaxRows(BATCH);
      await finished(operation, lost);
      do {
        await failing(lost, operation.fetch());
        const rows = rowsOf(operation.getData());
        operation.flush();
        if (rows.length > 0) yield rows;
      } while (operation.hasMoreRows());
    } finally {
      running = undefined;
      // A connection that broke answers nothing.
      await Promise.race([operation.close(), lost]).catch(() => undefined);
    }
  };
  const run = async (sql: string) => {
    const found: EngineRow[] = [];
    for await (const rows of batches(sql)) found.push(...rows);
    return found;
  };
  const close = async () => {
    await Promise.race([session.close(), lost]).catch(() => undefined);
    connection.close();
  };
  try {
    await run('set spark.sql.session.timeZone = UTC');
    // Names cannot be escaped, and nothing that we send has variables.
    await run('set spark.sql.variable.substitute = false');
    if (place.schema !== '') await run(`use ${SPARK.name(place.schema)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    dialect: SPARK,
    describe: async sql => (await run(`describe query ${sql}`)).map(([name, type]) => ({ name: name!, type: type! })),
    batches,
    run: async sql => void (await run(sql)),
    cancel: async () => void (await Promise.race([running?.cancel(), lost])),
    close,
    longestQuery: LONGEST_QUERY,
  };
}

/** In bytes: with 2 GB of memory, a server answered a query of 20 MB, and not one of 50 MB. By default, servers have 1 GB. */
const LONGEST_QUERY = 8_000_000;

interface Place {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly schema: string;
  readonly isEncrypted: boolean;
}

function placeOf(text: string): Place {
  if (!URL.canParse(text)) throw unreachable(PRODUCT, text, 'not a valid URL');
  const { hostname, port, username, password, pathname, searchParams } = new URL(text);
  return {
    ...{ host: hostname, port: Number(port || 10_000), schema: decodeURIComponent(pathname.slice(1)) },
    ...{ username: decodeURIComponent(username), password: decodeURIComponent(password) },
    isEncrypted: searchParams.get('ssl') === 'true',
  };
}

async function loadDriver(): Promise<typeof hive> {
  try {
    return (await import('hive-driver')).default;
  } catch {
    throw clientMissing(PRODUCT, 'hive-driver');
  }
}

interface Connection {
  readonly session: Session;
  /** Rejects if the connection breaks, of which pending calls learn nothing. */
  readonly lost: Promise<never>;
  readonly close: () => void;
}

async function connect(
  { HiveClient, thrift, connections, auth }: typeof hive,
  place: Place,
  ended: AbortSignal | undefined,
): Promise<Connection> {
  const { TCLIService, TCLIService_types } = thrift;
  const { host, port, isEncrypted } = place;
  const client = new HiveClient(TCLIService, TCLIService_types);
  const lost = new Promise<never>((_, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new Error('the connection broke before the end of the result')));
  });
  lost.catch(() => undefined);
  const username = place.username || 'tollgate';
  try {
    const plain = new auth.PlainTcpAuthentication({ username, password: place.password || 'none' });
    const login: Parameters<HiveClient['connect']>[2] = {
      authenticate: transport => {
        const done = plain.authenticate(transport);
        watchConnecting(transport.getTransport(), ended);
        return done;
      },
    };
    await client.connect({ host, port, options: { ssl: isEncrypted } }, new connections.TcpConnection(), login);
    const request = {
      client_protocol: TCLIService_types.TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10,
      ...{ username, configuration: { [LONG_POLLING]: '100ms' } },
    };
    const session = await Promise.race([client.openSession(request), lost]);
    return { session, lost, close: () => client.close() };
  } catch (error) {
    client.close();
    throw unreachable(PRODUCT, `${host}:${port}`, error);
  }
}

/** Ends a socket that is not connected in time, or when all ends: the driver would wait. */
function watchConnecting(socket: Socket, ended: AbortSignal | undefined): void {
  const fail = (message: string) => socket.destroy(new Error(message));
  const timer = setTimeout(() => fail(notConnected(CONNECT_TIMEOUT)), CONNECT_TIMEOUT * 1000);
  for (const event of ['data', 'close']) socket.once(event, () => clearTimeout(timer));
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  ended?.addEventListener('abort', () => socket.destroy(), { once: true });
}

/** How long a connection is silent until it is probed. */
const KEEP_ALIVE_MS = 10_000;

/** Calls of one connection are answered in turn, so a cancellation waits for the answer about the state, by default 5 s. */
const LONG_POLLING = 'set:hiveconf:hive.server2.long.polling.timeout';

/** Returns what a call of the protocol returns. Throws one line if it fails. */
async function failing<Result>(lost: Promise<never>, call: Promise<Result>): Promise<Result> {
  try {
    return await Promise.race([call, lost]);
  } catch (error) {
    throw queryFailed(PRODUCT, reasonIn(error instanceof Error ? error.message : String(error)), error);
  }
}

/** States of operations (TOperationState in TCLIService.thrift). */
const FINISHED = 2;
const FAILED = 5;
const CANCELED = 'the query was canceled';
const CLOSED: ReadonlyMap<number, string> = new Map([
  [3, CANCELED],
  [4, CANCELED],
  [FAILED, 'the query failed, and the server does not say why'],
  [8, 'the query took longer than the server allows'],
]);

async function finished(operation: Operation, lost: Promise<never>): Promise<void> {
  for (let unexplained = 0; ; ) {
    // The server answers when the state changes, or after some seconds.
    const { operationState = 0, errorMessage } = await failing(lost, operation.status(false));
    if (operationState === FINISHED) return;
    // A query has failed some moments before the server knows why.
    const isExplained = operationState !== FAILED || Boolean(errorMessage) || unexplained++ === MAX_UNEXPLAINED;
    if (CLOSED.has(operationState) && isExplained)
      throw queryFailed(PRODUCT, reasonIn(errorMessage || CLOSED.get(operationState)!));
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
}

const PAUSE_MS = 20;
const MAX_UNEXPLAINED = 100;

/** Returns the message in `…HiveSQLException: Error running query: [DIVIDE_BY_ZERO] …SparkArithmeticException: [DIVIDE_BY_ZERO] Division …`. */
function reasonIn(text: string): string {
  const [line = ''] = text.split('\n');
  // Not all messages have an error class.
  return line
    .split(/: \[[A-Z_.]+\] /)
    .at(-1)!
    .replace(/^(?:(?:[a-z]+[.])+[A-Za-z]+Exception: |Error running query: )+/, '');
}

interface RowSet {
  readonly columns?: readonly ColumnValues[];
}

type ColumnValues = Readonly<
  Record<string, { readonly values: readonly unknown[]; readonly nulls: Uint8Array } | undefined | null>
>;

function rowsOf(sets: readonly RowSet[]): readonly EngineRow[] {
  return sets.flatMap(({ columns = [] }) => {
    const all = columns.map(column => Object.values(column).find(one => one?.values !== undefined)!);
    return (all[0]?.values ?? []).map((_, row) =>
      all.map(({ values, nulls }) => (isSet(nulls, row) ? null : String(values[row]))),
    );
  });
}

function isSet(bits: Uint8Array, at: number): boolean {
  return (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
}

/** Spark 4. The time zone of the session must be UTC. */
const SPARK: Dialect = {
  product: 'Spark',
  text: quoted,
  name: value => `\`${value.replaceAll('`', '``')}\``,
  kindOf: type => KINDS[type.replace(/[(<].*$/s, '')],
  asText: (sql, kind) => {
    switch (kind) {
      case 'json':
        return `to_json(${sql})`;
      case 'time':
        return `cast(${SPARK.epochMs(sql)} as string)`;
      case 'text':
        // Files may hold bytes that are not UTF-8 and would not come back as they were sent.
        return `make_valid_utf8(cast(${sql} as string))`;
      default:
        return `cast(${sql} as string)`;
    }
  },
  epochMs: sql => `unix_millis(cast(${sql} as timestamp))`,
  localMs: sql => `unix_millis(try_cast(${sql} as timestamp))`,
  digits: sql => `try_cast(${sql} as bigint)`,
  timeLiteral: (iso, type) => `${type === 'timestamp_ntz' ? 'timestamp_ntz' : 'timestamp'} '${iso.slice(0, -1)}'`,
  hash: strings => `(xxhash64(${strings.join(', ')}) & 9223372036854775807)`,
  checksum: sql => `crc32(${sql})`,
  double: sql => `cast(${sql} as double)`,
  integer: sql => `cast(${sql} as bigint)`,
  matches: (sql, pattern) => `${sql} rlike ${quoted(pattern)}`,
  extract: (sql, pattern) => `regexp_extract(${sql}, ${quoted(pattern)}, 1)`,
  members: (column, type) => {
    const without = (list: string, value: string) => `filter(${list}, pair -> not (pair.value <=> ${quoted(value)}))`;
    if (type.startsWith('struct<'))
      return {
        string: name => memberIn(type, name) && `cast(${column}.${SPARK.name(name.toLowerCase())} as string)`,
        pairs: (name, except) => memberIn(type, name) && without(`${column}.${SPARK.name(name.toLowerCase())}`, except),
      };
    if (type !== 'variant' && SPARK.kindOf(type) !== 'text') return undefined;
    const json = type === 'variant' ? `to_json(${column})` : column;
    const either = (name: string) =>
      `coalesce(get_json_object(${json}, '$.${name}'), get_json_object(${json}, '$.${name.toLowerCase()}'))`;
    return {
      string: either,
      pairs: (name, except) => without(`from_json(${either(name)}, 'array<struct<name:string,value:string>>')`, except),
    };
  },
  leastList: strings => `to_json(min(array(${strings.join(', ')})))`,
  strings: SPARK_STRINGS,
  groupsRaw: true,
  ranked: {
    needsRank: true,
    pairs: (count, key, { most, condition, rank }) => {
      const own = `case when ${rank} <= ${most} and ${condition} then struct(${rank}, -${count} as n, ${key} as k) end`;
      return `to_json(transform(array_sort(collect_list(${own})), one -> array(cast(one.n as string), one.k)))`;
    },
  },
  tableOf: (table, query) => `create table ${table} using parquet as ${query}`,
  renamed: (table, to) => `alter table ${table} rename to ${to}`,
  lookup: (alias, columns, rows) => {
    const types = columns.map(({ name, type }) => `${name}:${type === 'text' ? 'string' : 'bigint'}`).join(',');
    const records = rows.map(row => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
    return `(select inline(from_json(${quoted(JSON.stringify(records))}, 'array<struct<${types}>>'))) ${alias}`;
  },
};

const PRODUCT = SPARK.product;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ string: 'text', varchar: 'text', tinyint: 'number', smallint: 'number', int: 'number', bigint: 'number' },
  ...{ decimal: 'number', float: 'number', double: 'number', boolean: 'boolean' },
  ...{ map: 'json', array: 'json', struct: 'json', variant: 'json' },
  ...{ date: 'time', timestamp: 'time', timestamp_ntz: 'time' },
};

/** Before it reads a statement, Spark replaces `${…}` by variables of the session, the system and the environment, also in literals. */
function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('${', '\\u0024{')}'`;
}
