/** Recorded strings of a usual form, from which the SQL of an engine computes what expressions read. */

import type { LookupCondition, LookupKey, SqlDialectName } from '@tollgate/compile';
import { singleQuoted } from '@tollgate/diagnostics';
import type { ImpactDimension } from '@tollgate/simulator';

/** How an engine looks into strings. Values are SQL; patterns are in RE2 syntax. */
export interface StringSql {
  /** The SQL of conditions. */
  readonly dialect: SqlDialectName;
  readonly text: (value: string) => string;
  /** Returns the string in a column; the empty one for null. */
  readonly textOf: (column: string) => string;
  readonly matches: (value: string, pattern: string) => string;
  readonly contains: (value: string, text: string) => string;
  /** Returns 1 for a condition that is true, and otherwise 0. */
  readonly bit: (condition: string) => string;
  /**
   * Returns about how many different values there are: only if they are many, evaluating conditions for each row takes less time. Undefined if it always does.
   */
  readonly approximateCount?: (value: string) => string;
  /** With more tests, a value that comes back takes less time than its row in the scan; undefined if only the length of queries limits them. */
  readonly mostTests?: number;
  /** Returns the integer whose bits are conditions on columns of their own, the first the lowest; by default a sum. */
  readonly integerOf?: (conditions: readonly string[], columns: readonly string[]) => string;
  /**
   * Returns the code of the key that a plain string equals, or of the longest one that it begins or ends with, or the narrowest range that an address
   * is in; 0 for none. Codes grow with the length of keys.
   */
  readonly lookup?: (
    kind: LookupCondition['kind'],
    column: string,
    keys: readonly (LookupKey & { readonly code: number })[],
  ) => string;
  /** Returns a column of strings, of which few are different, so that tests take no time; with `lookup`. */
  readonly few?: (column: string) => string;
  /** Returns an integer that is computed from a column, where another column is 1, and otherwise 0; with `lookup`. */
  readonly where?: (isThere: string, integer: string, column: string) => string;
  /** Returns whether a string is plain, where that takes less time than the pattern. */
  readonly isPlain?: Readonly<Record<PlainForm['field'], (value: string) => string>>;
  /** Whether a query fails if a string is not an address. */
  readonly refusesAddresses?: true;
  /** Parts of a plain URL; `target` is all that follows the authority, and `query` has no question mark. */
  readonly urlParts: Readonly<Record<'host' | 'target' | 'path' | 'prefix' | 'query', (url: string) => string>>;
}

/** Recorded strings of a usual form, from which SQL computes what expressions read. Others are left to the reader of exchanges. */
export interface PlainForm {
  /** The field of records. */
  readonly field: 'url' | 'client_ip';
  /** Matches plain strings, unless they contain what is excluded. Engines and JavaScript read it alike. */
  readonly pattern: string;
  readonly excluded?: string;
  /** What variables are in a plain string, by a name that serves as the name of a column. */
  readonly parts: Readonly<Record<string, (value: string, sql: StringSql) => string>>;
  /** The part that each variable equals. */
  readonly variables: Readonly<Record<string, string>>;
  /** The parts under which exchanges are listed. */
  readonly keys: { readonly [dimension in ImpactDimension]?: string };
}

const HOST = '(?:[a-z0-9-]+[.])*[a-z]+';
/** Printable ASCII without `"`, `#`, `%`, `?` and `\`. */
const PATH = '/[!$&->@-\\[\\]-~]*';
/** Also `%` and `?`. */
const QUERY = '[!$-\\[\\]-~]*';

