import { headerOfField, writeFields } from './header-field.ts';
import type { Recording } from './recording.ts';

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
export function envoyRecording(fields: readonly string[]): Recording {
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
