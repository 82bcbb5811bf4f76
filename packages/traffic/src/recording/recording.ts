import { apacheRecording } from './apache-recording.ts';
import { envoyRecording } from './envoy-recording.ts';
import { nginxRecording } from './nginx-recording.ts';

/** How a server is told to record what is needed. */
export interface Recording {
  readonly server: 'nginx' | 'Apache' | 'Envoy';
  /** For the server's configuration. */
  readonly configuration: string;
  /** For `--log-format`; absent where the log is told by its content. */
  readonly logFormat?: string;
  /** Fields that the server cannot record. */
  readonly missing: readonly string[];
}

/** Fields that every one of the usual formats of logs has, by the names of JSON lines. */
export const USUAL_FIELDS: readonly string[] = [
  ...['time', 'client_ip', 'method', 'target', 'protocol', 'status', 'response_size'],
  ...['request_headers.Referer', 'request_headers.User-Agent'],
];

/**
 * Tells how servers record fields, beside those of the combined format.
 *
 * @param fields by the names of JSON lines; `request_headers.NAME` for one header
 */
export function recordingsOf(fields: readonly string[]): readonly Recording[] {
  const parts = fields.flatMap(field => (field === 'url' ? ['scheme', 'host', 'target'] : [field]));
  const special = [...new Set(parts.map(field => (field === 'request_headers.Host' ? 'host' : field)))].filter(
    field => !USUAL_FIELDS.includes(field),
  );
  return [nginxRecording(special), apacheRecording(special), envoyRecording(special)];
}
