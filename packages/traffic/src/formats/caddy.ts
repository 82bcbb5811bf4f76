/** JSON logs of Caddy. */
import { addressIn, isRecord, numberIn, portIn, tlsVersionIn } from '../records/field-values.ts';
import { readServerLog, type ServerNames } from '../records/json-lines.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

/** JSON logs of Caddy. It logs each value of a header, and redacts those with secrets. */
export const CADDY_NAMES: ServerNames = {
  nested: 'request',
  paths: {
    // A line is written when the response has been sent.
    time: ['ts'],
    client_ip: ['request.client_ip', 'request.remote_ip', 'request.remote_addr'],
    client_port: ['request.client_ip', 'request.remote_ip', 'request.remote_port', 'request.remote_addr'],
    method: ['request.method'],
    scheme: ['request.tls'],
    host: ['request.host'],
    target: ['request.uri'],
    protocol: ['request.proto'],
    tls_version: ['request.tls'],
    tls_cipher: ['request.tls'],
    server_name: ['request.tls'],
    alpn: ['request.tls'],
    request_headers: ['request.headers'],
    status: ['status'],
    response_size: ['size'],
    response_headers: ['resp_headers'],
  },
  duration: 'duration',
  combined: {
    client_ip: valueAt => addressIn(valueAt(0)) ?? addressIn(valueAt(1) ?? valueAt(2)),
    // The port belongs to the other end of the connection, which may be a trusted proxy.
    client_port: valueAt => {
      const client = valueAt(0);
      const isDirect = client === undefined || client === valueAt(1);
      return isDirect ? portIn(valueAt(2) ?? valueAt(3)) : undefined;
    },
    // Without this member, the connection has no TLS.
    scheme: valueAt => (isRecord(valueAt(0)) ? 'https' : 'http'),
    tls_version: valueAt => tlsVersionIn(inTls(valueAt(0), 'version')) || undefined,
    tls_cipher: valueAt => suiteOfNumber(numberIn(inTls(valueAt(0), 'cipher_suite'))),
    server_name: valueAt => inTls(valueAt(0), 'server_name'),
    alpn: valueAt => inTls(valueAt(0), 'proto'),
  },
  missing: [],
  areRequestsWhole: true,
  changesHost: true,
  only: { object: 'request', logger: 'logger', prefix: 'http.log.access' },
  wholeHeaders: {
    redacted: 'REDACTED',
    withheld: {
      // Go removes these from a request before Caddy sees them, also a host that is empty.
      request_headers: ['transfer-encoding', 'trailer', 'host'],
      // Go adds these to a response after Caddy has logged it.
      response_headers: ['connection', 'content-length', 'content-type', 'date', 'trailer', 'transfer-encoding'],
    },
  },
};

function inTls(tls: unknown, name: string): unknown {
  return isRecord(tls) ? (tls[name] ?? undefined) : undefined;
}

/** Access logs of Caddy in JSON. */
export const CADDY = {
  name: 'caddy',
  title: 'an access log of Caddy in JSON',
  detect: head => sureOfDialect(head, isCaddy),
  read: (bytes, file, { limits, mapping }) => readServerLog({ bytes, file, ...limits }, CADDY_NAMES, mapping),
} as const satisfies FormatDescription;

function isCaddy({ request }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(request) && 'uri' in request && ('remote_ip' in request || 'remote_addr' in request);
}

/** Cipher suites that Go offers, by number (IANA, TLS Cipher Suites). */
const SUITES: Readonly<Record<number, string>> = {
  10: 'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  47: 'TLS_RSA_WITH_AES_128_CBC_SHA',
  53: 'TLS_RSA_WITH_AES_256_CBC_SHA',
  60: 'TLS_RSA_WITH_AES_128_CBC_SHA256',
  156: 'TLS_RSA_WITH_AES_128_GCM_SHA256',
  157: 'TLS_RSA_WITH_AES_256_GCM_SHA384',
  4865: 'TLS_AES_128_GCM_SHA256',
  4866: 'TLS_AES_256_GCM_SHA384',
  4867: 'TLS_CHACHA20_POLY1305_SHA256',
  49161: 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
  49162: 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
  49171: 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
  49172: 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
  49187: 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
  49191: 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
  49195: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  49196: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  49199: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  49200: 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  52392: 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  52393: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
};

/** Returns the IANA name of a cipher suite; undefined for one that Go does not offer. */
function suiteOfNumber(number: number | undefined): string | undefined {
  return number === undefined ? undefined : SUITES[number];
}
