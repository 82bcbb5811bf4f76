import type { SkipReason } from '../../exchange/batch.ts';
import { type Absence, DASH, LoggedHeaders } from '../../record/logged-headers.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import { unescapeField } from '../../record/values/escapes.ts';
import { addressIn, portIn, protocolIn, statusIn, timeIn } from '../../record/values/read-value.ts';
import { splitRequestLine } from '../../record/values/request-line.ts';
import { tlsVersionIn } from '../../record/values/tls-version.ts';

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
export function isAlbLine(text: string): boolean {
  return /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z [^\s/]+\/[^\s/]+\/\S+ /.test(text);
}

/** Returns the fields of a line. Sizes are left out because they include headers. */
export function albFacts(text: string, absence: Absence = DASH): RecordFacts | SkipReason {
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
    requestHeaders: new LoggedHeaders(absence).add('User-Agent', fields[FIELD.agent]).facts(),
    status: statusIn(fields[FIELD.status]),
  };
}

/** Returns the URL of a request line by AWS, which always includes the port; clients omit the scheme's default. */
export function urlOfAws(target: string): string | undefined {
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
