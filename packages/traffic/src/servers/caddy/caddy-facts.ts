import { type HeaderFacts, NO_HEADER_KNOWN } from '../../exchange/exchange.ts';
import { isRecord } from '../../input/json.ts';
import { headersInJson, SENT } from '../../record/headers-in-json.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import {
  addressIn,
  numberIn,
  portIn,
  protocolIn,
  sizeIn,
  statusIn,
  stringIn,
  timeIn,
} from '../../record/values/read-value.ts';
import { tlsVersionIn } from '../../record/values/tls-version.ts';
import { suiteOfNumber } from './suite-numbers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Headers that Go removes from a request before Caddy sees them. */
const REQUEST_WITHHELD = ['transfer-encoding', 'trailer'];
/** Headers that Go adds to a response after Caddy has logged it. */
const RESPONSE_WITHHELD = ['connection', 'content-length', 'content-type', 'date', 'trailer', 'transfer-encoding'];

/** Returns the fields of a record in Caddy's access log; undefined for other messages. */
export function caddyFacts(record: Fields, completeHeaders = true): RecordFacts | undefined {
  const { request } = record;
  if (!isRecord(request) || stringIn(request.uri) === undefined) return undefined;
  return {
    time: timeOf(record),
    clientIp: addressIn(request.client_ip) ?? addressIn(request.remote_ip ?? request.remote_addr),
    // The port belongs to the other end of the connection, which may be a trusted proxy.
    clientPort: isDirect(request) ? portIn(request.remote_port ?? request.remote_addr) : undefined,
    method: stringIn(request.method),
    host: stringIn(request.host) || undefined,
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

/** Caddy redacts headers with secrets: they were sent, and their values are unknown. */
function headersOf(value: unknown, complete: boolean, withheld: readonly string[]): HeaderFacts {
  const headers = headersInJson(value, { ...SENT, complete });
  if (headers === undefined) return NO_HEADER_KNOWN;
  const blotted = headers.fields.filter(field => field.value === 'REDACTED').map(field => field.name.toLowerCase());
  const fields = headers.fields.filter(field => !blotted.includes(field.name.toLowerCase()));
  const { absent, mayBeComplete } = headers;
  return {
    fields,
    absent,
    complete,
    withheld: complete ? [...withheld, ...blotted] : [],
    ...(mayBeComplete && { mayBeComplete }),
  };
}
