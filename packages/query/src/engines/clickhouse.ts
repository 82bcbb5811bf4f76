/** ClickHouse: its dialect, and a session over HTTP. */
import { randomUUID } from 'node:crypto';
import {
  type ColumnKind,
  type Dialect,
  type EngineRow,
  type EngineSession,
  queryFailed,
  unreachable,
} from './engine.ts';

/** Lookups are part of queries. */
const SETTINGS = { max_query_size: '1000000000', output_format_json_quote_64bit_integers: '0', join_use_nulls: '0' };

/**
 * Opens the HTTP interface of a server.
 *
 * @param url `https://user:password@host:8443/?database=logs`; without it, that of `CLICKHOUSE_URL`, or the local server
 */
export async function openClickhouse(url: string | undefined): Promise<EngineSession> {
  const server = new Server(url ?? process.env.CLICKHOUSE_URL ?? 'http://127.0.0.1:8123/');
  const session: EngineSession = {
    dialect: CLICKHOUSE,
    describe: async sql => {
      const found: EngineRow[] = [];
      for await (const rows of server.batches(`describe (${sql})`)) found.push(...rows);
      return found.map(([name, type]) => ({ name: name!, type: type! }));
    },
    batches: sql => server.batches(sql),
    cancel: () => server.cancel(),
    close: async () => undefined,
  };
  for await (const _ of server.batches('select 1'));
  return session;
}

class Server {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  #running: { readonly id: string; readonly abort: AbortController } | undefined;

  constructor(text: string) {
    if (!URL.canParse(text)) throw unreachable(PRODUCT, text, 'not a valid URL');
    this.#url = new URL(text);
    const { username, password, searchParams } = this.#url;
    this.#headers = {
      ...(username && { 'X-ClickHouse-User': decodeURIComponent(username) }),
      ...(password && { 'X-ClickHouse-Key': decodeURIComponent(password) }),
    };
    this.#url.username = '';
    this.#url.password = '';
    for (const [name, value] of Object.entries(SETTINGS)) searchParams.set(name, value);
  }

  /** Yields the rows of a query. A result that is not complete ends in an error. */
  async *batches(sql: string): AsyncGenerator<readonly EngineRow[]> {
    const running = { id: randomUUID(), abort: new AbortController() };
    this.#running = running;
    const response = await this.#send(`${sql} format JSONCompactEachRow`, running);
    if (!response.ok || response.body === null) throw queryFailed(PRODUCT, reasonIn(await response.text()));
    let rest = '';
    try {
      for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
        rest += part;
        const lines = rest.split('\n');
        // The first line that is not a row begins an error.
        const error = lines.findIndex(line => line !== '' && !line.startsWith('['));
        const rows = lines.slice(0, error < 0 ? -1 : error).filter(line => line !== '');
        if (rows.length > 0) yield rows.map(rowOf);
        rest = lines.slice(error < 0 ? -1 : error).join('\n');
      }
    } catch (error) {
      if (error instanceof SyntaxError) throw queryFailed(PRODUCT, reasonIn(rest));
      if (error instanceof TypeError)
        throw queryFailed(PRODUCT, 'the connection broke before the end of the result', error);
      throw error;
    } finally {
      this.#running = undefined;
    }
    if (rest !== '') throw queryFailed(PRODUCT, reasonIn(rest));
  }

  async cancel(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const kill = { id: randomUUID(), abort: new AbortController() };
    await this.#send(`kill query where query_id = ${CLICKHOUSE.text(running.id)} async`, kill);
    running.abort.abort();
  }

  async #send(body: string, { id, abort: { signal } }: { readonly id: string; readonly abort: AbortController }) {
    const url = new URL(this.#url);
    url.searchParams.set('query_id', id);
    try {
      return await fetch(url, { method: 'POST', body, headers: this.#headers, signal });
    } catch (error) {
      throw unreachable(PRODUCT, url.host, error);
    }
  }
}

function rowOf(line: string): EngineRow {
  const values: readonly (string | number | boolean | null)[] = JSON.parse(line);
  return values.map(value => (value === null ? null : String(value)));
}

/** Returns the message in `Code: 60. DB::Exception: Unknown table … (UNKNOWN_TABLE) (version …)`. */
function reasonIn(text: string): string {
  const [line = ''] = text.slice(Math.max(0, text.lastIndexOf('Code: '))).split('\n');
  const [, found = line] = line.split('DB::Exception: ');
  return found.split(' (version ')[0] || 'no reason given';
}

/** ClickHouse 24 and later. */
const CLICKHOUSE: Dialect = {
  product: 'ClickHouse',
  text: value => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  name: value => `\`${value.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  kindOf: type => {
    const plain = type.replace(/^(?:(?:LowCardinality|Nullable)\()+/, '');
    const [name = ''] = /^\w+/.exec(plain) ?? [];
    return /^(?:U?Int|Float|Decimal|BFloat)\d*$/.test(name) ? 'number' : KINDS[name];
  },
  asText: (sql, kind) => {
    const value = `assumeNotNull(${sql})`;
    switch (kind) {
      case 'json':
        return `toJSONString(${value})`;
      case 'time':
        return `toString(${CLICKHOUSE.epochMs(value)})`;
      case 'text':
        // Strings are bytes. Those that are not UTF-8 would not come back as they were sent.
        return `if(isValidUTF8(toString(${value})), toString(${value}), toValidUTF8(toString(${value})))`;
      default:
        return `toString(${value})`;
    }
  },
  epochMs: sql => `toUnixTimestamp64Milli(toDateTime64(${sql}, 3, 'UTC'))`,
  localMs: sql => `toUnixTimestamp64Milli(assumeNotNull(toDateTime64OrNull(${sql}, 3, 'UTC')))`,
  digits: sql => `toInt64OrZero(${sql})`,
  timeLiteral: iso => `toDateTime64('${iso.slice(0, -1)}', 3, 'UTC')`,
  hash: strings => `toInt64(bitShiftRight(sipHash64(${strings.join(', ')}), 1))`,
  double: sql => `toFloat64(${sql})`,
  integer: sql => `toInt64(${sql})`,
  matches: (sql, pattern) => `match(${sql}, ${CLICKHOUSE.text(pattern)})`,
  extract: (sql, pattern) => `extract(${sql}, ${CLICKHOUSE.text(pattern)})`,
  leastList: strings => `toJSONString(min([${strings.join(', ')}]))`,
  lookup: (alias, columns, rows) => {
    const types = columns.map(({ name, type }) => `${name} ${type === 'text' ? 'String' : 'Int64'}`).join(', ');
    const lines = rows.map(row => JSON.stringify(row)).join('\n');
    return `format(JSONCompactEachRow, ${CLICKHOUSE.text(types)}, ${CLICKHOUSE.text(lines)}) as ${alias}`;
  },
};

const PRODUCT = CLICKHOUSE.product;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ String: 'text', FixedString: 'text', Enum8: 'text', Enum16: 'text', UUID: 'text', Bool: 'boolean' },
  ...{ Date: 'time', Date32: 'time', DateTime: 'time', DateTime64: 'time', IPv4: 'address', IPv6: 'address' },
  ...{ Map: 'json', Array: 'json', Tuple: 'json', JSON: 'json', Object: 'json' },
};
