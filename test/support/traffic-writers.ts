import type { ReadTrafficOptions } from '@tollgate/traffic';

/** All that some format of traffic can hold of an exchange. */
export interface TrafficRecord {
  /** In ms since 1970-01-01T00:00:00Z; whole seconds, which is all that some formats hold. */
  readonly time: number;
  readonly clientIp: string;
  readonly clientPort: number;
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** Path and query. */
  readonly target: string;
  readonly protocol: string;
  /** Undefined where it was not sent. */
  readonly userAgent: string | undefined;
  readonly referer: string | undefined;
  /** Without TLS for the scheme `http`. */
  readonly tls: { readonly version: 'TLSv1.2' | 'TLSv1.3'; readonly suite: string; readonly serverName: string };
  readonly status: number;
  /** Bytes of the response's body. */
  readonly size: number;
  /** Two capital letters. */
  readonly country: string;
}

/** Writes traffic in one format, as the server does that has it. */
export interface TrafficWriter {
  readonly name: string;
  /** What a reader has to be told. */
  readonly options: ReadTrafficOptions;
  /** What the file begins with. */
  readonly head: string;
  /** One record, without the end of the line. */
  readonly line: (record: TrafficRecord) => string;
}

const NGINX =
  '$remote_addr:$remote_port [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" ' +
  '$scheme "$http_host" $ssl_protocol $ssl_cipher $ssl_server_name $geoip2_country_code';
const NGINX_JSON =
  'escape=json {"t":"$time_iso8601","ip":"$remote_addr","p":$remote_port,"m":"$request_method","u":"$request_uri","v":"$server_protocol",' +
  '"s":$status,"b":$body_bytes_sent,"r":"$http_referer","a":"$http_user_agent","sc":"$scheme","h":"$http_host","tv":"$ssl_protocol",' +
  '"tc":"$ssl_cipher","sn":"$ssl_server_name","c":"$geoip2_country_code"}';
const APACHE =
  '%a %{remote}p %t "%r" %>s %B "%{Referer}i" "%{User-Agent}i" "%{Host}i" %{SSL_PROTOCOL}x %{SSL_CIPHER}x %{SSL_TLS_SNI}x %{MM_COUNTRY_CODE}e';

/** Writers of the formats of text that can be read. */
export const TRAFFIC_WRITERS: readonly TrafficWriter[] = [
  { name: 'json-lines', options: {}, head: '', line: record => JSON.stringify(jsonRecord(record)) },
  { name: 'access-log', options: {}, head: '', line: combinedLine },
  { name: 'nginx', options: { logFormat: NGINX }, head: '', line: nginxLine },
  { name: 'nginx as JSON', options: { logFormat: NGINX_JSON }, head: '', line: nginxJson },
  { name: 'Apache', options: { logFormat: APACHE }, head: '', line: apacheLine },
  { name: 'caddy', options: {}, head: '', line: record => JSON.stringify(caddyRecord(record)) },
  { name: 'cloudflare', options: {}, head: '', line: record => JSON.stringify(cloudflareRecord(record)) },
  { name: 'envoy', options: {}, head: '', line: record => JSON.stringify(envoyRecord(record)) },
  { name: 'alb', options: {}, head: '', line: albLine },
  {
    name: 'cloudfront',
    options: {},
    head:
      '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) ' +
      'cs-uri-query x-edge-result-type x-host-header cs-protocol ssl-protocol ssl-cipher cs-protocol-version c-port sc-content-len c-country\n',
    line: cloudFrontLine,
  },
  {
    name: 'iis',
    options: {},
    head: '#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs-version cs(User-Agent) cs(Referer) cs-host sc-status\n',
    line: iisLine,
  },
  { name: 'cloudfront without a header', options: {}, head: '', line: headerlessLine },
  { name: 'traefik', options: {}, head: '', line: record => JSON.stringify(traefikRecord(record)) },
  { name: 'traefik in CLF', options: {}, head: '', line: record => `${combinedLine(record)} 1 "r@docker" "-" 2ms` },
  { name: 'haproxy', options: {}, head: '', line: haproxyLine },
  { name: 'elb', options: {}, head: '', line: elbLine },
  { name: 's3', options: {}, head: '', line: s3Line },
  { name: 'vhost_combined', options: {}, head: '', line: record => `${record.host} ${combinedLine(record)}` },
  ...wrapped({
    docker: line => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-21T10:00:00.000000001Z' }),
    CRI: line => `2026-11-21T10:00:00.000000001Z stdout F ${line}`,
    syslog: line => `<190>Nov 21 10:00:00 web1 nginx: ${line}`,
    'syslog in a file': line => `2026-11-21T10:00:00.000001+00:00 web1 nginx[7]: ${line}`,
    'syslog of RFC 5424': line => `<190>1 2026-11-21T10:00:00.000Z web1 nginx 7 - [a@1 b="]"] ${line}`,
    'docker compose': line => `web-1  | ${line}`,
  }),
];