const URL_FORM: PlainForm = {
  field: 'url',
  pattern: `^https?://${HOST}${PATH}(?:[?]${QUERY})?$`,
  excluded: 'xn--',
  parts: {
    whole: value => value,
    host: (value, { urlParts }) => urlParts.host(value),
    path: (value, { urlParts }) => urlParts.path(value),
    prefix: (value, { urlParts }) => urlParts.prefix(value),
    target: (value, { urlParts }) => urlParts.target(value),
    query: (value, { urlParts }) => urlParts.query(value),
  },
  variables: {
    ...{ 'req.URL': 'whole', 'req.url': 'whole', 'req.url.raw': 'whole' },
    ...{ 'req.Host': 'host', 'req.url.host': 'host', 'req.url.authority': 'host' },
    ...{ 'req.Path': 'path', 'req.url.path': 'path', 'req.url.raw_path': 'path' },
    ...{ 'req.url.uri': 'target', 'req.url.query': 'query' },
  },
  keys: { paths: 'path', prefixes: 'prefix' },
};

const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
/** Groups of an IPv6 address that are not zero: the only run of zeros is then the omitted one. */
const GROUP = '[1-9a-f][0-9a-f]{0,3}';
const groups = (least: number, most: number) => `(?:${GROUP}:){${least},${most}}`;
const SHORTENED = [1, 2, 3, 4, 5].map(before => `${groups(before, before)}(?::${GROUP}){1,${6 - before}}`);

const ADDRESS_FORM: PlainForm = {
  field: 'client_ip',
  pattern: `^(?:(?:${BYTE}[.]){3}${BYTE}|${SHORTENED.join('|')})$`,
  parts: { whole: value => value },
  variables: { 'conn.ClientIP': 'whole', 'conn.client_ip': 'whole' },
  keys: { clients: 'whole' },
};

/** Returns whether a string is plain, in SQL. */
export function isPlainSql(
  { field, pattern, excluded }: PlainForm,
  value: string,
  { matches, contains, isPlain }: StringSql,
): string {
  if (isPlain !== undefined) return isPlain[field](value);
  return `${matches(value, pattern)}${excluded === undefined ? '' : ` and not ${contains(value, excluded)}`}`;
}

/** All forms. Tests compare them with what the evaluator reads. */
export const PLAIN_FORMS: readonly PlainForm[] = [URL_FORM, ADDRESS_FORM];

const TARGET_AFTER_HOST = (url: string) => `substr(${url}, strpos(substr(${url}, 9), '/') + 8)`;

/** How DuckDB looks into strings. A pattern takes more than twice as long for a part. */
export const DUCKDB_STRINGS: StringSql = {
  dialect: 'duckdb',
  text: singleQuoted,
  textOf: column => `coalesce(${column}, '')`,
  matches: (value, pattern) => `regexp_matches(${value}, ${singleQuoted(pattern)})`,
  contains: (value, text) => `contains(${value}, ${singleQuoted(text)})`,
  bit: condition => `coalesce(${condition}, false)::bigint`,
  urlParts: {
    host: url => `split_part(${url}, '/', 3)`,
    target: TARGET_AFTER_HOST,
    path: url => `split_part(${TARGET_AFTER_HOST(url)}, '?', 1)`,
    prefix: url => `regexp_extract(${url}, '^[a-z]+://[^/]*(/[^/?]*/?)', 1)`,
    query: url => `substr(${url}, coalesce(nullif(strpos(${url}, '?'), 0), length(${url})) + 1)`,
  },
};

/** Quotes a string where backslashes escape. */
function escaped(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Scheme and host of a URL, up to the slash: there are few, so what is computed from them costs little. */
const ORIGIN = (url: string) => `toLowCardinality(substring(${url}, 1, position(${url}, '/', 9)))`;

/** The characters of {@link QUERY}. */
const PRINTABLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
  one => !'"#\\'.includes(one),
);

