/** Trino: its dialect, and a session over HTTP. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { quotedName, singleQuoted } from '@tollgate/diagnostics';
import { TRINO_STRINGS } from '../questions/plain-forms.ts';
import {
  type ColumnKind,
  type Dialect,
  type EngineRow,
  type EngineSession,
  memberIn,
  queryFailed,
  unreachable,
} from './engine.ts';
import { callHttp, type HttpCall, takeCertificates } from './http-call.ts';

/**
 * Opens a coordinator.
 *
 * @param url `https://user:password@host:8443/catalog/schema`, with `sslcert`, `sslkey` and `sslrootcert` for files with certificates; without it,
 *   that of `TRINO_URL`, or the local server. `TRINO_ACCESS_TOKEN` is a token of JWT or OAuth 2.0 that replaces the password
 * @param onLogin is told where a person logs in, if the server wants that; by default, that is refused
 */
export async function openTrino(
  url: string | undefined,
  ended?: AbortSignal,
  { onLogin }: { readonly onLogin?: ((place: string) => void) | undefined } = {},
): Promise<EngineSession> {
  const coordinator = new Coordinator(url ?? process.env.TRINO_URL ?? 'http://127.0.0.1:8080/', { ended, onLogin });
  for await (const _ of coordinator.pages(NOTHING));
  return {
    dialect: TRINO,
    longestQuery: MAX_QUERY,
    describe: async sql => {
      let found: Page['columns'];
      for await (const { columns } of coordinator.pages(`select * from (${sql}) described limit 0`)) found ??= columns;
      return found ?? [];
    },
    batches: sql => rowsOf(coordinator.pages(sql)),
    run: async sql => {
      for await (const _ of coordinator.pages(sql));
    },
    cancel: () => coordinator.cancel(),
    close: async () => undefined,
  };
}

/** A part of a result (https://trino.io/docs/current/develop/client-protocol.html). */
interface Page {
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: readonly (readonly (string | number | boolean | null)[])[];
  /** Where the next part is; undefined after the last. */
  readonly nextUri?: string;
  readonly error?: { readonly message: string };
}

/** Overloaded gateways recover within seconds. */
const MAX_RETRIES = 20;
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const PAUSE_MS = 100;

interface Running {
  /** Where the next part is; undefined until the coordinator has answered. */
  next: string | undefined;
  isCanceled: boolean;
  readonly abort: AbortController;
}

class Coordinator {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #certificates: HttpCall['certificates'];
  readonly #ended: AbortSignal;
  readonly #onLogin: ((place: string) => void) | undefined;
  #authorization: Readonly<Record<string, string>>;
  #login: 'none' | 'begun' | 'done' = 'none';
  #running: Running | undefined;

