/** ClickHouse: its dialect, and a session over HTTP. */
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { CLICKHOUSE_STRINGS } from '../questions/plain-forms.ts';
import {
  type ColumnKind,
  type Dialect,
  type EngineRow,
  type EngineSession,
  memberIn,
  queryFailed,
  unreachable,
} from './engine.ts';
import { callHttp, takeCertificates } from './http-call.ts';

/**
 * Lookups are part of queries, results are compressed to a third, and a query that nobody waits for should end. Where a user may not change one of
 * these, it stays as it is.
 */
const SETTINGS = {
  ...{ max_query_size: '1000000000', join_use_nulls: '0', enable_http_compression: '1' },
  // Mappings that compute the columns of a log from its lines are in each query several times.
  ...{ max_ast_elements: '10000000', max_expanded_ast_elements: '10000000' },
  // By default, blocks of long strings have so few rows that a thousand conditions take half as long again.
  preferred_block_size_bytes: '8000000',
  cancel_http_readonly_queries_on_client_close: '1',
};

/**
 * Opens the HTTP interface of a server.
 *
 * @param url `https://user:password@host:8443/?database=logs`, with `sslcert`, `sslkey` and `sslrootcert` for files with certificates; without it, that of `CLICKHOUSE_URL`, or the local server
 */
export async function openClickhouse(url: string | undefined, ended?: AbortSignal): Promise<EngineSession> {
  const server = new Server(url ?? process.env.CLICKHOUSE_URL ?? 'http://127.0.0.1:8123/', ended);
  const session: EngineSession = {
    dialect: CLICKHOUSE,
    describe: async sql => {
      const found: EngineRow[] = [];
      for await (const rows of server.batches(`describe (${sql})`)) found.push(...rows);
      return found.map(([name, type]) => ({ name: name!, type: type! }));
    },
    batches: sql => server.batches(sql),
    run: sql => server.run(sql),
    cancel: () => server.cancel(),
    close: async () => undefined,
  };
  await server.begin();
  return { ...session, longestQuery: await server.longestQuery() };
}

class Server {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #ended: AbortSignal;
  readonly #certificates: ReturnType<typeof takeCertificates>;
  /** Names of settings in the URL that the user did not write. */
  readonly #own = new Set<string>();
  #running: { readonly id: string; readonly abort: AbortController } | undefined;