/** The lines of a server, each wrapped as collectors of logs do. */
function wrapped(wrappers: Readonly<Record<string, (line: string) => string>>): readonly TrafficWriter[] {
  return Object.entries(wrappers).flatMap(([name, wrap]) => [
    { name: `${name} around an access log`, options: {}, head: '', line: record => wrap(combinedLine(record)) },
    { name: `${name} around JSON`, options: {}, head: '', line: record => wrap(JSON.stringify(envoyRecord(record))) },
  ]);
}

function jsonRecord(record: TrafficRecord) {
  const { tls } = record;
  const hasTls = record.scheme === 'https';
  return {
    time: new Date(record.time).toISOString(),
    client_ip: record.clientIp,
    client_port: record.clientPort,
    method: record.method,
    scheme: record.scheme,
    host: record.host,
    target: record.target,
    protocol: record.protocol,
    ...(hasTls && { tls_version: tls.version, tls_cipher: tls.suite, server_name: tls.serverName }),
    user_agent: record.userAgent ?? null,
    referer: record.referer ?? null,
    status: record.status,
    response_size: record.size,
    country: record.country,
  };
}

function combinedLine(record: TrafficRecord): string {
  const { clientIp, status, size } = record;
  return `${clientIp} - - [${logTime(record.time)}] "${requestLine(record)}" ${status} ${size} ${refererAndAgent(record)}`;
}

function nginxLine(record: TrafficRecord): string {
  const begin = `${record.clientIp}:${record.clientPort} [${logTime(record.time)}] "${requestLine(record)}"`;
  const end = `${record.scheme} "${record.host}" ${tlsFields(record).join(' ')} ${record.country}`;
  return `${begin} ${record.status} ${record.size} ${refererAndAgent(record)} ${end}`;
}

function nginxJson(record: TrafficRecord): string {
  const [version, suite, name] = tlsFields(record, '');
  const { method, target, protocol, status, size, country } = record;
  return JSON.stringify({
    ...{ t: `${new Date(record.time).toISOString().slice(0, 19)}+00:00`, ip: record.clientIp, p: record.clientPort },
    ...{ m: method, u: target, v: protocol, s: status, b: size },
    ...{ r: record.referer ?? '', a: record.userAgent ?? '', sc: record.scheme, h: record.host },
    ...{ tv: version, tc: suite, sn: name, c: country },
  });
}

function apacheLine(record: TrafficRecord): string {
  const begin = `${record.clientIp} ${record.clientPort} [${logTime(record.time)}] "${requestLine(record)}"`;
  const end = `"${record.host}" ${tlsFields(record).join(' ')} ${record.country}`;
  return `${begin} ${record.status} ${record.size} ${refererAndAgent(record)} ${end}`;
}

function caddyRecord(record: TrafficRecord) {
  const { tls, referer, userAgent } = record;
  const secured = {
    tls: {
      version: tls.version === 'TLSv1.3' ? 772 : 771,
      cipher_suite: tls.version === 'TLSv1.3' ? 0x1301 : 0xc02f,
      server_name: tls.serverName,
    },
  };
  return {
    ts: record.time / 1000 + 0.5,
    duration: 0.5,
    logger: 'http.log.access',
    request: {
      ...{ remote_ip: record.clientIp, remote_port: `${record.clientPort}`, client_ip: record.clientIp },
      ...{ proto: record.protocol, method: record.method, host: record.host, uri: record.target },
      headers: {
        ...(userAgent !== undefined && { 'User-Agent': [userAgent] }),
        ...(referer && { Referer: [referer] }),
      },
      ...(record.scheme === 'https' && secured),
    },
    ...{ size: record.size, status: record.status, resp_headers: {} },
  };
}

function cloudflareRecord(record: TrafficRecord) {
  const [version, suite] = tlsFields(record, 'none');
  return {
    ...{ EdgeStartTimestamp: record.time * 1e6, ClientIP: record.clientIp, ClientSrcPort: record.clientPort },
    ...{ ClientRequestMethod: record.method, ClientRequestScheme: record.scheme, ClientRequestHost: record.host },
    ...{ ClientRequestURI: record.target, ClientRequestProtocol: record.protocol },
    ...{ ClientRequestUserAgent: record.userAgent ?? '', ClientRequestReferer: record.referer ?? '' },
    ...{ ClientSSLProtocol: version, ClientSSLCipher: suite, ClientCountry: record.country.toLowerCase() },
    ...{ EdgeResponseStatus: record.status, EdgeResponseBodyBytes: record.size, EdgeResponseBytes: record.size + 300 },
  };
}

