/** Logs of AWS: application load balancers, classic load balancers, and S3. Those of CloudFront are in `w3c.ts`. */
import type { SkipReason } from '../exchange/exchange.ts';
import {
  addressIn,
  portIn,
  protocolIn,
  sizeIn,
  splitRequestLine,
  statusIn,
  timeIn,
  tlsVersionIn,
  unescapeField,
} from '../records/field-values.ts';
import { explainLine, type LineStep, matchLine, quoted, word } from '../records/line-grammar.ts';
import { type Absence, absenceOf, DASH, LoggedHeaders } from '../records/logged-headers.ts';
import { type RecordFacts, readRecords } from '../records/record-exchange.ts';
import { readStateAt } from '../records/refusals.ts';
import type { FormatDescription } from './traffic-format.ts';

/** Access logs of AWS application load balancers. */
export const ALB = {
  name: 'alb',
  title: 'an access log of an AWS application load balancer',
  detect: ({ lines }) => (lines.some(isAlbLine) ? 0.8 : 0),
  read: (bytes, file, { limits, mapping }) => {
    const absence = absenceOf(DASH.unclear, mapping?.absent);
    return readRecords({ bytes, file, ...limits }, text => albFacts(text, absence));
  },
} as const satisfies FormatDescription;

/** Positions of the fields that describe an exchange, from the documentation of Elastic Load Balancing. */
const FIELD = {
  type: 0,
  written: 1,
  client: 3,
  status: 8,
  request: 12,
  agent: 13,
  cipher: 14,
  tls: 15,
  domain: 18,
  created: 21,
};

const TYPES: ReadonlySet<string> = new Set(['http', 'https', 'h2', 'grpcs', 'ws', 'wss']);

/** Returns true for a line of an application load balancer's log. */
function isAlbLine(text: string): boolean {
  return /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z [^\s/]+\/[^\s/]+\/\S+ /.test(text);
}

/** Returns the fields of a line. Sizes are left out because they include headers. */
function albFacts(text: string, absence: Absence = DASH): RecordFacts | SkipReason {
  const fields = splitFields(text);
  if (fields === undefined || fields.length <= FIELD.tls || !TYPES.has(fields[FIELD.type]!))
    return 'traffic/malformed-line';
  const request = splitRequestLine(fields[FIELD.request]!);
  const url = request === undefined ? undefined : urlOfAws(request.target);
  if (request === undefined || request.method === '-' || url === undefined) return 'traffic/no-request';
  const tlsVersion = fields[FIELD.tls] === '-' ? '' : tlsVersionIn(fields[FIELD.tls]);
  return {
    time: timeIn(fields[FIELD.created]) ?? timeIn(fields[FIELD.written]),
    clientIp: addressIn(fields[FIELD.client]),
    clientPort: portIn(fields[FIELD.client]),
    method: request.method,
    url,
    protocol: protocolIn(request.protocol),
    tlsVersion,
    tlsCipher: tlsVersion === '' ? '' : fields[FIELD.cipher],
    serverName: fields[FIELD.domain] === '-' ? '' : fields[FIELD.domain],
    requestHeaders: new LoggedHeaders(absence, readStateAt(fields[FIELD.status]))
      .add('User-Agent', fields[FIELD.agent])
      .facts(),
    status: statusIn(fields[FIELD.status]),
  };
}

/** Returns the URL of a request line by AWS, which always includes the port; clients omit the scheme's default. */
function urlOfAws(target: string): string | undefined {
  const match = /^(https?):\/\/([^/?#]*)([/?#].*)?$/is.exec(target.replace(/^ws/i, 'http'));
  if (match === null) return undefined;
  const [, written = '', authority = '', rest = '/'] = match;
  const scheme = written.toLowerCase();
  const colon = authority.lastIndexOf(':');
  const port = /^\d+$/.exec(authority.slice(colon + 1))?.[0];
  const host = colon < 0 || port === undefined ? authority : authority.slice(0, colon);
  if (host === '') return undefined;
  const isUsual = host === authority || port === (scheme === 'https' ? '443' : '80');
  return `${scheme}://${host}${isUsual ? '' : `:${port}`}${rest}`;
}

/** Splits fields at spaces; those in quotes may contain spaces. */
function splitFields(text: string): readonly string[] | undefined {
  const fields: string[] = [];
  const pattern = /(?:"((?:[^"\\]|\\.)*)"|([^" ]+))(?: |$)/sy;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    fields.push(match[2] ?? unescapeField(match[1]!));
  }
  return fields;
}

const SECONDS = (expected: string): LineStep => ({ expected, pattern: /(-?\d+(?:\.\d+)?) /y });
const BYTES = (expected: string): LineStep => ({ expected, pattern: /(\d+|-) /y });

/** The fields up to the request, in the order of the user guide for classic load balancers. */
const ELB_STEPS: readonly LineStep[] = [
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

const AT_ELB = { time: 0, client: 2, status: 7, sent: 10, request: 11 };

/** User agent, cipher and protocol, which older lines lack. */
const ELB_REST = /^"((?:[^"\\]|\\.)*)"(?: (\S+) (\S+))?$/s;

