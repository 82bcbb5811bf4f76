/** JSON logs of Caddy. */
import { type HeaderFacts, NO_HEADER_KNOWN } from '../exchange/exchange.ts';
import { readLog } from '../input/lines.ts';
import {
  addressIn,
  isRecord,
  numberIn,
  portIn,
  protocolIn,
  sizeIn,
  statusIn,
  stringIn,
  timeIn,
  tlsVersionIn,
} from '../records/field-values.ts';
import { eachObject } from '../records/json-lines.ts';
import { headersInJson, NOTHING_UNCLEAR, SENT, unclearOf } from '../records/logged-headers.ts';
import { RecordExchange, type RecordFacts } from '../records/record-exchange.ts';
import { WHOLE } from '../records/refusals.ts';
import { type FormatDescription, sureOfDialect } from './traffic-format.ts';

/** Access logs of Caddy in JSON. */
export const CADDY = {
  name: 'caddy',
  title: 'an access log of Caddy in JSON',
  detect: head => sureOfDialect(head, isCaddy),
  read: (bytes, file, { limits, mapping }) =>
    readLog(
      { bytes, file, ...limits },
      eachObject((record, place) => {
        const facts = caddyFacts(record, mapping?.completeHeaders);
        return facts === undefined ? 'traffic/no-fields' : new RecordExchange(place, facts);
      }),
    ),
} as const satisfies FormatDescription;

function isCaddy({ request }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(request) && 'uri' in request && ('remote_ip' in request || 'remote_addr' in request);
}

type Fields = Readonly<Record<string, unknown>>;

/** Headers that Go removes from a request before Caddy sees them. */
const REQUEST_WITHHELD = ['transfer-encoding', 'trailer'];
/** Headers that Go adds to a response after Caddy has logged it. */
const RESPONSE_WITHHELD = ['connection', 'content-length', 'content-type', 'date', 'trailer', 'transfer-encoding'];

/** Returns the fields of a record in Caddy's access log; undefined for other messages. */
function caddyFacts(record: Fields, completeHeaders = true): RecordFacts | undefined {
  const { request } = record;
  if (!isRecord(request) || stringIn(request.uri) === undefined) return undefined;
  return {
    time: timeOf(record),
    clientIp: addressIn(request.client_ip) ?? addressIn(request.remote_ip ?? request.remote_addr),
    // The port belongs to the other end of the connection, which may be a trusted proxy.
    clientPort: isDirect(request) ? portIn(request.remote_port ?? request.remote_addr) : undefined,
    method: stringIn(request.method),
    host: stringIn(request.host) || undefined,
    changesHost: true,
    target: stringIn(request.uri) || undefined,
    protocol: protocolIn(request.proto),
    ...tlsOf(request.tls),
    // Go takes the host out of the headers, also one that is empty.
    requestHeaders: headersOf(request.headers, completeHeaders, [...REQUEST_WITHHELD, 'host']),
    status: statusIn(record.status),
    responseHeaders: headersOf(record.resp_headers ?? record.resp_header, completeHeaders, RESPONSE_WITHHELD),
    responseSize: sizeIn(record.size),
  };
}

/** The line is written when the response has been sent. */
function timeOf({ ts, duration }: Fields): number | undefined {
  const written = timeIn(ts);
  const seconds = numberIn(duration);
  return written === undefined || seconds === undefined ? written : Math.round(written - seconds * 1000);
}

function isDirect({ client_ip: client, remote_ip: remote }: Fields): boolean {
  return client === undefined || client === remote;
}

/** Without this member, the connection has no TLS. */
function tlsOf(tls: unknown): Pick<RecordFacts, 'scheme' | 'tlsVersion' | 'tlsCipher' | 'serverName' | 'alpn'> {
  if (!isRecord(tls)) return { scheme: 'http' };
  return {
    scheme: 'https',
    tlsVersion: tlsVersionIn(tls.version) || undefined,
    tlsCipher: suiteOfNumber(numberIn(tls.cipher_suite)),
    serverName: stringIn(tls.server_name),
    alpn: stringIn(tls.proto),
  };
}

/** Go answers what it cannot read by itself, and Caddy logs nothing of it. Caddy redacts headers with secrets: they were sent, and their values are unknown. */
function headersOf(value: unknown, complete: boolean, withheld: readonly string[]): HeaderFacts {
  const headers = headersInJson(value, { ...SENT, complete }, WHOLE);
  if (headers === undefined) return NO_HEADER_KNOWN;
  const blotted = headers.fields.filter(field => field.value === 'REDACTED').map(field => field.name.toLowerCase());
  const fields = headers.fields.filter(field => !blotted.includes(field.name.toLowerCase()));
  const { absent, mayBeComplete } = headers;
  return {
    fields,
    absent,
    complete,
    withheld: complete ? [...withheld, ...blotted] : [],
    ...unclearOf(headers.unclear ?? NOTHING_UNCLEAR),
    ...(mayBeComplete && { mayBeComplete }),
  };
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