function envoyRecord(record: TrafficRecord) {
  return {
    ...{ start_time: new Date(record.time).toISOString(), method: record.method, path: record.target },
    ...{ protocol: record.protocol, response_code: record.status, response_flags: '-', bytes_sent: record.size },
    ...{ authority: record.host, user_agent: record.userAgent ?? null, referer: record.referer ?? null },
    ...{ downstream_remote_address: withPort(record), upstream_cluster: 'web' },
    requested_server_name: record.scheme === 'https' ? record.tls.serverName : null,
  };
}

function albLine(record: TrafficRecord): string {
  const [version, suite, name] = tlsFields(record);
  const time = new Date(record.time).toISOString();
  const port = /:\d+$/.test(record.host) ? '' : record.scheme === 'https' ? ':443' : ':80';
  const request = `${record.method} ${record.scheme}://${record.host}${port}${escaped(record.target)} ${record.protocol}`;
  const agent = record.userAgent === undefined ? '-' : escaped(record.userAgent);
  const begin = `${record.scheme} ${time} app/web/50dc6c495c0c9188 ${withPort(record)} 10.0.0.1:80 0.001 0.002 0.000`;
  const middle = `${record.status} ${record.status} 34 ${record.size + 300} "${request}" "${agent}" ${suite} ${version}`;
  return `${begin} ${middle} arn:x "Root=1" "${name}" "-" 0 ${time} "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"`;
}

function cloudFrontLine(record: TrafficRecord): string {
  const [version, suite] = tlsFields(record);
  const encoded = (text: string | undefined) => (text === undefined ? '-' : encodeURIComponent(text));
  const [stem = '', query = '-'] = splitTarget(record.target);
  const values = [
    ...[
      ...dateAndTime(record.time),
      'FRA2',
      record.size + 300,
      record.clientIp,
      record.method,
      'd1.cloudfront.net',
      stem,
    ],
    ...[record.status, encoded(record.referer), encoded(record.userAgent), query, 'Hit', record.host, record.scheme],
    ...[version, suite, record.protocol, record.clientPort, record.size, record.country],
  ];
  return values.join('\t');
}

function iisLine(record: TrafficRecord): string {
  const plus = (text: string | undefined) => text?.replaceAll(' ', '+') ?? '-';
  const [stem = '', query = '-'] = splitTarget(record.target);
  const values = [
    ...[...dateAndTime(record.time), record.clientIp, record.method, plus(decodedPath(stem)), query],
    ...[record.protocol, plus(record.userAgent), plus(record.referer), record.host, record.status],
  ];
  return values.join(' ');
}

function headerlessLine(record: TrafficRecord): string {
  const [version, suite] = tlsFields(record);
  const encoded = (text: string | undefined) => (text === undefined ? '-' : encodeURIComponent(text));
  const [stem = '', query = '-'] = splitTarget(record.target);
  const { size, clientIp, method, status, host, scheme, protocol, clientPort } = record;
  const values = [
    ...[...dateAndTime(record.time), 'FRA56-P1', size + 300, clientIp, method, 'd1.cloudfront.net', stem, status],
    ...[
      encoded(record.referer),
      encoded(record.userAgent),
      query,
      '-',
      'Hit',
      'SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmw==',
    ],
    ...[
      host,
      scheme,
      23,
      '0.001',
      '-',
      version,
      suite,
      'Hit',
      protocol,
      '-',
      '-',
      clientPort,
      '0.001',
      'Hit',
      'text/html',
    ],
    ...[size, '-', '-'],
  ];
  return values.join('\t');
}

function traefikRecord(record: TrafficRecord) {
  const { tls, userAgent, referer } = record;
  return {
    ...{ ClientAddr: withPort(record), ClientHost: record.clientIp, ClientPort: `${record.clientPort}` },
    ...{
      DownstreamContentSize: record.size,
      DownstreamStatus: record.status,
      Duration: 61_000,
      RequestAddr: record.host,
    },
    ...{ RequestHost: record.host.replace(/:.*/, ''), RequestMethod: record.method, RequestPath: record.target },
    ...{ RequestProtocol: record.protocol, RequestScheme: record.scheme, RouterName: 'r@docker' },
    StartUTC: new Date(record.time).toISOString(),
    ...(record.scheme === 'https' && { TLSVersion: tls.version === 'TLSv1.3' ? '1.3' : '1.2' }),
    ...{ entryPointName: 'web', level: 'info', msg: '', time: '2026-11-21T10:00:00Z' },
    ...(userAgent !== undefined && { 'request_User-Agent': userAgent }),
    ...(referer && { request_Referer: referer }),
  };
}

