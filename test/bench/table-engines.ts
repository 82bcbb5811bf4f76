/** Engines of the tests with a table of generated requests: the same distributions on each, by its own SQL. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { openEngine, type TableEngine } from '../../packages/query/src/engines/open-engine.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { postgresForTests } from '../support/postgres.ts';

/** The engines that run here. */
export const MEASURED_ENGINES = ['clickhouse', 'postgres', 'spark', 'trino'] as const satisfies readonly TableEngine[];

type MeasuredEngine = (typeof MEASURED_ENGINES)[number];

/** What of the requests differs. */
export interface RequestShape {
  /** The share of URLs that are not plain, in percent. */
  readonly others: number;
  /** Whether URLs repeat; otherwise each one is another. */
  readonly isRepeating: boolean;
}

/** An engine that runs on this machine. */
export interface EngineUnderTest {
  readonly name: MeasuredEngine;
  readonly url: string;
  readonly table: string;
  /** Replaces the rows of the table. */
  readonly fill: (rows: number, shape: RequestShape) => Promise<void>;
  /** Returns the rows as JSON lines. */
  readonly lines: () => Promise<string>;
  /** Returns the processor time of all of its processes so far, in seconds. */
  readonly time: () => number;
  readonly stop: () => Promise<void>;
}

/** How an engine writes what others write in another way. */
interface RowSql {
  /** Returns an integer from 0 on that depends on integers as if drawn. */
  readonly hash: (value: string, salt: number) => string;
  readonly string: (value: string) => string;
  readonly list: (values: readonly string[]) => string;
  /** Returns the one at a place, from 1. */
  readonly at: (list: string, place: string) => string;
  readonly digest: (value: string) => string;
  /** Returns a time after a number of ms since 1970. */
  readonly time: (ms: string) => string;
  /** Returns numbers from 0 on in a column `number`, as an item of `from`. */
  readonly numbers: (count: number) => string;
  /** Returns the statement that makes a table of the rows of a query. */
  readonly table: (name: string, query: string) => string;
}

const quoted = (value: string) => `'${value}'`;

const ROW_SQL: Readonly<Record<MeasuredEngine, RowSql>> = {
  clickhouse: {
    hash: (value, salt) => `cityHash64(${value}, ${salt})`,
    string: value => `toString(${value})`,
    list: values => `[${values.join(', ')}]`,
    at: (list, place) => `${list}[${place}]`,
    digest: value => `lower(hex(MD5(${value})))`,
    time: ms => `fromUnixTimestamp64Milli(cast(${ms} as Int64), 'UTC')`,
    numbers: count => `numbers(${count})`,
    table: (name, query) => {
      const types = ['method', 'country', 'user_agent'].map(column => `${column} LowCardinality(String)`).join(', ');
      return `create table ${name}(time DateTime64(3, 'UTC'), client_ip String, url String, status UInt16, ${types}) engine = MergeTree order by time as ${query}`;
    },
  },
  postgres: {
    hash: (value, salt) => `(hashint8extended(${value}, ${salt}) & 9223372036854775807)`,
    string: value => `cast(${value} as text)`,
    list: values => `(array[${values.join(', ')}])`,
    at: (list, place) => `${list}[${place}]`,
    digest: value => `md5(${value})`,
    time: ms => `to_timestamp((${ms}) / 1000.0)`,
    numbers: count => `generate_series(0::bigint, ${count - 1}) as numbers(number)`,
    table: (name, query) => `create table ${name} as ${query}`,
  },
  spark: {
    hash: (value, salt) => `(xxhash64(${value}, ${salt}) & 9223372036854775807)`,
    string: value => `cast(${value} as string)`,
    list: values => `array(${values.join(', ')})`,
    at: (list, place) => `element_at(${list}, cast(${place} as int))`,
    digest: value => `md5(${value})`,
    time: ms => `timestamp_millis(${ms})`,
    numbers: count => `(select id as number from range(${count}))`,
    table: (name, query) => `create table ${name} using parquet as ${query}`,
  },
  trino: {
    hash: (value, salt) =>
      `bitwise_and(from_big_endian_64(xxhash64(to_big_endian_64(cast(${value} as bigint) * 64 + ${salt}))), 9223372036854775807)`,
    string: value => `cast(${value} as varchar)`,
    list: values => `array[${values.join(', ')}]`,
    at: (list, place) => `element_at(${list}, ${place})`,
    digest: value => `lower(to_hex(md5(to_utf8(${value}))))`,
    // Not all catalogs store times with a zone.
    time: ms => `cast(from_unixtime((${ms}) / 1e3) at time zone 'UTC' as timestamp(3))`,
    numbers: count =>
      `(select thousands.n * 1000 + units.n as number from unnest(sequence(0, ${Math.ceil(count / 1000) - 1})) as thousands(n) cross join unnest(sequence(0, 999)) as units(n) where thousands.n * 1000 + units.n < ${count})`,
    table: (name, query) => `create table ${name} as ${query}`,
  },
};

