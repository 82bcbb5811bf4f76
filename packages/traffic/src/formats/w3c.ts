/** Extended log files of the W3C, as IIS and CloudFront write them. */
import type { HeaderFacts, HeaderField } from '../exchange/exchange.ts';
import { type ReadLine, readLog } from '../input/lines.ts';
import {
  addressIn,
  isMethod,
  portIn,
  protocolIn,
  schemeIn,
  sizeIn,
  statusIn,
  timeIn,
  tlsVersionIn,
} from '../records/field-values.ts';
import { type Absence, absenceOf, DASH, LoggedHeaders } from '../records/logged-headers.ts';
import { RecordExchange, type RecordFacts } from '../records/record-exchange.ts';
import { readStateAt, WHOLE } from '../records/refusals.ts';
import type { FormatDescription } from './traffic-format.ts';

/** Extended logs of the W3C working draft, such as those of IIS, and standard logs of CloudFront. */
export const W3C = {
  name: 'w3c',
  title: 'a W3C extended log, such as those of IIS and CloudFront',
  detect: ({ text, lines }) => (/^#(?:Version|Software|Fields):/m.test(text) || lines.some(isCloudFrontLine) ? 0.9 : 0),
  read: (bytes, file, { limits, mapping }) =>
    readLog({ bytes, file, ...limits }, w3cLines(absenceOf(DASH.unclear, mapping?.absent))),
} as const satisfies FormatDescription;

/** Directives apply from their line on: servers repeat them when they start, and when their settings change. */
function w3cLines(absence: Absence): ReadLine {
  let fields: W3cFields | undefined;
  let date: string | undefined;
  return (text, place) => {
    if (text.startsWith('#')) {
      const [, name = '', value = ''] = /^#([A-Za-z-]+):\s*(.*)$/.exec(text) ?? [];
      if (name.toLowerCase() === 'fields') fields = readW3cFields(value, { date, absence });
      if (name.toLowerCase() === 'date') {
        date = value.slice(0, 10);
        if (fields !== undefined) fields = { ...fields, date };
      }
      return undefined;
    }
    fields ??= cloudFrontFields(text, absence);
    const values = fields === undefined ? undefined : splitValues(text);
    if (fields === undefined || values?.length !== fields.count) return 'traffic/malformed-line';
    const facts = w3cFacts(values, fields);
    return fields.positions.has('cs-method') && !isMethod(facts.method ?? '')
      ? 'traffic/no-request'
      : new RecordExchange(place, facts);
  };
}

/** Splits values at tabs or spaces; those in quotes may contain spaces and doubled quotes. */
function splitValues(text: string): readonly string[] | undefined {
  if (text.includes('\t')) return text.split('\t');
  if (!text.includes('"')) return text.split(' ');
  const values: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|((?:[^" ][^ ]*)?))(?: |$)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    values.push(match[2] ?? match[1]!.replaceAll('""', '"'));
  }
  return values;
}

/** The fields of a W3C extended log, from its `#Fields` directive. */
interface W3cFields {
  readonly count: number;
  /** Positions by name, in lower case. */
  readonly positions: ReadonlyMap<string, number>;
  /** Headers with the positions of their values. */
  readonly headers: readonly (HeaderField & { readonly message: 'request' | 'response'; readonly position: number })[];
  readonly isCloudFront: boolean;
  /** The value of `#Date`, for logs that contain only the time of day. */
  readonly date: string | undefined;
  /** What stands for a header that was not sent. */
  readonly absence: Absence;
}

/** Parses the value of `#Fields:`. */
function readW3cFields(directive: string, { date, absence }: Pick<W3cFields, 'date' | 'absence'>): W3cFields {
  const names = directive.trim().split(/\s+/);
  const positions = new Map(names.map((name, index) => [name.toLowerCase(), index]));
  const headers = names.flatMap((written, position) => {
    const [, side, name = ''] = /^(cs|sc)\((.+)\)$/i.exec(written) ?? [];
    if (side === undefined) return [];
    return [{ message: side.toLowerCase() === 'cs' ? 'request' : 'response', name, value: written, position } as const];
  });
  const isCloudFront = positions.has('x-edge-result-type');
  return { count: names.length, positions, headers, isCloudFront, date, absence };
}

/** Returns the fields of one line. A dash means missing. */
function w3cFacts(values: readonly string[], fields: W3cFields): RecordFacts {
  const valueAt = (name: string) => {
    const value = values[fields.positions.get(name) ?? -1];
    return value === '-' ? undefined : value;
  };
  const isMissing = (name: string) => values[fields.positions.get(name) ?? -1] === '-';
  return {
    time: timeIn(valueAt('timestamp(ms)') ?? `${valueAt('date') ?? fields.date}T${valueAt('time')}`),
    clientIp: addressIn(valueAt('c-ip')),
    clientPort: portIn(valueAt('c-port')),
    serverIp: addressIn(valueAt('s-ip')),
    serverPort: portIn(valueAt('s-port')),
    method: valueAt('cs-method'),
    scheme: schemeIn(valueAt('cs-protocol')),
    // CloudFront's cs(Host) is the name of the distribution.
    host: valueAt('x-host-header') ?? (fields.isCloudFront ? undefined : (valueAt('cs-host') ?? valueAt('cs(host)'))),
    ...targetOf(valueAt, fields, isMissing('cs-uri-query')),
    protocol: protocolIn(valueAt('cs-protocol-version') ?? valueAt('cs-version')),
    tlsVersion: isMissing('ssl-protocol') ? '' : tlsVersionIn(valueAt('ssl-protocol')),
    tlsCipher: valueAt('ssl-cipher'),
    requestHeaders: headersOf('request', values, fields),
    status: statusIn(valueAt('sc-status')),
    responseHeaders: headersOf('response', values, fields),
    responseSize: sizeIn(valueAt('sc-content-len')),
    geo: locationOf(valueAt('c-country'), valueAt('asn')),
  };
}

type ValueAt = (name: string) => string | undefined;

function targetOf(
  valueAt: ValueAt,
  { positions, isCloudFront }: W3cFields,
  hasNoQuery: boolean,
): Pick<RecordFacts, 'target' | 'path' | 'query'> {
  const whole = valueAt('cs-uri');
  if (whole !== undefined) return { target: whole };
  const stem = valueAt('cs-uri-stem');
  // IIS writes decoded paths, with plus signs for spaces: only a path that cannot be the result of decoding is as sent.
  const path = stem !== undefined && (isCloudFront || /^[A-Za-z0-9/._~!$&'()*,;=:@-]*$/.test(stem)) ? stem : undefined;
  const query = hasNoQuery ? '' : valueAt('cs-uri-query');
  return { path, query: positions.has('cs-uri-query') ? query : undefined };
}

function headersOf(
  message: 'request' | 'response',
  values: readonly string[],
  { headers, isCloudFront, absence, positions }: W3cFields,
): HeaderFacts {
  const status = values[positions.get('sc-status') ?? -1];
  const logged = new LoggedHeaders(absence, message === 'request' ? readStateAt(status) : WHOLE);
  for (const { message: of, name, position } of headers) {
    if (of !== message || name.toLowerCase() === 'host') continue;
    const value = values[position]!;
    logged.add(name, value, isCloudFront ? percentDecoded(value) : value.replaceAll('+', ' '));
  }
  return logged.facts();
}

/** Older logs of CloudFront are encoded twice. */
function percentDecoded(value: string): string {
  const once = decoded(value);
  return once.includes('%20') && !once.includes(' ') ? decoded(once) : once;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function locationOf(countryCode: string | undefined, asn: string | undefined): RecordFacts['geo'] {
  if (countryCode === undefined && asn === undefined) return undefined;
  return { countryCode, asNumber: asn !== undefined && /^\d+$/.test(asn) ? Number(asn) : undefined };
}

/** The fields of standard logs, in the order in which CloudFront has added them since 2010. */
const FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query ' +
  'cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ' +
  'ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte ' +
  'x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end';

const NAMES = FIELDS.split(' ');
/** The number of fields up to the request id, which all current logs have. */
const LEAST = 15;

/** Date, time and edge location, separated by tabs. */
const BEGIN = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}[A-Z0-9-]*\t/;

/** Returns true for a line of a CloudFront standard log. */
function isCloudFrontLine(line: string): boolean {
  return cloudFrontFields(line, DASH) !== undefined;
}

/** Returns the fields of a standard log without a header, as in concatenated or split logs; undefined for other lines. */
function cloudFrontFields(line: string, absence: Absence): W3cFields | undefined {
  if (!BEGIN.test(line)) return undefined;
  const count = line.split('\t').length;
  if (count < LEAST || count > NAMES.length) return undefined;
  return readW3cFields(NAMES.slice(0, count).join(' '), { date: undefined, absence });
}
