/** JSON logs of nginx whose members are named like its variables. */
import type { Slot } from '../log-formats/log-variable.ts';
import { NGINX_VARIABLES, nginxHeader } from '../log-formats/nginx-format.ts';
import { readServerLog, type ServerNames } from '../records/json-lines.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

/** The fields of records that variables hold. */
const FIELDS: Readonly<Partial<Record<Slot, string>>> = {
  client: 'client_ip',
  'client-port': 'client_port',
  'server-ip': 'server_ip',
  'server-port': 'server_port',
  request: 'request_line',
  method: 'method',
  target: 'target',
  protocol: 'protocol',
  scheme: 'scheme',
  'host-name': 'host_name',
  time: 'time',
  written: 'time',
  status: 'status',
  size: 'response_size',
  'tls-version': 'tls_version',
  'tls-cipher': 'tls_cipher',
  'server-name': 'server_name',
  alpn: 'alpn',
};

/** JSON logs of nginx whose members are named after its variables. */
export const NGINX_NAMES: ServerNames = {
  paths: pathsByField(),
  // An empty string says that there is no TLS, no server name and so on.
  missing: ['-'],
  signs: ['-', ''],
  server: 'nginx',
  others: {
    fieldOf: member => {
      const header = nginxHeader(member);
      return header && `${header.message}_headers.${header.name}`;
    },
    memberOf: (message, lowerCase) =>
      `${message === 'request_headers' ? '' : 'sent_'}http_${lowerCase.replaceAll('-', '_')}`,
    pattern: '(?:(?:sent_|upstream_)?http_[^"]*|content_type|content_length)',
  },
};

function pathsByField(): ServerNames['paths'] {
  const paths: Record<string, string[]> = {
    host: ['http_host'],
    user_agent: ['http_user_agent'],
    referer: ['http_referer'],
  };
  for (const [variable, [, slot]] of Object.entries(NGINX_VARIABLES)) {
    const field = FIELDS[slot];
    if (field !== undefined) paths[field] = [...(paths[field] ?? []), variable];
  }
  return paths;
}

/** Names that nothing but nginx uses. */
const TELLING = [
  ...[
    'remote_addr',
    'request_uri',
    'request_method',
    'body_bytes_sent',
    'http_user_agent',
    'http_host',
    'http_referer',
  ],
  ...['time_iso8601', 'time_local', 'server_protocol', 'ssl_protocol', 'http_x_forwarded_for'],
];

/** Access logs of nginx in JSON. With a mapping of the user, they are JSON lines like others. */
export const NGINX_JSON = {
  name: 'nginx',
  title: 'a JSON log of nginx with the names of its variables',
  detect: (head, { mapping = {} }) => {
    if (Object.keys(mapping.fields ?? {}).length > 0) return 0;
    return sureOfDialect(head, one => TELLING.filter(name => name in one).length > 1);
  },
  read: (bytes, file, { limits, mapping }) => readServerLog({ bytes, file, ...limits }, NGINX_NAMES, mapping),
} as const satisfies FormatDescription;