/** The first time, in ms. */
const START = Date.UTC(2026, 10, 1);

/**
 * Returns a query of requests. Few clients send most of them; each has one address, country and user agent. Most requests are `GET` and succeed.
 */
function requestsSql(sql: RowSql, rows: number, { others, isRepeating }: RequestShape): string {
  const { hash, string, digest } = sql;
  const draw = (salt: number, size: number, value = 'number') => `${hash(value, salt)} % ${size}`;
  const ofClient = (salt: number, size: number) => draw(salt, size, 'client');
  const oneOf = (values: readonly string[], drawn: string) => sql.at(sql.list(values.map(quoted)), `${drawn} + 1`);
  const skewed = (drawn: string, size: number, power: number, most: number) =>
    `cast(floor(power((${drawn}) / ${size}e0, ${power}) * ${most}) as bigint)`;
  const chosen = (conditions: readonly (readonly [condition: string, value: string])[], rest: string) =>
    `case ${conditions.map(([condition, value]) => `when ${condition} then ${value}`).join(' ')} else ${rest} end`;
  const networks = ['203.9.', '81.128.', '192.4.', '198.51.', '10.0.', '172.16.', '8.8.', '9.9.'];
  const folders = ['books/', 'books/', 'books/', 'cart/', 'search/', 'static/js/', 'api/v1/items/', 'admin/'];
  const countries = ['DE', 'FR', 'US', 'GB', 'US', 'US', 'US', 'KP'];
  const agents = ['Mozilla/5.0 (X11) ', 'Mozilla/5.0 (Mac) ', 'Mozilla/5.0 (Windows) '];
  const bots = ['python-requests/2.', 'searchbot/'];
  const below = (drawn: string, bounds: readonly (readonly [number, string])[]) =>
    bounds.map(([bound, value]) => [`${drawn} < ${bound}`, value] as const);
  const url = [
    ...["'https://'", chosen([[`${ofClient(2, 10)} = 0`, "'api.shop'"]], "'shop'"), "'.example/'"],
    ...[oneOf(folders, draw(6, 8)), string(skewed(draw(7, 100_000), 100_000, 4, 15_000))],
    chosen([...below(draw(8, 50), [[1, "'.php'"]]), [`${draw(6, 8)} = 5`, "'.js'"]], "''"),
    chosen(below(draw(9, 100), [[others, "'%20'"]]), "''"),
    ...(isRepeating ? [] : ["'?session='", digest(string('number'))]),
    chosen(below(draw(10, 10), [[1, "'&sort=price'"]]), "''"),
  ];
  const statuses = below(draw(11, 100), [
    [90, '200'],
    [94, '301'],
    [98, '404'],
  ]);
  const methods = below(draw(2, 100), [
    [88, "'GET'"],
    [96, "'POST'"],
    [98, "'PUT'"],
  ]);
  const columns = [
    `${sql.time(`${START} + number * 20`)} as time`,
    `concat(${oneOf(networks, ofClient(3, 8))}, ${string(ofClient(4, 250))}, '.', ${string(ofClient(5, 250))}) as client_ip`,
    `concat(${url.join(', ')}) as url`,
    `cast(${chosen(statuses, '503')} as smallint) as status`,
    `${chosen(methods, "'OPTIONS'")} as method`,
    `${oneOf(countries, ofClient(12, 8))} as country`,
    `concat(${oneOf([...agents, ...bots], ofClient(13, 5))}, ${string(ofClient(14, 80))}) as user_agent`,
  ];
  const clients = `select number, ${skewed(draw(1, 1_000_000), 1_000_000, 3, 60_000)} as client from ${sql.numbers(rows)}`;
  return `select ${columns.join(', ')} from (${clients}) clients`;
}