/** How ClickHouse looks into strings. */
export const CLICKHOUSE_STRINGS: StringSql = {
  dialect: 'clickhouse',
  text: escaped,
  textOf: column => `coalesce(toString(${column}), '')`,
  matches: (value, pattern) => `match(${value}, ${escaped(pattern)})`,
  contains: (value, text) => `position(${value}, ${escaped(text)}) > 0`,
  // Within `case`, each use of a column would evaluate again what it is computed from.
  bit: condition => `toUInt64(ifNull(${condition}, false))`,
  // Bytes take less time than integers of eight. Columns that only operands of `and` and `or` use would be evaluated for each of them.
  integerOf: (conditions, columns) => {
    const bytes = Array.from({ length: Math.ceil(conditions.length / 8) }, (_, at) => {
      const bits = conditions.slice(at * 8, at * 8 + 8).map((condition, bit) => {
        const byte = `toUInt8(ifNull(${condition}, false))`;
        return bit === 0 ? byte : `bitShiftLeft(${byte}, ${bit})`;
      });
      return `toUInt64(${bits.reduce((one, other) => `bitOr(${one}, ${other})`)}) * ${256 ** at}`;
    });
    return [...(columns.length === 0 ? [] : [`ignore(${columns.join(', ')})`]), ...bytes].join(' + ');
  },
  lookup: (kind, column, keys) => {
    const parts = {
      equal: () => column,
      pattern: () => column,
      start: (length: number) => `substring(${column}, 1, ${length})`,
      end: (length: number) => `right(${column}, ${length})`,
      network: (length: number) => `bitAnd(${ipv4Number(column)}, ${2 ** 32 - 2 ** (32 - length)})`,
    };
    const found = [...Map.groupBy(keys, ({ length }) => (kind === 'equal' ? 0 : length))].map(([length, own]) => {
      const values = own.map(({ value }) => (typeof value === 'string' ? escaped(value) : value));
      return `transform(${parts[kind](length)}, [${values.join(', ')}], [${own.map(({ code }) => code).join(', ')}], 0)`;
    });
    return `toUInt64(${found.length === 1 ? found[0] : `greatest(${found.join(', ')})`})`;
  },
  few: column => `toLowCardinality(${column})`,
  // Hundreds of bits take longer than all else, and `case` evaluates them only where it must. A column that nothing else uses would be evaluated for each.
  where: (isThere, integer, column) => `ignore(${column}) + case when ${isThere} = 1 then ${integer} else 0 end`,
  // A pattern takes 2 ns for each character, and 40 ns more. Products, because `and` would select the rows for its operands.
  isPlain: {
    url: url => {
      const isPrintable = `empty(trim(leading ${escaped(PRINTABLE.join(''))} from ${url}))`;
      const isOrigin = `match(${ORIGIN(url)}, '^https?://${HOST}/$')`;
      return `${isOrigin} * ${isPrintable} * (position(path(${url}), '%') = 0) * (position(${url}, 'xn--') = 0)`;
    },
    // An address of IPv4 has no zeros before its numbers if it is no longer than they are.
    client_ip: address => {
      const number = ipv4Number(address);
      const bytes = [24, 16, 8, 0].map(bits => `bitAnd(bitShiftRight(${number}, ${bits}), 255)`);
      const digits = bytes.flatMap(byte => [`(${byte} >= 10)`, `(${byte} >= 100)`]).join(' + ');
      const isOther = `match(${address}, '^(?:0[.]0[.]0[.]0|${SHORTENED.join('|')})$')`;
      return `if(${number} > 0, length(${address}) = 7 + ${digits}, ${isOther})`;
    },
  },
  urlParts: {
    host: url => {
      const origin = ORIGIN(url);
      const start = `8 + startsWith(${origin}, 'https')`;
      return `substring(${origin}, ${start}, length(${origin}) - (${start}))`;
    },
    target: url => `pathFull(${url})`,
    path: url => `path(${url})`,
    prefix: url =>
      `substring(path(${url}), 1, if(position(path(${url}), '/', 2) = 0, length(${url}), position(path(${url}), '/', 2)))`,
    query: url => `queryString(${url})`,
  },
};

function ipv4Number(address: string): string {
  return `IPv4StringToNumOrDefault(${address})`;
}

