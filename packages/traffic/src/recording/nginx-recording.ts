import { headerOfField, writeFields } from './header-field.ts';
import type { Recording } from './recording.ts';

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
const COMBINED = [
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent',
  '"$http_referer" "$http_user_agent" $msec $request_time',
];

export function nginxRecording(fields: readonly string[]): Recording {
  const { texts, missing } = writeFields(fields, variableOf);
  const lines = [...COMBINED, ...linesOf(texts)];
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
