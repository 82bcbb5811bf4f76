import type { SkipReason } from '../../exchange/batch.ts';
import { type LineStep, matchLine, quoted, word } from '../../record/line-grammar.ts';
import { type Absence, DASH, LoggedHeaders } from '../../record/logged-headers.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import { unescapeField } from '../../record/values/escapes.ts';
import { addressIn, portIn, protocolIn, sizeIn, statusIn, timeIn } from '../../record/values/read-value.ts';
import { splitRequestLine } from '../../record/values/request-line.ts';
import { tlsVersionIn } from '../../record/values/tls-version.ts';
import { urlOfAws } from '../alb/alb-line.ts';

const SECONDS = (expected: string): LineStep => ({ expected, pattern: /(-?\d+(?:\.\d+)?) /y });
const BYTES = (expected: string): LineStep => ({ expected, pattern: /(\d+|-) /y });

/** The fields up to the request, in the order of the user guide for classic load balancers. */
export const ELB_STEPS: readonly LineStep[] = [
  { expected: 'a time such as `2026-11-21T10:00:00.000000Z`', pattern: /(\d{4}-\d\d-\d\dT[\d:.]+Z) /y },
  word('the name of a load balancer'),
  { expected: 'the address and port of the client', pattern: /(\[?[\da-fA-F.:]+\]?:\d+) /y },
  { expected: 'the address and port of the server, or `-`', pattern: /(\[?[\da-fA-F.:]+\]?:\d+|-) /y },
  SECONDS('the request processing time in seconds'),
  SECONDS('the backend processing time in seconds'),
  SECONDS('the response processing time in seconds'),
  { expected: 'a status of three digits, or `-`', pattern: /(\d{3}|-) /y },
  { expected: 'the status of the server, or `-`', pattern: /(\d{1,3}|-) /y },
  BYTES('the number of bytes received'),
  BYTES('the number of bytes sent'),
  quoted('a request such as `"GET https://example.com:443/ HTTP/1.1"`'),
];

const AT = { time: 0, client: 2, status: 7, sent: 10, request: 11 };

/** User agent, cipher and protocol, which older lines lack. */
const REST = /^"((?:[^"\\]|\\.)*)"(?: (\S+) (\S+))?$/s;

/** Returns the fields of a line. The bytes sent are those of the body. */
export function elbFacts(text: string, absence: Absence = DASH): RecordFacts | SkipReason {
  const match = matchLine(ELB_STEPS, text);
  if (match.kind === 'mismatch') return 'traffic/malformed-line';
  const { values } = match;
  const request = splitRequestLine(unescapeField(values[AT.request]!));
  const url = request === undefined ? undefined : urlOfAws(request.target);
  // TCP and TLS listeners write dashes.
  if (request === undefined || request.method === '-' || url === undefined) return 'traffic/no-request';
  const [, agent, cipher, protocol] = REST.exec(match.rest) ?? [];
  return {
    time: timeIn(values[AT.time]),
    clientIp: addressIn(values[AT.client]),
    clientPort: portIn(values[AT.client]),
    method: request.method,
    url,
    protocol: protocolIn(request.protocol),
    ...(protocol !== undefined && { tlsVersion: protocol === '-' ? '' : tlsVersionIn(protocol) }),
    ...(cipher !== undefined && { tlsCipher: cipher === '-' ? '' : cipher }),
    requestHeaders: new LoggedHeaders(absence).add('User-Agent', agent, unescapeField(agent ?? '')).facts(),
    status: statusIn(values[AT.status]),
    responseSize: sizeIn(values[AT.sent]),
  };
}