/** As `option httpslog` does. Of addresses and their ports nothing is in brackets. */
function haproxyLine(record: TrafficRecord): string {
  const isSecured = record.scheme === 'https';
  const hex = (text: string) =>
    [...Buffer.from(text)].map(byte => `#${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  const target = record.target.replace(/["#{|}]|[^ -~]/gu, hex);
  const begin = `${record.clientIp}:${record.clientPort} [${logTime(record.time).slice(0, 20)}.000] web${isSecured ? '~' : ''} web/web1`;
  const counts = `0/0/1/2/3 ${record.status} ${record.size + 300} - - ---- 1/1/0/0/0 0/0 {${hex(record.host)} |}`;
  const end = isSecured ? ` 0/0/0/0/0 ${record.tls.serverName}/${record.tls.version}/${record.tls.suite}` : '';
  return `${begin} ${counts} "${record.method} ${target} ${record.protocol}"${end}`;
}

function elbLine(record: TrafficRecord): string {
  const [version, suite] = tlsFields(record);
  const port = /:\d+$/.test(record.host) ? '' : record.scheme === 'https' ? ':443' : ':80';
  const request = `${record.method} ${record.scheme}://${record.host}${port}${escaped(record.target)} ${record.protocol}`;
  const agent = record.userAgent === undefined ? '-' : escaped(record.userAgent);
  const begin = `${new Date(record.time).toISOString().slice(0, -1)}000Z lb ${withPort(record)} 10.0.0.1:80 0.0001 0.001 0.0001`;
  return `${begin} ${record.status} ${record.status} 0 ${record.size} "${request}" "${agent}" ${suite} ${version}`;
}

function s3Line(record: TrafficRecord): string {
  const [version, suite] = tlsFields(record);
  const owner = '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be';
  const begin = `${owner} bucket [${logTime(record.time)}] ${record.clientIp} ${owner} 3E57427F3EXAMPLE REST.GET.OBJECT key`;
  const counts = `${record.status} - ${record.size === 0 ? '-' : record.size} - 7 - "${record.referer ?? '-'}" "${record.userAgent ?? '-'}"`;
  const end = `- s9lzHYrFp76ZVxRcpX9= SigV4 ${suite} AuthHeader ${record.host} ${version} - -`;
  return `${begin} "${record.method} ${record.target} ${record.protocol}" ${counts} ${end}`;
}

/** IIS refuses control characters in paths. */
function decodedPath(stem: string): string {
  const decoded = decodeURIComponent(stem);
  return /\p{Cc}/u.test(decoded) ? stem : decoded;
}

function requestLine({ method, target, protocol }: TrafficRecord): string {
  return `${method} ${escaped(target)} ${protocol}`;
}

function refererAndAgent({ referer, userAgent }: TrafficRecord): string {
  const field = (text: string | undefined) => `"${text === undefined ? '-' : escaped(text)}"`;
  return `${field(referer)} ${field(userAgent)}`;
}

function tlsFields({ scheme, tls }: TrafficRecord, none = '-'): readonly [string, string, string] {
  return scheme === 'https' ? [tls.version, tls.suite, tls.serverName] : [none, none, none];
}

function withPort({ clientIp, clientPort }: TrafficRecord): string {
  return clientIp.includes(':') ? `[${clientIp}]:${clientPort}` : `${clientIp}:${clientPort}`;
}

/** The query is undefined where there is none. */
function splitTarget(target: string): readonly (string | undefined)[] {
  const at = target.indexOf('?');
  return at < 0 ? [target] : [target.slice(0, at), target.slice(at + 1)];
}

function dateAndTime(time: number): readonly string[] {
  return new Date(time).toISOString().slice(0, 19).split('T');
}

function logTime(time: number): string {
  const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(time).toUTCString())!;
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** As nginx does, and Apache may. */
function escaped(text: string): string {
  const hex = (byte: number) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  const isPlain = (byte: number) => byte >= 32 && byte <= 126 && byte !== 34 && byte !== 92;
  return [...Buffer.from(text)].map(byte => (isPlain(byte) ? String.fromCharCode(byte) : hex(byte))).join('');
}