/** The end of a pattern: elsewhere, `$` also matches before a last newline. */
const atTextEnd = (pattern: string) => pattern.replace(/[$]$/, '\\z');

const TARGET = (url: string) => `substr(${url}, strpos(${url}, '/', 3))`;

/** How Trino looks into strings. Its functions for URLs refuse some plain ones. */
export const TRINO_STRINGS: StringSql = {
  dialect: 'trino',
  refusesAddresses: true,
  text: singleQuoted,
  textOf: column => `coalesce(cast(${column} as varchar), '')`,
  matches: (value, pattern) => `regexp_like(${value}, ${singleQuoted(atTextEnd(pattern))})`,
  contains: (value, text) => `strpos(${value}, ${singleQuoted(text)}) > 0`,
  bit: condition => `coalesce(cast((${condition}) as bigint), 0)`,
  urlParts: {
    host: url => `split_part(${url}, '/', 3)`,
    target: TARGET,
    path: url => `split_part(${TARGET(url)}, '?', 1)`,
    prefix: url => `regexp_extract(${url}, '^[a-z]+://[^/]*(/[^/?]*/?)', 1)`,
    query: url => `case when strpos(${url}, '?') = 0 then '' else substr(${url}, strpos(${url}, '?') + 1) end`,
  },
};

const SLASH = (url: string) => `locate('/', ${url}, 9)`;
const SPARK_PATH = (url: string) => `substring_index(substr(${url}, ${SLASH(url)}), '?', 1)`;

/** How Spark looks into strings. The scheme of a URL ends before its ninth character, and the host after it or there. */
export const SPARK_STRINGS: StringSql = {
  dialect: 'spark',
  approximateCount: value => `approx_count_distinct(${value})`,
  refusesAddresses: true,
  text: escaped,
  textOf: column => `coalesce(cast(${column} as string), '')`,
  matches: (value, pattern) => `${value} rlike ${escaped(atTextEnd(pattern))}`,
  contains: (value, text) => `contains(${value}, ${escaped(text)})`,
  bit: condition => `coalesce(cast((${condition}) as bigint), 0)`,
  urlParts: {
    // `split_part` compiles a pattern for each row.
    host: url => `substring_index(substr(${url}, locate('//', ${url}) + 2), '/', 1)`,
    target: url => `substr(${url}, ${SLASH(url)})`,
    path: SPARK_PATH,
    prefix: url =>
      `substr(${SPARK_PATH(url)}, 1, if(locate('/', ${SPARK_PATH(url)}, 2) = 0, length(${url}), locate('/', ${SPARK_PATH(url)}, 2)))`,
    query: url => `if(locate('?', ${url}) = 0, '', substr(${url}, locate('?', ${url}) + 1))`,
  },
};

/** Quotes a string for PostgreSQL. */
export function postgresText(value: string): string {
  return value.includes('\\') ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : singleQuoted(value);
}

/** How PostgreSQL looks into strings. They are compared by their bytes, whatever the collation of the column. */
export const POSTGRES_STRINGS: StringSql = {
  dialect: 'postgres',
  mostTests: 40,
  refusesAddresses: true,
  text: postgresText,
  textOf: column => `coalesce((${column})::text, '') collate "C"`,
  matches: (value, pattern) => `${value} ~ ${postgresText(pattern)}`,
  contains: (value, text) => `strpos(${value}, ${postgresText(text)}) > 0`,
  bit: condition => `coalesce((${condition})::integer::bigint, 0)`,
  urlParts: {
    host: url => `split_part(${url}, '/', 3)`,
    target: TARGET_AFTER_HOST,
    path: url => `split_part(${TARGET_AFTER_HOST(url)}, '?', 1)`,
    prefix: url => `substring(${url} from '^[a-z]+://[^/]*(/[^/?]*/?)')`,
    query: url => `substr(${url}, coalesce(nullif(strpos(${url}, '?'), 0), length(${url})) + 1)`,
  },
};
