import { CLOUDFLARE_NAMES, ENVOY_NAMES } from '@tollgate/traffic/columns';
import type { Dialect } from '../engines/dialect.ts';

/** A field that no column holds as it is. */
interface ComputedField {
  /** Columns, of which the first that the table has holds the field; or a dot path in a column with JSON. */
  readonly columns: readonly string[];
  /** The SQL of the field, in terms that all engines share, if that column holds strings. */
  readonly sql: (column: string, other: string) => string;
  /** A column that the SQL needs in addition. */
  readonly other?: string;
}

/** The columns of the usual tables of a product. */
interface ReadyMapping {
  /** What the names of the columns are taken from. */
  readonly source: string;
  readonly fields: Readonly<Record<string, ComputedField | readonly string[]>>;
  /** Strings that mean that a value is missing. */
  readonly missing: readonly string[];
}

/** No TLS, or no server name. */
const noneIfDash = (column: string) => `case when ${column} = '-' then '' else ${column} end`;

/** AWS always logs the port; clients omit the default of the scheme. */
function withoutDefaultPort(url: string): string {
  const cases = URL_SCHEMES.map(([written, scheme, port]) => {
    const rest = `substr(${url}, ${written.length + '://'.length + 1})`;
    const end = `position('/' in concat(${rest}, '/'))`;
    const authority = `substr(${rest}, 1, ${end} - 1)`;
    const host = `substr(${authority}, 1, length(${authority}) - ${port.length})`;
    return `when ${url} like '${written}://%' and ${authority} like '%${port}' then concat('${scheme}://', ${host}, substr(${rest}, ${end}))`;
  });
  return `case ${cases.join(' ')} else ${url} end`;
}

const URL_SCHEMES: readonly (readonly [written: string, scheme: string, port: string])[] = [
  ['https', 'https', ':443'],
  ['wss', 'https', ':443'],
  ['http', 'http', ':80'],
  ['ws', 'http', ':80'],
];

const MAPPINGS = {
  nginx: {
    source: 'variables of nginx (https://nginx.org/en/docs/varindex.html), as the keys of a JSON `log_format`',
    fields: {
      time: ['time_iso8601', 'msec'],
      ...{
        client_ip: ['remote_addr'],
        client_port: ['remote_port'],
        server_ip: ['server_addr'],
        server_port: ['server_port'],
      },
      ...{ method: ['request_method'], scheme: ['scheme'], host: ['http_host', 'host'], target: ['request_uri'] },
      ...{ protocol: ['server_protocol'], status: ['status'], response_size: ['body_bytes_sent'] },
      tls_version: { columns: ['ssl_protocol'], sql: noneIfDash },
      tls_cipher: { columns: ['ssl_cipher'], sql: noneIfDash },
      server_name: { columns: ['ssl_server_name'], sql: noneIfDash },
      ...{ user_agent: ['http_user_agent'], referer: ['http_referer'] },
      'request_headers.X-Forwarded-For': ['http_x_forwarded_for'],
    },
    missing: ['-', ''],
  },
  alb: {
    source: 'https://docs.aws.amazon.com/athena/latest/ug/create-alb-access-logs-table.html',
    fields: {
      time: ['request_creation_time', 'time'],
      ...{ client_ip: ['client_ip'], client_port: ['client_port'], method: ['request_verb'] },
      url: { columns: ['request_url'], sql: withoutDefaultPort },
      ...{ protocol: ['request_proto'], status: ['elb_status_code'], user_agent: ['user_agent'] },
      tls_version: { columns: ['ssl_protocol'], sql: noneIfDash },
      tls_cipher: { columns: ['ssl_cipher'], sql: noneIfDash },
      server_name: { columns: ['domain_name'], sql: noneIfDash },
    },
    missing: ['-'],
  },
  elb: {
    source: 'https://docs.aws.amazon.com/athena/latest/ug/elasticloadbalancer-classic-logs.html',
    fields: {
      time: ['timestamp'],
      ...{ client_ip: ['request_ip'], client_port: ['request_port'], method: ['request_verb'] },
      url: { columns: ['url'], sql: withoutDefaultPort },
      ...{ protocol: ['protocol'], status: ['elb_response_code'], user_agent: ['user_agent'] },
      tls_version: { columns: ['ssl_protocol'], sql: noneIfDash },
      tls_cipher: { columns: ['ssl_cipher'], sql: noneIfDash },
    },
    missing: ['-'],
  },
  cloudfront: {
    // User agents and referrers are left out: the table has them with percent-encoding.
    source: 'https://docs.aws.amazon.com/athena/latest/ug/create-cloudfront-table-standard-logs.html',
    fields: {
      time: {
        columns: ['time'],
        other: 'date',
        sql: (time, date) => `cast(${date} as varchar(10)) || 'T' || ${time} || 'Z'`,
      },
      ...{ client_ip: ['c_ip'], client_port: ['c_port'], method: ['cs_method'], scheme: ['cs_protocol'] },
      ...{ host: ['x_host_header'], path: ['cs_uri_stem'], protocol: ['cs_protocol_version'], status: ['sc_status'] },
      query: { columns: ['cs_uri_query'], sql: noneIfDash },
      tls_version: { columns: ['ssl_protocol'], sql: noneIfDash },
      tls_cipher: { columns: ['ssl_cipher'], sql: noneIfDash },
    },
    missing: ['-'],
  },
  cloudflare: {
    source: 'https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/',
    fields: CLOUDFLARE_NAMES.paths,
    missing: CLOUDFLARE_NAMES.missing,
  },
  envoy: {
    source: 'the JSON formats of Istio, Envoy Gateway and Contour',
    fields: ENVOY_NAMES.paths,
    missing: ENVOY_NAMES.missing,
  },
  caddy: {
    // Headers are left out, because Caddy replaces the values of some, and the port, which may be that of a proxy.
    source: 'https://caddyserver.com/docs/caddyfile/directives/log, with the column `request` in JSON',
    fields: {
      ...{ time: ['ts'], status: ['status'], response_size: ['size'], client_ip: ['request.client_ip'] },
      ...{ method: ['request.method'], host: ['request.host'], target: ['request.uri'], protocol: ['request.proto'] },
      ...{ tls_version: ['request.tls.version'], server_name: ['request.tls.server_name'] },
    },
    missing: [],
  },
  traefik: {
    source: 'https://doc.traefik.io/traefik/observe/logs-and-access-logs/',
    fields: {
      ...{ time: ['StartUTC'], client_ip: ['ClientHost'], method: ['RequestMethod'], scheme: ['RequestScheme'] },
      ...{
        host: ['RequestAddr'],
        target: ['RequestPath'],
        protocol: ['RequestProtocol'],
        status: ['DownstreamStatus'],
      },
      ...{ tls_version: ['TLSVersion'], tls_cipher: ['TLSCipher'], response_size: ['DownstreamContentSize'] },
    },
    missing: [''],
  },
} as const satisfies Readonly<Record<string, ReadyMapping>>;

