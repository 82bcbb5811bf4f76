import type { HeaderFacts, HeaderField } from '../../exchange/exchange.ts';
import { type Absence, LoggedHeaders } from '../../record/logged-headers.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import { addressIn, portIn, protocolIn, schemeIn, sizeIn, statusIn, timeIn } from '../../record/values/read-value.ts';
import { tlsVersionIn } from '../../record/values/tls-version.ts';

/** The fields of a W3C extended log, from its `#Fields` directive. */
export interface W3cFields {
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
export function readW3cFields(directive: string, { date, absence }: Pick<W3cFields, 'date' | 'absence'>): W3cFields {
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
export function w3cFacts(values: readonly string[], fields: W3cFields): RecordFacts {
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
  { headers, isCloudFront, absence }: W3cFields,
): HeaderFacts {
  const logged = new LoggedHeaders(absence);
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
