import type { ImpactDimension } from '@tollgate/simulator';

/** How an engine looks into strings. Values are SQL; patterns are in RE2 syntax. */
export interface StringSql {
  readonly matches: (value: string, pattern: string) => string;
  /** Returns what the only group of a pattern matches. */
  readonly extract: (value: string, pattern: string) => string;
  readonly contains: (value: string, text: string) => string;
}

/** Recorded strings of a usual form, from which SQL computes what expressions read. Others are left to the reader of exchanges. */
export interface PlainForm {
  /** The field of records. */
  readonly field: 'url' | 'client_ip';
  readonly isPlain: (value: string, sql: StringSql) => string;
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
  isPlain: (value, { matches, contains }) =>
    `${matches(value, `^https?://${HOST}${PATH}(?:[?]${QUERY})?$`)} and not ${contains(value, 'xn--')}`,
  parts: {
    whole: value => value,
    path: (value, { extract }) => extract(value, '^[a-z]+://[^/]*([^?]*)'),
    prefix: (value, { extract }) => extract(value, '^[a-z]+://[^/]*(/[^/?]*/?)'),
    target: (value, { extract }) => extract(value, '^[a-z]+://[^/]*(.*)$'),
    query: (value, { extract }) => extract(value, '^[^?]*[?]?(.*)$'),
  },
  variables: {
    ...{ 'req.URL': 'whole', 'req.url': 'whole', 'req.url.raw': 'whole' },
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
  isPlain: (value, { matches }) => matches(value, `^(?:(?:${BYTE}[.]){3}${BYTE}|${SHORTENED.join('|')})$`),
  parts: { whole: value => value },
  variables: { 'conn.ClientIP': 'whole', 'conn.client_ip': 'whole' },
  keys: { clients: 'whole' },
};

/** All forms. Tests compare them with what the evaluator reads. */
export const PLAIN_FORMS: readonly PlainForm[] = [URL_FORM, ADDRESS_FORM];
