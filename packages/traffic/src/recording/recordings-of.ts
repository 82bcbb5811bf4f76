import { apacheRecording } from './apache-recording.ts';
import { envoyRecording } from './envoy-recording.ts';
import { nginxRecording } from './nginx-recording.ts';
import type { Recording } from './recording.ts';

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