  constructor(
    text: string,
    {
      ended,
      onLogin,
    }: { readonly ended: AbortSignal | undefined; readonly onLogin: ((place: string) => void) | undefined },
  ) {
    this.#ended = ended ?? new AbortController().signal;
    this.#onLogin = onLogin;
    if (!URL.canParse(text)) throw unreachable(PRODUCT, text, 'not a valid URL');
    this.#url = new URL(text);
    const [user, password] = [this.#url.username, this.#url.password].map(decodeURIComponent);
    const [catalog = '', schema = ''] = this.#url.pathname.split('/').slice(1).map(decodeURIComponent);
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    this.#url.username = '';
    this.#url.password = '';
    this.#certificates = takeCertificates(PRODUCT, this.#url);
    const token = password ? undefined : process.env.TRINO_ACCESS_TOKEN;
    this.#authorization = {
      ...(password && { Authorization: `Basic ${basic}` }),
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    this.#headers = {
      // A token or a certificate says who the user is.
      ...((user || !(token || this.#certificates.cert)) && { 'X-Trino-User': user || 'tollgate' }),
      ...{ 'X-Trino-Source': 'tollgate', 'X-Trino-Time-Zone': 'UTC', 'Accept-Encoding': 'gzip' },
      ...(catalog && { 'X-Trino-Catalog': catalog }),
      ...(schema && { 'X-Trino-Schema': schema }),
    };
  }

  /** Yields the parts of a result. A result that is not complete ends in an error. */
  async *pages(sql: string): AsyncGenerator<Page> {
    const running: Running = { next: undefined, isCanceled: false, abort: new AbortController() };
    this.#running = running;
    const signal = AbortSignal.any([running.abort.signal, this.#ended]);
    try {
      let page = await this.#fetch<Page>(new URL('/v1/statement', this.#url), { method: 'POST', body: sql, signal });
      for (;;) {
        running.next = page.nextUri;
        if (running.isCanceled) throw queryFailed(PRODUCT, 'the query was canceled');
        if (page.error !== undefined) throw queryFailed(PRODUCT, withRemedy(page.error.message));
        yield page;
        if (page.nextUri === undefined) return;
        page = await this.#fetch(new URL(page.nextUri), { method: 'GET', signal });
      }
    } finally {
      this.#running = undefined;
      // Rows that nobody reads would keep the query running.
      if (running.next !== undefined) await this.#delete(running.next).catch(() => undefined);
    }
  }

  async cancel(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.isCanceled = true;
    // Until the coordinator has answered, it is unknown what to cancel.
    if (running.next === undefined) return;
    running.abort.abort();
    await this.#delete(running.next);
  }

  async #delete(next: string): Promise<void> {
    (await this.#send(new URL(next), { method: 'DELETE', signal: this.#ended })).resume();
  }

  async #fetch<Answer>(url: URL, call: Call): Promise<Answer> {
    let response = await this.#send(url, call);
    if (response.statusCode === 401 && (await this.#logIn(response))) response = await this.#send(url, call);
    for (let count = 0; count < MAX_RETRIES && RETRIED.has(response.statusCode!); count++) {
      response.resume();
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
      response = await this.#send(url, call);
    }
    const text = await textOf(response);
    if (response.statusCode! >= 300)
      throw queryFailed(PRODUCT, `status ${response.statusCode}: ${text.trim() || response.statusMessage}`);
    return parsed(url, text);
  }

  /**
   * Lets a person log in, if that is what the server wants: its answer says where, and where the token is then
   * (https://trino.io/docs/current/security/oauth2.html). Returns whether there is a token now.
   */
  async #logIn({ headers: { 'www-authenticate': wanted = '' } }: IncomingMessage): Promise<boolean> {
    const place = /x_redirect_server="([^"]+)"/.exec(wanted)?.[1];
    const tokens = /x_token_server="([^"]+)"/.exec(wanted)?.[1];
    const isGiven = this.#authorization.Authorization !== undefined && this.#login === 'none';
    if (tokens === undefined || isGiven || this.#login === 'begun') return false;
    if (this.#onLogin === undefined || place === undefined)
      throw queryFailed(
        PRODUCT,
        'the server wants a login in a browser; run the command in a terminal, or set `TRINO_ACCESS_TOKEN`',
      );
    this.#onLogin(place);
    this.#authorization = {};
    this.#login = 'begun';
    for (let next: string | undefined = tokens; next !== undefined; ) {
      const { token, error, nextUri }: Token = await this.#fetch<Token>(new URL(next), {
        method: 'GET',
        signal: this.#ended,
      });
      if (error !== undefined) throw queryFailed(PRODUCT, `the login failed: ${error}`);
      if (token !== undefined) {
        this.#authorization = { Authorization: `Bearer ${token}` };
        this.#login = 'done';
        // It is not needed there any more.
        await this.#delete(tokens).catch(() => undefined);
        return true;
      }
      next = nextUri;
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
    throw queryFailed(PRODUCT, 'the login failed: no token');
  }

  async #send(url: URL, call: Call): Promise<IncomingMessage> {
    // A password or a certificate goes nowhere else.
    const isOwn = url.origin === this.#url.origin;
    const headers = { ...this.#headers, ...(isOwn && this.#authorization) };
    try {
      return await callHttp(url, { ...call, headers, certificates: isOwn ? this.#certificates : {} });
    } catch (error) {
      throw unreachable(PRODUCT, url.host, error);
    }
  }
}

type Call = Pick<HttpCall, 'body' | 'method' | 'signal'>;

/** What the server says of a login: the token, why there is none, or where to ask again. */
interface Token {
  readonly token?: string;
  readonly error?: string;
  readonly nextUri?: string;
}

async function textOf(response: IncomingMessage): Promise<string> {
  try {
    const bytes = await buffer(response);
    return String(response.headers['content-encoding'] === 'gzip' ? await promisify(gunzip)(bytes) : bytes);
  } catch (error) {
    throw queryFailed(PRODUCT, 'the connection broke before the end of the result', error);
  }
}

function parsed(url: URL, text: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw queryFailed(PRODUCT, `${url.host} does not speak the protocol of Trino`, error);
  }
}

async function* rowsOf(pages: AsyncGenerator<Page>): AsyncGenerator<readonly EngineRow[]> {
  for await (const { data } of pages)
    if (data !== undefined) yield data.map(row => row.map(value => (value === null ? null : String(value))));
}

/**
 * Does nothing, and needs no worker: a query such as `select 1` waits for one that was lost until the coordinator notices, and so would the statement
 * that drops a table.
 */
const NOTHING = 'set time zone local';

/** In characters: what `query.max-length` is unless the server is configured otherwise, which queries cannot find out. */
const MAX_QUERY = 1_000_000;

/** Returns the message of a failed query, with a remedy if the query was too long: it contains the classes of values. */
function withRemedy(message: string): string {
  const isTooLong = message.startsWith('Query text length ');
  return isTooLong ? `${message}; restrict the table to fewer distinct values, or raise \`query.max-length\`` : message;
}

/** Trino 400 and later, also as Athena and Starburst. The time zone of the session must be UTC. */
export const TRINO: Dialect = {
  product: 'Trino',
  text: singleQuoted,
  name: quotedName,
  kindOf: type => KINDS[withoutParameters(type)],
  asText: (sql, kind) => {
    switch (kind) {
      case 'json':
        return `json_format(cast(${sql} as json))`;
      case 'time':
        return `cast(${TRINO.epochMs(sql)} as varchar)`;
      case 'text':
        // Files may hold bytes that are not UTF-8 and would not come back as they were sent.
        return `from_utf8(to_utf8(cast(${sql} as varchar)))`;
      default:
        return `cast(${sql} as varchar)`;
    }
  },
  epochMs: sql =>
    `date_diff('millisecond', timestamp '1970-01-01 00:00:00 UTC', cast(${sql} as timestamp(12) with time zone))`,
  localMs: sql => TRINO.epochMs(`try_cast(replace(${sql}, 'T', ' ') as timestamp(3))`),
  digits: sql => `try_cast(${sql} as bigint)`,
  timeLiteral: (iso, type) =>
    `timestamp '${iso.slice(0, -1).replace('T', ' ')}${type.endsWith('with time zone') ? ' UTC' : ''}'`,
  hash: strings =>
    `bitwise_and(from_big_endian_64(xxhash64(to_utf8(concat_ws('|', ${strings.join(', ')})))), ${MAX_INT64})`,
  checksum: sql => `crc32(to_utf8(${sql}))`,
  double: sql => `cast(${sql} as double)`,
  integer: sql => `cast(${sql} as bigint)`,
  matches: (sql, pattern) => `regexp_like(${sql}, ${singleQuoted(pattern)})`,
  extract: (sql, pattern) => `regexp_extract(${sql}, ${singleQuoted(pattern)}, 1)`,
  members: (column, type) => {
    if (type.startsWith('row('))
      return {
        string: name => memberIn(type, name) && `cast(${column}.${TRINO.name(name.toLowerCase())} as varchar)`,
        pairs: (name, except) =>
          memberIn(type, name) &&
          `filter(${column}.${TRINO.name(name.toLowerCase())}, pair -> pair.value is distinct from ${singleQuoted(except)})`,
      };
    if (type !== 'json' && TRINO.kindOf(type) !== 'text') return undefined;
    const either = (name: string, read: string) =>
      `coalesce(${read}(${column}, '$.${name}'), ${read}(${column}, '$.${name.toLowerCase()}'))`;
    return {
      string: name => either(name, 'json_extract_scalar'),
      pairs: (name, except) =>
        `filter(try_cast(${either(name, 'json_extract')} as array(json)), pair -> json_extract_scalar(pair, '$.value') is distinct from ${singleQuoted(except)})`,
    };
  },
  leastList: strings => `json_format(cast(min(array[${strings.join(', ')}]) as json))`,
  strings: TRINO_STRINGS,
  grouped: {
    any: columns => `arbitrary(row(${columns.join(', ')}))`,
    columnIn: (record, at) => `${record}[${at + 1}]`,
    pairs: (one, other) => `json_format(cast(array_agg(array[${one}, ${other}]) as json))`,
    json: strings => `json_format(cast(array[${strings.join(', ')}] as json))`,
  },
  ranked: {
    pairs: (count, key, { most, condition }) => {
      const least = `min(row(-${count}, ${key}), ${most}) filter (where ${condition})`;
      const pairs = `transform(${least}, pair -> array[cast(pair[1] as varchar), pair[2]])`;
      return `coalesce(json_format(cast(${pairs} as json)), '[]')`;
    },
  },
  tableOf: (table, query) => `create table ${table} as ${query}`,
  renamed: (table, to) => `alter table ${table} rename to ${to}`,
  lookup: (alias, columns, rows) => {
    const types = columns.map(({ name, type }) => `${name} ${type === 'text' ? 'varchar' : 'bigint'}`).join(', ');
    const names = columns.map(({ name }) => name).join(', ');
    const items = `cast(json_parse(${singleQuoted(JSON.stringify(rows))}) as array(row(${types})))`;
    // An outer join with `unnest` itself has no condition.
    return `(select ${names} from unnest(${items}) as unnested(${names})) ${alias}`;
  },
};

const MAX_INT64 = '9223372036854775807';

const PRODUCT = TRINO.product;

/** `char` is padded with blanks, which belong to no value. */
const KINDS: Readonly<Record<string, ColumnKind>> = {
  ...{ varchar: 'text', uuid: 'text', tinyint: 'number', smallint: 'number', integer: 'number', bigint: 'number' },
  ...{ decimal: 'number', real: 'number', double: 'number', boolean: 'boolean', ipaddress: 'address' },
  ...{ json: 'json', map: 'json', array: 'json', row: 'json' },
  ...{ date: 'time', timestamp: 'time', 'timestamp with time zone': 'time' },
};

/** Returns `timestamp with time zone` for `timestamp(3) with time zone`. */
function withoutParameters(type: string): string {
  const start = type.indexOf('(');
  return start < 0 ? type : type.slice(0, start) + type.slice(type.lastIndexOf(')') + 1);
}
