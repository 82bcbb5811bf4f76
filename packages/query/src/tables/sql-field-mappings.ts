/** Ready-made mappings of tables with the logs of known servers: which expression in SQL yields a field. */
import { SERVER_NAMES } from '@tollgate/traffic/columns';
import type { Dialect } from '../engines/engine.ts';

/** A field that no column holds as it is. */
interface ComputedField {
  /** The first of these columns that the table has holds the field; or a dot path in a column with JSON. {@link NO_COLUMN} for none after these. */
  readonly columns: readonly string[];
  /** The SQL of the field, in terms that all engines share, if that column holds strings. */
  readonly sql: (column: string, other: string, dialect: Dialect) => string;
  /** A column that the SQL needs in addition: the first of these that the table has. */
  readonly other?: readonly string[];
}

/** A field in a column of structs or JSON. */
interface MemberField {
  readonly column: string;
  readonly member: string;
  /** The member is a list of objects with `name` and `value`. */
  readonly isList?: true;
}

/** The columns of the usual tables of a product. */
interface SqlFieldMapping {
  /** What the names of the columns are taken from. */
  readonly source: string;
  readonly fields: Readonly<Record<string, ComputedField | MemberField | readonly string[]>>;
  /** Strings that mean that a value is missing. */
  readonly missing: readonly string[];
  /** Columns of strings or numbers with the patterns of their values in rows that are requests: load balancers also log connections without one. */
  readonly requests?: Readonly<Record<string, string>>;
  /** A column without which the others mean nothing certain, and what is not known then. */
  readonly needs?: { readonly column: string; readonly toKnow: string };
}

/** Anything but a dash, and a URL with a host. */
const NO_DASH = '^(?:[^-]|-.)';
const AWS_URL = '^(?:[Hh][Tt][Tt][Pp]|[Ww][Ss])[Ss]?://[^/?#:]';

/** What AWS writes for fields that a configuration leaves out of logs. */
const REDACTED = 'REDACTED';

/** The column with the usual name of the field holds something else. */
const NO_COLUMN = '';

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

const dateAndTime = (time: string, date: string) => `cast(${date} as varchar(10)) || 'T' || ${time} || 'Z'`;

const knownUnlessDash = (sql: string) => `case when ${sql} <> '-' then ${sql} end`;

/** The pattern in Athena's table takes quotes along. */
const unquoted = (column: string) =>
  `case when ${column} like '"%"' then substr(${column}, 2, length(${column}) - 2) else ${column} end`;

/** Returns a part of `GET /path HTTP/1.1`, null if it is not a request. */
function ofRequestLine(part: 'method' | 'target' | 'protocol'): (column: string) => string {
  return column => {
    const line = `(${unquoted(column)})`;
    const space = `position(' ' in ${line})`;
    const sql = {
      method: `substr(${line}, 1, ${space} - 1)`,
      target: `substr(${line}, ${space} + 1, length(${line}) - ${space} - ${' HTTP/1.1'.length})`,
      protocol: `substr(${line}, length(${line}) - ${'HTTP/1.1'.length - 1})`,
    }[part];
    return `case when ${line} like '_% _% HTTP/_._' then ${sql} end`;
  };
}

/** HAProxy writes number signs, quotes and unprintable characters as `#` and two hexadecimal digits, which SQL cannot decode. */
function ofHaproxyRequest(part: Parameters<typeof ofRequestLine>[0]): (column: string) => string {
  return column => `case when ${column} not like '%#%' then ${ofRequestLine(part)(column)} end`;
}

/** Returns `2026-11-21T10:00:00.123Z` for `21/Nov/2026:10:00:00.123`, which HAProxy writes in the server's time zone: assumed to be UTC. */
function haproxyTime(column: string): string {
  const month = `substr('01 02 03 04 05 06 07 08 09 10 11 12', position(substr(${column}, 4, 3) in 'JanFebMarAprMayJunJulAugSepOctNovDec'), 2)`;
  return `substr(${column}, 8, 4) || '-' || ${month} || '-' || substr(${column}, 1, 2) || 'T' || substr(${column}, 13) || 'Z'`;
}

