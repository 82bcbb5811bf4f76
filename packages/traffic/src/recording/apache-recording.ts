import { headerOfField, writeFields } from './header-field.ts';
import type { Recording } from './recording.ts';

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
const COMBINED = '%a %l %u %t "%r" %>s %B "%{Referer}i" "%{User-Agent}i"';

export function apacheRecording(fields: readonly string[]): Recording {
  const { texts, missing } = writeFields(fields, directiveOf);
  const format = [COMBINED, ...texts].join(' ');
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
