/** PostgreSQL: its dialect, and a session with a cursor. */

import { Socket } from 'node:net';
import { quotedName } from '@tollgate/diagnostics';
import type pg from 'pg';
import { POSTGRES_STRINGS, postgresText } from '../questions/plain-forms.ts';
import {
  CONNECT_TIMEOUT,
  type ColumnKind,
  clientMissing,
  type Dialect,
  type EngineRow,
  type EngineSession,
  notConnected,
  queryFailed,
  unreachable,
} from './engine.ts';

/** Rows that are fetched at once. */
const BATCH = 10_000;

/**
 * Opens a connection in a transaction in which all queries see the same rows. It only reads, unless it is opened to write.
 *
 * @param url `postgres://user@host/database`; without it, the usual environment variables such as `PGHOST` apply
 */
export async function openPostgres(
  url: string | undefined,
  ended?: AbortSignal,
  { mayWrite = false }: { readonly mayWrite?: boolean } = {},
): Promise<EngineSession> {
  const { Client } = await loadClient();
  const timeout = connectTimeoutOf(url);
  const config = {
    ...(url !== undefined && { connectionString: url }),
    ...{ application_name: 'tollgate', connectionTimeoutMillis: timeout * 1000, keepAlive: true },
  };
  const stream = new Socket();
  ended?.addEventListener('abort', () => stream.destroy(), { once: true });
  const client = new Client({ ...config, stream: () => stream });
  // Without a listener, a connection that breaks between two queries would end the process.
  client.on('error', () => undefined);
  const place = `${client.host}:${client.port}`;
  try {
    await client.connect();
  } catch (error) {
    const isLate = error instanceof Error && error.message === 'timeout expired';
    throw unreachable(PRODUCT, place, isLate ? notConnected(timeout) : error);
  }
  const { processID } = client as pg.Client & { readonly processID?: number };
  const run = async (text: string) => {
    try {
      return await client.query<(string | null)[]>({ text, rowMode: 'array', types: AS_STRINGS });
    } catch (error) {
      throw queryFailed(PRODUCT, error instanceof Error ? error.message : String(error), error);
    }
  };
  // For the query of a command that was killed. Older servers and other products do not know these.
  await run(`set client_connection_check_interval = '2s'`).catch(() => undefined);
  // Compiling the conditions of a policy takes longer than they do.
  await run('set jit = off').catch(() => undefined);
  await run(`begin transaction isolation level repeatable read, read ${mayWrite ? 'write' : 'only'}`);
  await run(`set local TimeZone = 'UTC'; set local standard_conforming_strings = on`);
  return {
    dialect: POSTGRES,
    describe: async sql => {
      const { fields } = await run(`select * from (${sql}) described limit 0`);
      const oids = fields.map(({ dataTypeID }) => dataTypeID).join(',');
      const { rows } = await run(
        `select format_type(o, null) from unnest('{${oids}}'::oid[]) with ordinality as x(o, n) order by n`,
      );
      return fields.map(({ name }, at) => ({ name, type: rows[at]![0]! }));
    },
    batches: sql => batchesOf(run, sql),
    run: async sql => void (await run(sql)),
    commit: async () => void (await run('commit')),
    cancel: async () => {
      const other = new Client(config);
      other.on('error', () => undefined);
      await other.connect();
      await other.query('select pg_cancel_backend($1)', [processID]);
      await other.end();
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** Returns the limit in s: of the URL, of the environment as for other clients, or the usual one; 0 for none. */
function connectTimeoutOf(url: string | undefined): number {
  const { searchParams } = new URL(url !== undefined && URL.canParse(url) ? url : 'postgres://x');
  const given = searchParams.get('connect_timeout') ?? process.env.PGCONNECT_TIMEOUT;
  return given !== undefined && /^\d{1,6}$/.test(given) ? Number(given) : CONNECT_TIMEOUT;
}

async function loadClient(): Promise<typeof pg> {
  try {
    return (await import('pg')).default;
  } catch {
    throw clientMissing(PRODUCT, 'pg');
  }
}

const AS_STRINGS = { getTypeParser: () => (value: string) => value };

type Run = (sql: string) => Promise<{ readonly rows: readonly EngineRow[] }>;

async function* batchesOf(run: Run, sql: string): AsyncGenerator<readonly EngineRow[]> {
  await run(`declare found no scroll cursor for ${sql}`);
  const fetchNext = async () => (await run(`fetch ${BATCH} from found`)).rows;
  let rows = await fetchNext();
  try {
    while (rows.length > 0) {
      yield rows;
      if (rows.length < BATCH) break;
      rows = await fetchNext();
    }
  } finally {
    // Also where the reader stops before the end. After an error, nothing is open.
    await run('close found').catch(() => undefined);
  }
}

/** PostgreSQL 14 and later, and what speaks its protocol and dialect. */
const POSTGRES: Dialect = {
  product: 'PostgreSQL',
  text: postgresText,
  name: quotedName,
  kindOf: type => (type.endsWith('[]') ? 'json' : KINDS[type]),
  asText: (sql, kind) => {
    switch (kind) {
      case 'json':
        return `to_jsonb(${sql})::text`;
      case 'time':
        return `coalesce((${POSTGRES.epochMs(sql)})::text, '')`;
      case 'address':
        return `host(${sql})`;
      default:
        return `(${sql})::text`;
    }
  },
  epochMs: sql => `case when isfinite(${sql}) then floor(extract(epoch from ${sql}) * 1000)::bigint end`,
  localMs: sql => `(extract(epoch from (${sql})::timestamp) * 1000)::bigint`,
  digits: sql => `(${sql})::bigint`,
  timeLiteral: (iso, type) =>
    type === 'timestamp with time zone' ? `timestamptz '${iso}'` : `timestamp '${iso.slice(0, -1)}'`,
  hash: strings => `(hashtextextended(concat_ws('|', ${strings.join(', ')}), 0) & ${MAX_INT64})`,
  double: sql => `(${sql})::double precision`,
  integer: sql => `(${sql})::bigint`,
  matches: (sql, pattern) => `${sql} ~ ${POSTGRES.text(pattern)}`,
  extract: (sql, pattern) => `substring(${sql} from ${POSTGRES.text(pattern)})`,
  members: (column, type) => {
    if (type !== 'json' && type !== 'jsonb') return undefined;
    const either = (name: string, read: string) =>
      `coalesce(${column}${read}'${name}', ${column}${read}'${name.toLowerCase()}')`;
    return {
      string: name => either(name, '->>'),
      pairs: (name, except) => {
        const list = `to_jsonb(${either(name, '->')})`;
        const items = `jsonb_array_elements(case when jsonb_typeof(${list}) = 'array' then ${list} end) as pair`;
        return `(select coalesce(jsonb_agg(pair), '[]') from ${items} where pair->>'value' is distinct from ${POSTGRES.text(except)})`;
      },
    };
  },
  strings: POSTGRES_STRINGS,
  fence: 'offset 0',
  // Rows have no least one before version 18.
  grouped: {
    isOfStrings: true,
    any: columns => `min(json_build_array(${columns.join(', ')})::text collate "C")`,
    columnIn: (record, at) => `(${record})::json->>${at}`,
    pairs: (one, other) => `json_agg(json_build_array(${one}, ${other}))::text`,
    json: strings => `json_build_array(${strings.join(', ')})::text`,
  },
  leastList: strings => `to_json(min(array[${strings.join(', ')}]::text[]))::text`,
  tableOf: (table, query) => `create table ${table} as ${query}`,
  renamed: (table, to) => `alter table ${table} rename to ${to}`,
  exists: table => `select to_regclass(${POSTGRES.text(table)}) is not null`,
  lookup: (alias, columns, rows) => {
    const names = columns.map(({ name }) => name);
    const records = rows.map(row => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    const types = columns.map(({ name, type }) => `${name} ${type === 'text' ? 'text' : 'bigint'}`).join(', ');
    return `json_to_recordset(${POSTGRES.text(JSON.stringify(records))}::json) as ${alias}(${types})`;
  },
};

const MAX_INT64 = '9223372036854775807';

const PRODUCT = POSTGRES.product;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ text: 'text', 'character varying': 'text', character: 'text', name: 'text', uuid: 'text', citext: 'text' },
  ...{ smallint: 'number', integer: 'number', bigint: 'number', numeric: 'number', real: 'number' },
  ...{ 'double precision': 'number', boolean: 'boolean', json: 'json', jsonb: 'json', hstore: 'json' },
  ...{ 'timestamp without time zone': 'time', 'timestamp with time zone': 'time', date: 'time' },
  ...{ inet: 'address', cidr: 'address' },
};