/** Returns the fields of a line. The bytes sent are those of the body. */
function elbFacts(text: string, absence: Absence = DASH): RecordFacts | SkipReason {
  const match = matchLine(ELB_STEPS, text);
  if (match.kind === 'mismatch') return 'traffic/malformed-line';
  const { values } = match;
  const request = splitRequestLine(unescapeField(values[AT_ELB.request]!));
  const url = request === undefined ? undefined : urlOfAws(request.target);
  // TCP and TLS listeners write dashes.
  if (request === undefined || request.method === '-' || url === undefined) return 'traffic/no-request';
  const [, agent, cipher, protocol] = ELB_REST.exec(match.rest) ?? [];
  return {
    time: timeIn(values[AT_ELB.time]),
    clientIp: addressIn(values[AT_ELB.client]),
    clientPort: portIn(values[AT_ELB.client]),
    method: request.method,
    url,
    protocol: protocolIn(request.protocol),
    ...(protocol !== undefined && { tlsVersion: protocol === '-' ? '' : tlsVersionIn(protocol) }),
    ...(cipher !== undefined && { tlsCipher: cipher === '-' ? '' : cipher }),
    requestHeaders: new LoggedHeaders(absence, readStateAt(values[AT_ELB.status]))
      .add('User-Agent', agent, unescapeField(agent ?? ''))
      .facts(),
    status: statusIn(values[AT_ELB.status]),
    responseSize: sizeIn(values[AT_ELB.sent]),
  };
}

/** Access logs of AWS classic load balancers. */
export const ELB = {
  name: 'elb',
  title: 'an access log of an AWS classic load balancer',
  detect: ({ lines }) => (lines.some(line => elbFacts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: ELB_STEPS,
  read: (bytes, file, { limits, mapping }) => {
    const absence = absenceOf(DASH.unclear, mapping?.absent);
    const source = { bytes, file, ...limits, explain: (text: string) => explainLine(ELB_STEPS, text) };
    return readRecords(source, text => elbFacts(text, absence));
  },
} as const satisfies FormatDescription;

/** The fields up to the user agent, in the order of the user guide of Amazon S3. */
const S3_STEPS: readonly LineStep[] = [
  { expected: 'the canonical user id of the bucket’s owner', pattern: /([\da-f]{64}|-) /y },
  word('the name of a bucket'),
  {
    expected: 'a time such as `[21/Nov/2026:10:00:00 +0000]`',
    pattern: /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]{8} [+-]\d{4})\] /y,
  },
  { expected: 'the address of the client', pattern: /([\da-fA-F.:]+|-) /y },
  word('the requester'),
  word('the id of the request'),
  { expected: 'an operation such as `REST.GET.OBJECT`', pattern: /([A-Z0-9]+\.[\w.]+) /y },
  word('a key'),
  { expected: 'a request such as `"GET /bucket/key HTTP/1.1"`, or `-`', pattern: /(?:"(.*?)"|-) (?=\d{3} |- )/sy },
  { expected: 'a status of three digits', pattern: /(\d{3}|-) /y },
  word('an error code'),
  { expected: 'the number of bytes sent', pattern: /(\d+|-) /y },
  { expected: 'the size of the object', pattern: /(\d+|-) /y },
  { expected: 'the total time in milliseconds', pattern: /(\d+|-) /y },
  { expected: 'the turn-around time in milliseconds', pattern: /(\d+|-) /y },
  // Quotes are not escaped. There is none after the user agent, which ends at the last one.
  { expected: 'a referrer in quotes', pattern: /"(.*?)" (?=")/sy },
  { expected: 'a user agent in quotes', pattern: /"(.*)"(?: |$)/sy },
];

const AT_S3 = { time: 2, client: 3, request: 8, status: 9, sent: 11, referer: 15, agent: 16 };

/** Positions of the fields after the user agent. Older lines have fewer fields. */
const S3_REST = { cipher: 3, host: 5, tls: 6 };

/** Returns the fields of a line. The bytes sent are those of the body. */
function s3Facts(text: string, absence: Absence = DASH): RecordFacts | SkipReason {
  const match = matchLine(S3_STEPS, text);
  if (match.kind === 'mismatch') return 'traffic/malformed-line';
  const { values } = match;
  const rest = match.rest.split(' ');
  const request = splitRequestLine(values[AT_S3.request]!);
  // Lifecycle rules and the like access buckets without a request.
  if (request === undefined) return 'traffic/no-request';
  const { method, target, protocol } = request;
  const tls = rest[S3_REST.tls];
  const host = rest[S3_REST.host];
  return {
    ...{ method, target, protocol },
    time: timeIn(values[AT_S3.time]),
    clientIp: addressIn(values[AT_S3.client]),
    ...(host !== undefined && host !== '-' && { host }),
    ...(tls !== undefined && { tlsVersion: tls === '-' ? '' : tlsVersionIn(tls) }),
    ...(tls !== undefined && { tlsCipher: rest[S3_REST.cipher] === '-' ? '' : rest[S3_REST.cipher] }),
    requestHeaders: new LoggedHeaders(absence, readStateAt(values[AT_S3.status]))
      .add('Referer', values[AT_S3.referer])
      .add('User-Agent', values[AT_S3.agent])
      .facts(),
    status: statusIn(values[AT_S3.status]),
    responseSize: values[AT_S3.sent] === '-' ? 0 : sizeIn(values[AT_S3.sent]),
  };
}

/** Server access logs of Amazon S3. */
export const S3 = {
  name: 's3',
  title: 'a server access log of Amazon S3',
  detect: ({ lines }) => (lines.some(line => s3Facts(line) !== 'traffic/malformed-line') ? 0.8 : 0),
  steps: S3_STEPS,
  read: (bytes, file, { limits, mapping }) => {
    const absence = absenceOf(DASH.unclear, mapping?.absent);
    const source = { bytes, file, ...limits, explain: (text: string) => explainLine(S3_STEPS, text) };
    return readRecords(source, text => s3Facts(text, absence));
  },
} as const satisfies FormatDescription;
