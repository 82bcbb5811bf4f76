/** HTTP logs of HAProxy. */
import { bytesToUtf8, concatBytes, hexToBytes, utf8ToBytes } from '@tollgate/diagnostics/portable';
import type { SkipReason } from '../exchange/exchange.ts';
import {
  addressIn,
  parseLogTime,
  portIn,
  splitRequestLine,
  statusIn,
  targetWithoutPort,
  tlsVersionIn,
} from '../records/field-values.ts';
import { explainLine, type LineStep, matchLine, word } from '../records/line-grammar.ts';
import { type RecordFacts, readRecords } from '../records/record-exchange.ts';
import type { FormatDescription } from './traffic-format.ts';

const TIMER = '[+-]?\\d+';

/** The fields of `option httplog`, in the order of section 8.2.3 of HAProxy's configuration manual. */
const HAPROXY_STEPS: readonly LineStep[] = [
  { expected: 'the address and port of the client', pattern: /(\S+:\d+) /y },
  {
    expected: 'a time such as `[21/Nov/2026:10:00:00.123]`',
    pattern: /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]{8}(?:\.\d+)?)\] /y,
  },
  word('the name of a frontend'),
  { expected: 'a backend and a server, such as `web/web1`', pattern: /(\S+\/\S+) /y },
  { expected: 'five timers, such as `0/0/1/2/3`', pattern: new RegExp(`(${TIMER}(?:/${TIMER}){4}) `, 'y') },
  { expected: 'a status of three digits', pattern: /(\d{3}|-1) /y },
  { expected: 'the number of bytes read', pattern: /\+?(\d+) /y },
  word('the captured request cookie'),
  word('the captured response cookie'),
  { expected: 'the state at termination, such as `----`', pattern: /(\S{4}) /y },
  { expected: 'five counts of connections, such as `1/1/0/0/0`', pattern: /(\d+(?:\/\+?\d+){4}) /y },
  { expected: 'the lengths of two queues, such as `0/0`', pattern: /(\d+\/\d+) /y },
  {
    expected: 'captured headers in braces, or a request such as `"GET / HTTP/1.1"`',
    pattern: /(?:\{[^{}]*\} ){0,2}(?=")/y,
  },
  { expected: 'a request such as `"GET / HTTP/1.1"`', pattern: /"([^"]*)"(?: |$)/y },
];

const AT = { client: 0, time: 1, frontend: 2, status: 5, request: 13 };

/** What `option httpslog` adds: errors, then TLS server name, version and cipher. */
const TLS = /^\S+ ([^/ ]+)\/([^/ ]+)\/([^/ ]+)/;

/** Returns the fields of a line. Sizes are left out because they include headers. Captured headers have no names. */
function haproxyFacts(text: string): RecordFacts | SkipReason {
  const match = matchLine(HAPROXY_STEPS, text);
  if (match.kind === 'mismatch') return 'traffic/malformed-line';
  const { values } = match;
  const request = splitRequestLine(decodeHexEscapes(values[AT.request]!));
  if (request === undefined) return 'traffic/no-request';
  // A port always follows; an IPv6 address before it has no brackets.
  const [, address, port] = /^(.*):(\d+)$/.exec(values[AT.client]!)!;
  const { method, target, protocol } = request;
  return {
    ...{ method, protocol, ...targetWithoutPort(target) },
    time: timeOf(values[AT.time]!),
    clientIp: addressIn(address),
    clientPort: portIn(port),
    ...tlsOf(values[AT.frontend]!, match.rest),
    status: statusIn(values[AT.status]),
  };
}

/** In the server's time zone, which is not logged: assumed to be UTC. */
function timeOf(text: string): number | undefined {
  const [, second = '', fraction = '0'] = /^([^.]+)(?:\.(\d+))?$/.exec(text) ?? [];
  const time = parseLogTime(`${second} +0000`);
  return time === undefined ? undefined : time + Math.floor(Number(`0.${fraction}`) * 1000);
}

/** A tilde after the frontend's name means that the connection has TLS. */
function tlsOf(
  frontend: string,
  rest: string,
): Pick<RecordFacts, 'scheme' | 'tlsVersion' | 'tlsCipher' | 'serverName'> {
  if (!frontend.endsWith('~')) return { scheme: 'http', tlsVersion: '', tlsCipher: '', serverName: '' };
  const [, name, version, cipher] = TLS.exec(rest) ?? [];
  if (version === undefined) return { scheme: 'https' };
  return {
    scheme: 'https',
    serverName: name === '-' ? '' : name,
    tlsVersion: tlsVersionIn(version) || undefined,
    tlsCipher: cipher,
  };
}

/** HAProxy writes quotes and unprintable characters as a number sign and two hexadecimal digits. */
function decodeHexEscapes(text: string): string {
  if (!text.includes('#')) return text;
  const parts = text.split(/#([\dA-Fa-f]{2})/);
  return bytesToUtf8(concatBytes(parts.map((part, index) => (index % 2 === 1 ? hexToBytes(part) : utf8ToBytes(part)))));
}

/** Logs of HAProxy in the formats of `option httplog` and `option httpslog`. */
export const HAPROXY = {
  name: 'haproxy',
  title: 'an HTTP log of HAProxy',
  detect: ({ lines }) => (lines.some(line => haproxyFacts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: HAPROXY_STEPS,
  read: (bytes, file, { limits }) =>
    readRecords({ bytes, file, ...limits, explain: text => explainLine(HAPROXY_STEPS, text) }, haproxyFacts),
} as const satisfies FormatDescription;