  constructor(text: string, ended: AbortSignal | undefined) {
    this.#ended = ended ?? new AbortController().signal;
    if (!URL.canParse(text)) throw unreachable(PRODUCT, text, 'not a valid URL');
    this.#url = new URL(text);
    const { username, password, searchParams } = this.#url;
    this.#headers = {
      'Accept-Encoding': 'gzip',
      ...(username && { 'X-ClickHouse-User': decodeURIComponent(username) }),
      ...(password && { 'X-ClickHouse-Key': decodeURIComponent(password) }),
    };
    this.#url.username = '';
    this.#url.password = '';
    this.#certificates = takeCertificates(PRODUCT, this.#url);
    for (const [name, value] of Object.entries(SETTINGS))
      if (!searchParams.has(name)) {
        searchParams.set(name, value);
        this.#own.add(name);
      }
  }

  /** Runs the first query. Settings that the user may not change are left out of all others. */
  async begin(): Promise<void> {
    for (;;)
      try {
        for await (const _ of this.batches('select 1'));
        return;
      } catch (error) {
        const { message } = error as Error;
        const name = REFUSED_SETTING.test(message) ? [...this.#own].find(own => message.includes(own)) : undefined;
        if (name === undefined) throw error;
        this.#own.delete(name);
        this.#url.searchParams.delete(name);
      }
  }

  /** Returns the limit of queries in bytes; undefined if it was raised. */
  async longestQuery(): Promise<number | undefined> {
    if (this.#own.has('max_query_size')) return undefined;
    for await (const [[size] = []] of this.batches("select getSetting('max_query_size')")) return Number(size);
    return undefined;
  }

  /** Yields the rows of a query. A result that is not complete ends in an error. */
  async *batches(sql: string): AsyncGenerator<readonly EngineRow[]> {
    const running = { id: randomUUID(), abort: new AbortController() };
    this.#running = running;
    let rest = '';
    try {
      const { isFailed, body } = await this.#send(`${sql} format JSONCompactEachRow`, running);
      if (isFailed) throw queryFailed(PRODUCT, reasonIn(await text(body)));
      for await (const part of body) {
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
      throw brokenOr(error);
    } finally {
      this.#running = undefined;
    }
    if (rest !== '') throw queryFailed(PRODUCT, reasonIn(rest));
  }

  /** Runs a statement without a result. */
  async run(sql: string): Promise<void> {
    const running = { id: randomUUID(), abort: new AbortController() };
    this.#running = running;
    try {
      const { isFailed, body } = await this.#send(sql, running);
      const answer = await text(body);
      if (isFailed || answer.includes('DB::Exception: ')) throw queryFailed(PRODUCT, reasonIn(answer));
    } catch (error) {
      throw brokenOr(error);
    } finally {
      this.#running = undefined;
    }
  }

  async cancel(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const kill = { id: randomUUID(), abort: new AbortController() };
    const { body } = await this.#send(`kill query where query_id = ${CLICKHOUSE.text(running.id)} async`, kill);
    // What it says matters to nobody.
    body.on('error', () => undefined).resume();
    running.abort.abort();
  }

  async #send(sql: string, { id, abort: { signal } }: { readonly id: string; readonly abort: AbortController }) {
    const url = new URL(this.#url);
    url.searchParams.set('query_id', id);
    try {
      const either = AbortSignal.any([signal, this.#ended]);
      const call = { method: 'POST', body: sql, headers: this.#headers, certificates: this.#certificates } as const;
      const response = await callHttp(url, { ...call, signal: either, isAlone: true });
      const isCompressed = response.headers['content-encoding'] === 'gzip';
      // Errors of the connection are those of what it carries.
      const body = isCompressed ? pipeline(response, createGunzip(), () => undefined) : response;
      return { isFailed: response.statusCode !== 200, body: body.setEncoding('utf8') };
    } catch (error) {
      throw unreachable(PRODUCT, url.host, error);
    }
  }
}

/** Returns what an error says about the result: it may end too early, also in the middle of what is compressed. */
function brokenOr(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && BROKEN.has(error.code))) return error;
  return queryFailed(PRODUCT, 'the connection broke before the end of the result', error);
}

/** Codes of errors of a result that ends too early. */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR']);

/** Names of errors about a setting: for a user who only reads, or one with constraints; and that an older server does not know it. */
const REFUSED_SETTING = /[(](?:READONLY|SETTING_CONSTRAINT_VIOLATION|UNKNOWN_SETTING)[)]/;

function rowOf(line: string): EngineRow {
  const values: readonly (string | number | boolean | null)[] = JSON.parse(line);
  return values.map(value => (value === null ? null : String(value)));
}

/** Queries contain the classes of values. */
const TOO_LONG = '; restrict the table to fewer distinct values, or have `max_query_size` raised for this user';

/** Returns the message in `Code: 60. DB::Exception: Unknown table … (UNKNOWN_TABLE) (version …)`. */
function reasonIn(text: string): string {
  const [line = ''] = text.slice(Math.max(0, text.lastIndexOf('Code: '))).split('\n');
  const [, found = line] = line.split('DB::Exception: ');
  const reason = found.split(' (version ')[0] || 'no reason given';
  if (reason.startsWith('AST is too big')) return `${reason}; have \`max_ast_elements\` raised for this user`;
  return reason.includes('Max query size exceeded') ? `${reason}${TOO_LONG}` : reason;
}

/** ClickHouse 24 and later. */
const CLICKHOUSE: Dialect = {
  product: 'ClickHouse',
  text: CLICKHOUSE_STRINGS.text,
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
  checksum: sql => `CRC32(${sql})`,
  double: sql => `toFloat64(${sql})`,
  integer: sql => `toInt64(${sql})`,
  matches: (sql, pattern) => `match(${sql}, ${CLICKHOUSE.text(pattern)})`,
  extract: (sql, pattern) => `extract(${sql}, ${CLICKHOUSE.text(pattern)})`,
  members: (column, type) => {
    const without = (list: string, value: string) =>
      `arrayFilter(pair -> ifNull(tupleElement(pair, 'value') <> ${CLICKHOUSE.text(value)}, true), ${list})`;
    const member = (name: string, read: (path: string) => string) => {
      const own = memberIn(type, name);
      return own && read(`tupleElement(${column}, ${CLICKHOUSE.text(own)})`);
    };
    if (type.startsWith('Tuple('))
      return {
        string: name => member(name, path => `toString(${path})`),
        pairs: (name, except) => member(name, path => without(path, except)),
      };
    const kind = CLICKHOUSE.kindOf(type);
    if (kind !== 'text' && kind !== 'json') return undefined;
    const json = kind === 'text' ? `toString(${column})` : `toJSONString(${column})`;
    const spelled = (name: string) => `if(JSONHas(${json}, '${name}'), '${name}', '${name.toLowerCase()}')`;
    return {
      string: name => `JSONExtract(${json}, ${spelled(name)}, 'Nullable(String)')`,
      pairs: (name, except) =>
        without(`JSONExtract(${json}, ${spelled(name)}, 'Array(Tuple(name String, value String))')`, except),
    };
  },
  leastList: strings => `toJSONString(min([${strings.join(', ')}]))`,
  strings: CLICKHOUSE_STRINGS,
  // A sixth of the time: most such columns have dictionaries.
  groupsRaw: true,
  grouped: {
    any: columns => `any(tuple(${columns.join(', ')}))`,
    columnIn: (record, at) => `tupleElement(${record}, ${at + 1})`,
    pairs: (one, other) => `toJSONString(groupArray((${one}, ${other})))`,
    json: strings => `toJSONString([${strings.join(', ')}])`,
    // Groups are a hundredth of those by interval. What is out of the range is not counted.
    byInterval: {
      counts: (time, { first, width, count }) => {
        const at = `intDiv(assumeNotNull(${time}) - ${first}, ${width})`;
        return `countResample(0, ${count}, 1)(toUInt64(if(ifNull(${time} >= ${first}, false), ${at}, ${count})))`;
      },
      pairs: counts => `toJSONString(arrayFilter(pair -> pair.2 > 0, arrayZip(range(length(${counts})), ${counts})))`,
    },
  },
  ranked: {
    pairs: (count, key, { most, condition }) =>
      `toJSONString(groupArraySortedIf(${most})((-toInt64(${count}), ${key}), ${condition}))`,
  },
  // A join copies every column of its rows.
  codeOf: (sql, codes, { ofNull, ofOthers }) => {
    const written = (value: string | number) => (typeof value === 'string' ? CLICKHOUSE.text(value) : value);
    const [from, to] = [0, 1].map(side => `[${codes.map(pair => written(pair[side]!)).join(', ')}]`);
    const value = typeof codes[0]?.[0] === 'number' ? sql : `toString(${sql})`;
    const other = written(ofOthers);
    const code = codes.length === 0 ? other : `transform(${value}, ${from}, ${to}, ${other})`;
    return `if(${sql} is null, ${written(ofNull)}, ${code})`;
  },
  tableOf: (table, query) => `create table ${table} engine = MergeTree order by tuple() as ${query}`,
  renamed: (table, to) => `rename table ${table} to ${to}`,
  lookup: (alias, columns, rows) => {
    // Table functions such as `format` need more rights than reading, and `values` allows 50,000 rows.
    const types = columns.map(({ type }) => (type === 'text' ? 'String' : 'Int64')).join(', ');
    const list = columns.map(({ name }, at) => `given.${at + 1} as ${name}`).join(', ');
    const items = `JSONExtract(${CLICKHOUSE.text(JSON.stringify(rows))}, 'Array(Tuple(${types}))')`;
    return `(select ${list} from (select arrayJoin(${items}) as given)) as ${alias}`;
  },
};

const PRODUCT = CLICKHOUSE.product;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ String: 'text', FixedString: 'text', Enum8: 'text', Enum16: 'text', UUID: 'text', Bool: 'boolean' },
  ...{ Date: 'time', Date32: 'time', DateTime: 'time', DateTime64: 'time', IPv4: 'address', IPv6: 'address' },
  ...{ Map: 'json', Array: 'json', Tuple: 'json', JSON: 'json', Object: 'json' },
};