/** The name of a mapping for the usual tables of a product. */
export type ReadyMappingName = keyof typeof MAPPINGS;

/** All names of mappings. */
export const READY_MAPPING_NAMES = Object.keys(MAPPINGS) as readonly ReadyMappingName[];

/** A mapping in terms of the columns of one table. */
interface Resolved {
  readonly fields: Readonly<Record<string, string>>;
  readonly expressions: Readonly<Record<string, string>>;
}

/** A column of a table. */
interface NamedColumn {
  readonly name: string;
  readonly type: string;
}

/** Finds the columns of a mapping in a table, also in another case, because Trino and Athena have lower case only. Columns may be missing. */
export function resolveReady(mapping: ReadyMappingName, columns: readonly NamedColumn[], dialect: Dialect): Resolved {
  const { fields, missing }: ReadyMapping = MAPPINGS[mapping];
  const find = (name: string) =>
    columns.find(column => column.name === name) ??
    columns.find(column => column.name.toLowerCase() === name.toLowerCase());
  const found: { fields: Record<string, string>; expressions: Record<string, string> } = {
    fields: {},
    expressions: {},
  };
  for (const [field, given] of Object.entries(fields)) {
    const {
      columns: paths,
      sql,
      other,
    } = 'columns' in given ? given : { columns: given, sql: undefined, other: undefined };
    const path = paths.find(one => find(one.split('.')[0]!) !== undefined);
    if (path === undefined) continue;
    const [first, ...rest] = path.split('.');
    const { name, type } = find(first!)!;
    const second = other === undefined ? undefined : find(other);
    if (other !== undefined && second === undefined) continue;
    const column = dialect.name(name);
    const isText = rest.length === 0 && dialect.kindOf(type) === 'text';
    if (sql !== undefined && isText)
      found.expressions[field] = sql(column, second === undefined ? '' : dialect.name(second.name));
    else if (isText && missing.length > 0)
      found.expressions[field] =
        `case when ${column} not in (${missing.map(dialect.text).join(', ')}) then ${column} end`;
    else found.fields[field] = [name, ...rest].join('.');
  }
  return found;
}