/** IIS writes plus signs for spaces. */
const withSpaces = (column: string) => knownUnlessDash(`replace(${column}, '+', ' ')`);

/**
 * HAProxy removes the default port from an absolute URL, so that one without a port may have been sent with it: only its host name and what
 * follows are known.
 */
function ofHaproxyTarget(part: 'target' | 'host_name'): ComputedField['sql'] {
  return (column, _, { matches }) => {
    const target = `(${ofHaproxyRequest('target')(column)})`;
    const rest = `(case when ${target} like 'https://%' then substr(${target}, ${'https://'.length + 1}) else substr(${target}, ${'http://'.length + 1}) end)`;
    const end = `position('/' in ${rest})`;
    const hasPort = matches(target, '^https?://[^/?#]*:[0-9]+/');
    if (part === 'host_name') {
      const hasName = matches(target, '^https?://[^/?#@]+/');
      return `case when ${hasName} and not ${hasPort} then substr(${rest}, 1, ${end} - 1) end`;
    }
    const isOfPath = matches(target, '^https?://[^/?#]+/');
    const isAbsolute = matches(target, '^[Hh][Tt][Tt][Pp][Ss]?://');
    return `case when not ${isAbsolute} or ${hasPort} then ${target} when ${isOfPath} then substr(${rest}, ${end}) end`;
  };
}

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
      ...{ method: ['request_method'], scheme: ['scheme'], host: ['http_host', NO_COLUMN], target: ['request_uri'] },
      // `$host` has no port.
      host_name: ['host'],
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
    requests: { request_verb: NO_DASH, request_url: AWS_URL },
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
    requests: { request_verb: NO_DASH, url: AWS_URL },
  },
  cloudfront: {
    // User agents and referrers are left out: the table has them with percent-encoding.
    source: 'https://docs.aws.amazon.com/athena/latest/ug/create-cloudfront-table-standard-logs.html',
    fields: {
      time: {
        columns: ['time'],
        other: ['date'],
        sql: dateAndTime,
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
    fields: SERVER_NAMES.cloudflare.paths,
    missing: SERVER_NAMES.cloudflare.missing,
  },
  envoy: {
    source: 'the JSON formats of Istio, Envoy Gateway and Contour',
    fields: SERVER_NAMES.envoy.paths,
    missing: SERVER_NAMES.envoy.missing,
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
  s3: {
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-s3-access-logs-to-identify-requests.html',
    fields: {
      ...{ time: ['requestdatetime'], client_ip: ['remoteip'], host: ['endpoint'], status: ['httpstatus'] },
      method: { columns: ['request_uri'], sql: ofRequestLine('method') },
      target: { columns: ['request_uri'], sql: ofRequestLine('target') },
      protocol: { columns: ['request_uri'], sql: ofRequestLine('protocol') },
      response_size: { columns: ['bytessent'], sql: column => `case when ${column} = '-' then '0' else ${column} end` },
      user_agent: { columns: ['useragent'], sql: column => knownUnlessDash(`(${unquoted(column)})`) },
      referer: { columns: ['referrer'], sql: column => knownUnlessDash(`(${unquoted(column)})`) },
      tls_version: { columns: ['tlsversion'], sql: noneIfDash },
      tls_cipher: { columns: ['ciphersuite'], sql: noneIfDash },
    },
    missing: ['-'],
    requests: { request_uri: '^"?[^ -]' },
  },
  waf: {
    // What a rule answered is left out, because blocked requests have it only if it is of their own.
    source:
      'https://docs.aws.amazon.com/waf/latest/developerguide/logging-fields.html, with the column `httprequest` as in Athena',
    fields: {
      time: ['timestamp'],
      client_ip: { column: 'httprequest', member: 'clientIp' },
      country: { column: 'httprequest', member: 'country' },
      method: { column: 'httprequest', member: 'httpMethod' },
      scheme: { column: 'httprequest', member: 'scheme' },
      host: { column: 'httprequest', member: 'host' },
      path: { column: 'httprequest', member: 'uri' },
      query: { column: 'httprequest', member: 'args' },
      protocol: { column: 'httprequest', member: 'httpVersion' },
      request_headers: { column: 'httprequest', member: 'headers', isList: true },
    },
    missing: [REDACTED, '-'],
  },
  vpc: {
    source: 'https://docs.aws.amazon.com/vpc/latest/userguide/flow-log-records.html',
    fields: {
      ...{ time: ['start'], client_ip: ['pkt_srcaddr', 'srcaddr'], client_port: ['srcport'] },
      ...{ server_ip: ['pkt_dstaddr', 'dstaddr'], server_port: ['dstport'] },
      // That of a connection, as a number.
      protocol: [NO_COLUMN],
    },
    missing: ['-'],
    // AWS's default format lacks it. The packets of servers are records of their own.
    needs: { column: 'tcp_flags', toKnow: 'which end of a flow is the client' },
    // With SYN, and not with SYN and ACK, which the server answers.
    requests: { log_status: '^OK$', protocol: '^6$', tcp_flags: '^[2367]$' },
  },
  haproxy: {
    // Sizes are left out because they include headers, and captured headers because they have no names.
    source:
      'HAProxy Configuration Manual, sections 8.2.3 and 8.2.4: HTTP and HTTPS log formats (https://docs.haproxy.org/)',
    fields: {
      time: { columns: ['request_date', 'accept_date'], sql: haproxyTime },
      ...{ client_ip: ['client_ip'], client_port: ['client_port'], status: ['status_code'] },
      ...{ server_ip: ['frontend_ip', NO_COLUMN], server_port: ['frontend_port', NO_COLUMN] },
      // A frontend without a tilde has no TLS, unless the column was logged as `%f`.
      scheme: { columns: ['frontend_name'], sql: column => `case when ${column} like '%~' then 'https' end` },
      method: { columns: ['http_request'], sql: ofHaproxyRequest('method') },
      target: { columns: ['http_request'], sql: ofHaproxyTarget('target') },
      host_name: { columns: ['http_request'], sql: ofHaproxyTarget('host_name') },
      protocol: { columns: ['http_request'], sql: ofHaproxyRequest('protocol') },
      tls_version: { columns: ['ssl_version'], sql: noneIfDash },
      tls_cipher: { columns: ['ssl_ciphers'], sql: noneIfDash },
      // `server_name` is the server behind HAProxy.
      server_name: { columns: ['ssl_fc_sni', NO_COLUMN], sql: noneIfDash },
    },
    missing: ['-'],
  },
  w3c: {
    // Whether a request has TLS is not logged, so that its URL is unknown.
    source: 'https://docs.aws.amazon.com/athena/latest/ug/querying-iis-logs.html, further columns named alike',
    fields: {
      time: { columns: ['time_col', 'time'], other: ['date_col', 'date'], sql: dateAndTime },
      ...{ client_ip: ['c_ip'], client_port: ['c_port'], server_ip: ['s_ip'], server_port: ['s_port'] },
      ...{ method: ['cs_method'], host: ['cs_host'], protocol: ['cs_version'], status: ['sc_status'] },
      path: {
        // IIS writes paths decoded: only one that cannot be the result of decoding is as sent.
        columns: ['cs_uri_stem'],
        sql: (column, _, { matches }) =>
          `case when ${matches(column, "^[A-Za-z0-9/._~!$&'()*,;=:@-]+$")} then ${column} end`,
      },
      query: { columns: ['cs_uri_query'], sql: noneIfDash },
      user_agent: { columns: ['cs_user_agent'], sql: withSpaces },
      referer: { columns: ['cs_referer'], sql: withSpaces },
    },
    missing: ['-'],
  },
} as const satisfies Readonly<Record<string, SqlFieldMapping>>;

/** The name of a mapping for the usual tables of a product. */
export type SqlFieldMappingName = keyof typeof MAPPINGS;

/** All names of mappings. */
export const SQL_FIELD_MAPPING_NAMES = Object.keys(MAPPINGS) as readonly SqlFieldMappingName[];

/** A mapping in terms of the columns of one table. */
interface Resolved {
  readonly fields: Readonly<Record<string, string>>;
  readonly expressions: Readonly<Record<string, string>>;
  /** Whether a row is no request, in SQL; undefined if all are. */
  readonly noRequest: string | undefined;
  /** What the mapping needs and the table lacks. */
  readonly lacks: SqlFieldMapping['needs'];
}

/** A column of a table. */
interface NamedColumn {
  readonly name: string;
  readonly type: string;
}

/** Finds the columns of a mapping in a table, also in another case, because Trino and Athena have lower case only. Columns may be missing. */
export function resolveFieldMapping(
  mapping: SqlFieldMappingName,
  columns: readonly NamedColumn[],
  dialect: Dialect,
): Resolved {
  const { fields, missing, requests = {}, needs }: SqlFieldMapping = MAPPINGS[mapping];
  const find = (name: string) =>
    columns.find(column => column.name === name) ??
    columns.find(column => column.name.toLowerCase() === name.toLowerCase());
  const found: { fields: Record<string, string>; expressions: Record<string, string> } = {
    fields: {},
    expressions: {},
  };
  for (const [field, given] of Object.entries(fields)) {
    if ('member' in given) {
      const column = find(given.column);
      const members = column && dialect.members(dialect.name(column.name), column.type);
      const member = given.isList ? members?.pairs(given.member, REDACTED) : members?.string(given.member);
      if (member !== undefined)
        found.expressions[field] = given.isList ? member : unlessMissing(member, missing, dialect);
      continue;
    }
    const {
      columns: paths,
      sql,
      other,
    } = 'columns' in given ? given : { columns: given, sql: undefined, other: undefined };
    const path = paths.find(one => one === NO_COLUMN || find(one.split('.')[0]!) !== undefined);
    if (path === undefined) continue;
    if (path === NO_COLUMN) {
      found.fields[field] = NO_COLUMN;
      continue;
    }
    const [first, ...rest] = path.split('.');
    const { name, type } = find(first!)!;
    const second = other?.map(find).find(column => column !== undefined);
    if (other !== undefined && second === undefined) continue;
    const column = dialect.name(name);
    const isText = rest.length === 0 && dialect.kindOf(type) === 'text';
    if (sql !== undefined && isText)
      found.expressions[field] = sql(column, second === undefined ? '' : dialect.name(second.name), dialect);
    else if (isText && missing.length > 0) found.expressions[field] = unlessMissing(column, missing, dialect);
    else found.fields[field] = [name, ...rest].join('.');
  }
  const noRequest = Object.entries(requests).flatMap(([name, pattern]) => {
    const column = find(name);
    const kind = column && dialect.kindOf(column.type);
    if (column === undefined || (kind !== 'text' && kind !== 'number')) return [];
    const own = dialect.name(column.name);
    return `not ${dialect.matches(kind === 'text' ? own : dialect.asText(own, kind), pattern)}`;
  });
  const lacks = needs && find(needs.column) === undefined ? needs : undefined;
  return { ...found, lacks, noRequest: noRequest.length > 0 ? noRequest.join(' or ') : undefined };
}

function unlessMissing(sql: string, missing: readonly string[], { text }: Dialect): string {
  return `case when ${sql} not in (${missing.map(text).join(', ')}) then ${sql} end`;
}
