/** Configurations of nginx, Apache and Envoy that record what a policy needs. */

/** How to configure a server to record what is needed. */
export interface Recording {
  readonly server: 'nginx' | 'Apache' | 'Envoy';
  /** For the server's configuration. */
  readonly configuration: string;
  /** For `--log-format`; absent if the format is detected from the content. */
  readonly logFormat?: string;
  /** Fields that the server cannot record. */
  readonly missing: readonly string[];
}

/** Fields that all usual log formats have, with their names in JSON lines. */
export const USUAL_FIELDS: readonly string[] = [
  ...['time', 'client_ip', 'method', 'target', 'protocol', 'status', 'response_size'],
  ...['request_headers.Referer', 'request_headers.User-Agent'],
];

/**
 * Returns how to record fields with each server, in addition to those of the combined format.
 * @param fields names in JSON lines; `request_headers.NAME` for one header
 */
export function recordingsOf(fields: readonly string[]): readonly Recording[] {
  const parts = fields.flatMap(field => (field === 'url' ? ['scheme', 'host', 'target'] : [field]));
  const special = [...new Set(parts.map(field => (field === 'request_headers.Host' ? 'host' : field)))].filter(
    field => !USUAL_FIELDS.includes(field),
  );
  return [nginxRecording(special), apacheRecording(special), envoyRecording(special)];
}

const DIRECTIVES: Readonly<Record<string, string>> = {
  client_port: '%{remote}p',
  server_ip: '%A',
  server_port: '%{local}p',
  scheme: '%{HTTPS}x',
  host: '"%{Host}i"',
  tls_version: '%{SSL_PROTOCOL}x',
  tls_cipher: '%{SSL_CIPHER}x',
  server_name: '"%{SSL_TLS_SNI}x"',
};

/** The combined format, with the client's address instead of its name. */
const APACHE_COMBINED = '%a %l %u %t "%r" %>s %B "%{Referer}i" "%{User-Agent}i"';

function apacheRecording(fields: readonly string[]): Recording {
  const { texts, missing } = writeFields(fields, directiveOf);
  const format = [APACHE_COMBINED, ...texts].join(' ');
  const logFormat = `LogFormat "${format.replaceAll('"', '\\"')}" tollgate`;
  return {
    server: 'Apache',
    configuration: `${logFormat}\nCustomLog logs/tollgate.log tollgate`,
    logFormat,
    missing,
  };
}

function directiveOf(field: string): string | undefined {
  const header = headerOfField(field);
  if (header === undefined) return DIRECTIVES[field];
  return `"%{${header.name}}${header.message === 'request' ? 'i' : 'o'}"`;
}

/** The fields of the combined format, and those that only some policies need. */
const USUAL: Readonly<Record<string, string>> = {
  time: '%START_TIME%',
  client_ip: '%DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT%',
  method: '%REQ(:METHOD)%',
  target: '%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%',
  protocol: '%PROTOCOL%',
  status: '%RESPONSE_CODE%',
  response_size: '%BYTES_SENT%',
  referer: '%REQ(REFERER)%',
  user_agent: '%REQ(USER-AGENT)%',
};
const OTHERS: Readonly<Record<string, string>> = {
  client_port: '%DOWNSTREAM_DIRECT_REMOTE_PORT%',
  server_ip: '%DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT%',
  server_port: '%DOWNSTREAM_LOCAL_PORT%',
  scheme: '%REQ(:SCHEME)%',
  host: '%REQ(:AUTHORITY)%',
  tls_version: '%DOWNSTREAM_TLS_VERSION%',
  tls_cipher: '%DOWNSTREAM_TLS_CIPHER%',
  server_name: '%REQUESTED_SERVER_NAME%',
};

const HEAD = `access_log:
  - name: envoy.access_loggers.file
    typed_config:
      "@type": type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog
      path: /var/log/envoy/tollgate.jsonl
      log_format:
        json_format:`;
const INDENT = ' '.repeat(10);