/** Starts an engine, or finds the one that the environment names; undefined where there is none. */
export async function engineUnderTest(name: MeasuredEngine): Promise<EngineUnderTest | undefined> {
  const server = await serverOf(name);
  if (server === undefined) return undefined;
  const { url, stop } = server;
  const table = `traffic_${process.pid}`;
  const root = listenerOn(Number(new URL(url).port));
  const within = async <Result>(use: (session: Awaited<ReturnType<typeof openEngine>>) => Promise<Result>) => {
    const session = await openEngine({ engine: name, url, mayWrite: true }, undefined);
    try {
      return await use(session);
    } finally {
      await session.close();
    }
  };
  const write = (...statements: readonly string[]) =>
    within(async session => {
      for (const one of statements) await session.run!(one);
      await session.commit?.();
    });
  return {
    ...{ name, url, table },
    fill: (rows, shape) => {
      const sql = ROW_SQL[name];
      return write(`drop table if exists ${table}`, sql.table(table, requestsSql(sql, rows, shape)));
    },
    lines: () =>
      within(async ({ batches, dialect }) => {
        const columns = ['client_ip', 'url', 'method', 'country', 'user_agent', 'status'];
        const query = `select ${dialect.epochMs('time')}, ${columns.join(', ')} from ${table}`;
        let lines = '';
        for await (const rows of batches(query))
          for (const [ms, ...values] of rows) {
            const record = Object.fromEntries(columns.map((column, at) => [column, values[at]]));
            lines += `${JSON.stringify({ ...record, time: new Date(Number(ms)).toISOString(), status: Number(record.status) })}\n`;
          }
        return lines;
      }),
    time: () => timeOf(root),
    stop: async () => {
      await write(`drop table if exists ${table}`);
      stop();
    },
  };
}

interface RunningServer {
  readonly url: string;
  readonly stop: () => void;
}

async function serverOf(name: MeasuredEngine): Promise<RunningServer | undefined> {
  switch (name) {
    case 'clickhouse':
      return clickhouseForTests();
    case 'postgres': {
      const server = await postgresForTests();
      return server && { url: await server.newDatabase(), stop: server.stop };
    }
    case 'spark':
    case 'trino': {
      const url = process.env[`TOLLGATE_TEST_${name.toUpperCase()}`];
      return url === undefined ? undefined : { url, stop: () => undefined };
    }
  }
}

/** Returns the process that listens on a port of this machine. */
function listenerOn(port: number): number {
  const address = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = '0A';
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(address) && state === listening)
      .map(fields => `socket:[${fields[9]}]`),
  );
  const holds = (pid: number) => {
    try {
      const folder = `/proc/${pid}/fd`;
      return readdirSync(folder).some(file => sockets.includes(linkOf(`${folder}/${file}`)));
    } catch {
      return false;
    }
  };
  const found = processes().find(holds);
  if (found === undefined) throw new Error(`no process of this machine listens on port ${port}`);
  return found;
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function processes(): readonly number[] {
  return readdirSync('/proc').filter(Number).map(Number);
}

/** Returns the processor time of a process, its descendants, and those of them that have ended, in seconds. */
function timeOf(root: number): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const pid of processes()) {
    const fields = statOf(pid);
    if (fields === undefined) continue;
    parents.set(pid, Number(fields[1]));
    ticks.set(
      pid,
      fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0),
    );
  }
  const isOwn = (pid: number): boolean => pid === root || (parents.has(pid) && isOwn(parents.get(pid)!));
  return [...ticks].reduce((sum, [pid, own]) => sum + (isOwn(pid) ? own : 0), 0) / 100;
}

/** Returns the fields of a process from its state on; undefined if it has ended. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** What goes to a server and back is counted. */
interface CountingProxy {
  readonly url: string;
  /** Bytes so far. */
  readonly bytes: () => number;
  readonly close: () => void;
}

/** Listens before a server. */
export async function countingProxy(url: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(url);
  let bytes = 0;
  const server = createServer(from => {
    const to = connect(Number(port), hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('data', part => {
        bytes += part.length;
      });
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: own.href, bytes: () => bytes, close: () => server.close() };
}
