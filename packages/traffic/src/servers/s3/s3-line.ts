import type { SkipReason } from '../../exchange/batch.ts';
import { type LineStep, matchLine, word } from '../../record/line-grammar.ts';
import { type Absence, DASH, LoggedHeaders } from '../../record/logged-headers.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import { addressIn, sizeIn, statusIn, timeIn } from '../../record/values/read-value.ts';
import { splitRequestLine } from '../../record/values/request-line.ts';
import { tlsVersionIn } from '../../record/values/tls-version.ts';

/** The fields up to the user agent, in the order of the user guide of Amazon S3. */
export const S3_STEPS: readonly LineStep[] = [
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

const AT = { time: 2, client: 3, request: 8, status: 9, sent: 11, referer: 15, agent: 16 };

/** Positions of the fields after the user agent. Older lines have fewer fields. */
const REST = { cipher: 3, host: 5, tls: 6 };

/** Returns the fields of a line. The bytes sent are those of the body. */
export function s3Facts(text: string, absence: Absence = DASH): RecordFacts | SkipReason {
  const match = matchLine(S3_STEPS, text);
  if (match.kind === 'mismatch') return 'traffic/malformed-line';
  const { values } = match;
  const rest = match.rest.split(' ');
  const request = splitRequestLine(values[AT.request]!);
  // Lifecycle rules and the like access buckets without a request.
  if (request === undefined) return 'traffic/no-request';
  const { method, target, protocol } = request;
  const tls = rest[REST.tls];
  const host = rest[REST.host];
  return {
    ...{ method, target, protocol },
    time: timeIn(values[AT.time]),
    clientIp: addressIn(values[AT.client]),
    ...(host !== undefined && host !== '-' && { host }),
    ...(tls !== undefined && { tlsVersion: tls === '-' ? '' : tlsVersionIn(tls) }),
    ...(tls !== undefined && { tlsCipher: rest[REST.cipher] === '-' ? '' : rest[REST.cipher] }),
    requestHeaders: new LoggedHeaders(absence)
      .add('Referer', values[AT.referer])
      .add('User-Agent', values[AT.agent])
      .facts(),
    status: statusIn(values[AT.status]),
    responseSize: values[AT.sent] === '-' ? 0 : sizeIn(values[AT.sent]),
  };
}