/** Uses the names of JSON lines, so that the log can be read without a mapping. */
function envoyRecording(fields: readonly string[]): Recording {
  const others = fields.filter(field => headerOfField(field) === undefined);
  const { texts, missing } = writeFields(others, field => member(field, OTHERS[field]));
  const lines = [
    ...Object.entries(USUAL).map(([field, command]) => member(field, command)!),
    ...texts,
    ...headerLines('request', fields),
    ...headerLines('response', fields),
  ];
  return { server: 'Envoy', configuration: `${HEAD}\n${lines.map(line => INDENT + line).join('\n')}`, missing };
}

function member(name: string, command: string | undefined): string | undefined {
  return command === undefined ? undefined : `${name}: "${command}"`;
}

function headerLines(message: 'request' | 'response', fields: readonly string[]): readonly string[] {
  const headers = fields.map(headerOfField).filter(header => header?.message === message);
  if (headers.length === 0) return [];
  const command = message === 'request' ? 'REQ' : 'RESP';
  const lines = headers.map(header => `  ${header!.name}: "%${command}(${header!.name.toUpperCase()})%"`);
  return [`${message}_headers:`, ...lines];
}

const VARIABLES: Readonly<Record<string, string>> = {
  client_port: '$remote_port',
  server_ip: '$server_addr',
  server_port: '$server_port',
  scheme: '$scheme',
  host: '"$http_host"',
  tls_version: '$ssl_protocol',
  tls_cipher: '$ssl_cipher',
  server_name: '"$ssl_server_name"',
  alpn: '$ssl_alpn_protocol',
};

/** The combined format, and the time to the millisecond: the end of the request, and its duration. */
const NGINX_COMBINED = [
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent',
  '"$http_referer" "$http_user_agent" $msec $request_time',
];

function nginxRecording(fields: readonly string[]): Recording {
  const { texts, missing } = writeFields(fields, variableOf);
  const lines = [...NGINX_COMBINED, ...linesOf(texts)];
  const parts = lines.map((line, index) => `'${line}${index < lines.length - 1 ? ' ' : ''}'`);
  const logFormat = `log_format tollgate ${parts.join(' ')};`;
  const directive = `log_format tollgate\n  ${parts.join('\n  ')};`;
  return {
    server: 'nginx',
    configuration: `${directive}\naccess_log /var/log/nginx/tollgate.log tollgate;`,
    logFormat,
    missing,
  };
}

function variableOf(field: string): string | undefined {
  const header = headerOfField(field);
  if (header === undefined) return VARIABLES[field];
  const name = header.name.toLowerCase().replaceAll('-', '_');
  return header.message === 'request' ? `"$http_${name}"` : `"$sent_http_${name}"`;
}

/** Few enough that a line is not much longer than in the combined format. */
const IN_LINE = 4;

function linesOf(texts: readonly string[]): readonly string[] {
  const starts = Array.from({ length: Math.ceil(texts.length / IN_LINE) }, (_, index) => index * IN_LINE);
  return starts.map(start => texts.slice(start, start + IN_LINE).join(' '));
}

/** The header that a field contains. */
interface HeaderOfField {
  readonly message: 'request' | 'response';
  readonly name: string;
}

/** Splits `request_headers.NAME`; returns undefined for other fields, and for names with characters other than letters, digits, `-` and `_`. */
function headerOfField(field: string): HeaderOfField | undefined {
  const match = /^(request|response)_headers\.([\w-]+)$/.exec(field);
  return match === null ? undefined : { message: match[1] === 'request' ? 'request' : 'response', name: match[2]! };
}

/** Maps fields to what a server writes for them, and collects those it cannot record. */
function writeFields(
  fields: readonly string[],
  written: (field: string) => string | undefined,
): { readonly texts: readonly string[]; readonly missing: readonly string[] } {
  const all = fields.map(field => ({ field, text: written(field) }));
  return {
    texts: all.flatMap(({ text }) => text ?? []),
    missing: all.flatMap(({ field, text }) => (text === undefined ? [field] : [])),
  };
}
