/** JSON logs of Envoy. */
import { readServerLog, type ServerNames } from '../records/json-lines.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

/** Users choose the members of Envoy's JSON. These are the names in the formats of Istio, Envoy Gateway and Contour, and those of JSON lines. */
export const ENVOY_NAMES: ServerNames = {
  paths: {
    time: ['start_time', '@timestamp', 'time'],
    client_ip: ['downstream_direct_remote_address', 'downstream_remote_address', 'client_ip'],
    client_port: ['client_port', 'downstream_direct_remote_address', 'downstream_remote_address'],
    server_ip: ['server_ip', 'downstream_local_address'],
    server_port: ['server_port', 'downstream_local_address'],
    method: ['method', ':method'],
    scheme: ['scheme', ':scheme'],
    host: ['authority', ':authority', 'host'],
    target: ['path', 'x-envoy-origin-path', 'x-envoy-original-path', ':path', 'target'],
    protocol: ['protocol'],
    tls_version: ['downstream_tls_version', 'tls_version'],
    tls_cipher: ['downstream_tls_cipher', 'tls_cipher'],
    server_name: ['requested_server_name', 'server_name'],
    user_agent: ['user_agent', 'user-agent'],
    referer: ['referer'],
    'request_headers.X-Forwarded-For': ['x_forwarded_for', 'x-forwarded-for'],
    'request_headers.X-Request-Id': ['request_id', 'x-request-id'],
    request_headers: ['request_headers'],
    status: ['response_code', 'status'],
    response_size: ['bytes_sent', 'response_size'],
    response_headers: ['response_headers'],
  },
  missing: ['-', ''],
  server: 'Envoy',
};

const TELLING = ['response_flags', 'upstream_cluster', 'upstream_host', 'downstream_remote_address', 'route_name'];

/** Access logs of Envoy in JSON. */
export const ENVOY = {
  name: 'envoy',
  title: 'an access log of Envoy in JSON',
  detect: head => sureOfDialect(head, one => 'response_code' in one && TELLING.some(name => name in one)),
  read: (bytes, file, { limits, mapping }) => readServerLog({ bytes, file, ...limits }, ENVOY_NAMES, mapping),
} as const satisfies FormatDescription;
