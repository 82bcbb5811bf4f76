/** Reads logs in a format that the user has given. */
import { ipVersion } from '@tollgate/diagnostics/portable';
import type { GeoFacts, HeaderFacts, TrafficBatch } from '../exchange/exchange.ts';
import { type LogSource, readLog } from '../input/lines.ts';
import { type FieldMapping, geoIn } from '../records/field-mapping.ts';
import {
  addressIn,
  numberIn,
  portIn,
  protocolIn,
  type RequestLine,
  schemeIn,
  sizeIn,
  splitRequestLine,
  statusIn,
  timeIn,
  tlsVersionIn,
  unescapeField,
} from '../records/field-values.ts';
import { parseObject } from '../records/json-lines.ts';
import { type Absence, absenceOf, LoggedHeaders } from '../records/logged-headers.ts';
import { RecordExchange, type RecordFacts } from '../records/record-exchange.ts';
import { type ReadState, readStateAt, refusalsOf, WHOLE } from '../records/refusals.ts';
import { parseApacheFormat } from './apache-format.ts';
import { isEnvoyFormat, parseEnvoyFormat } from './envoy-format.ts';
import { type Layout, LayoutScanner, layoutOf, type Stretch, type StretchOffsets } from './layout.ts';
import { LogFormatError, type LoggedHeader, type LogVariable, type ParsedFormat, type Slot } from './log-variable.ts';
import { parseNginxFormat } from './nginx-format.ts';

/** Reads a log whose lines have one format. */
export function readLogFormat(
  source: LogSource,
  { layout, prepared }: PreparedLog,
  { absent }: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const scanner = new LayoutScanner(layout);
  const { missing, server } = prepared.format;
  const format = { ...prepared, absence: absenceOf([missing], absent), refusals: refusalsOf(server) };
  return readLog({ ...source, explain: text => scanner.explain(text) }, (text, place) => {
    const offsets = scanner.scan(text);
    if (offsets === undefined) return 'traffic/malformed-line';
    const facts = new LogFacts(text, offsets, format);
    return facts.isNoRequest ? 'traffic/no-request' : new RecordExchange(place, facts);
  });
}

/** A log format, prepared for reading lines. */
export interface PreparedLog {
  readonly layout: Layout;
  readonly prepared: PreparedFormat;
}

const ENVOY_BEGIN =
  '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS%';
const ENVOY_MIDDLE =
  '%BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" ' +
  '"%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"';

/** Named formats: those of Apache, and the defaults of Envoy and Istio. */
export const NAMED_FORMATS: Readonly<Record<string, string>> = {
  common: '%h %l %u %t "%r" %>s %b',
  combined: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
  vhost_combined: '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"',
  envoy: `${ENVOY_BEGIN} ${ENVOY_MIDDLE}`,
  istio:
    `${ENVOY_BEGIN} %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS% "%UPSTREAM_TRANSPORT_FAILURE_REASON%" ${ENVOY_MIDDLE} ` +
    '%UPSTREAM_CLUSTER_RAW% %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS% %REQUESTED_SERVER_NAME% %ROUTE_NAME%',
};

/**
 * Parses a format of nginx (`$remote_addr …`), Apache (`%h …`) or Envoy (`%PROTOCOL% …`), a directive of one of the first two, or a name.
 * Throws a {@link LogFormatError} for anything else, and for formats whose lines cannot be split.
 */
export function parseLogFormat(written: string): PreparedLog {
  const format = parse(Object.hasOwn(NAMED_FORMATS, written) ? NAMED_FORMATS[written]! : written);
  const layout = layoutOf(format);
  return { layout, prepared: prepareFormat(format, layout) };
}

function parse(written: string): ParsedFormat {
  if (/^\s*log_format\s|\$\{?[A-Za-z]/.test(written)) return parseNginxFormat(written);
  if (isEnvoyFormat(written)) return parseEnvoyFormat(written);
  if (written.includes('%')) return parseApacheFormat(written);
  const names = Object.keys(NAMED_FORMATS).map(name => `\`${name}\``);
  throw new LogFormatError(
    `expected a log format of nginx (\`$remote_addr …\`), Apache (\`%h …\`) or Envoy (\`%PROTOCOL% …\`), or one of ${names.join(', ')}, found \`${written}\``,
  );
}

/** Returns what is wrong with a log format; undefined if it is valid. */
export function logFormatFault(written: string): string | undefined {
  try {
    parseLogFormat(written);
    return undefined;
  } catch (error) {
    if (error instanceof LogFormatError) return error.message;
    throw error;
  }
}

/** A log format prepared for many lines: the position of each value. */
interface PreparedFormat {
  readonly format: ParsedFormat;
  readonly slots: ReadonlyMap<Slot, Spot>;
  readonly headers: readonly (LoggedHeader & { readonly spot: Spot })[];
}

/** A format, and what stands for a header that was not sent. */
interface ReadFormat extends PreparedFormat {
  readonly absence: Absence;
  readonly refusals: ReadonlySet<number>;
}

/** A variable in the segments of a line. */
interface Spot {
  readonly index: number;
  readonly variable: LogVariable;
  /** For a segment of two variables: the mark between them, and whether this is the second. */
  readonly mark?: string | undefined;
  readonly isSecond?: boolean | undefined;
}

function prepareFormat(format: ParsedFormat, { stretches }: Layout): PreparedFormat {
  const spots = stretches.flatMap(spotsOf);
  const slots = new Map<Slot, Spot>();
  for (const spot of spots) {
    const { slot } = spot.variable;
    if (slot !== undefined && !slots.has(slot)) slots.set(slot, spot);
  }
  const headers = spots.flatMap(spot => (spot.variable.header ? [{ ...spot.variable.header, spot }] : []));
  return { format, slots, headers };
}

function spotsOf({ variable, second }: Stretch, index: number): readonly Spot[] {
  if (second === undefined) return [{ index, variable }];
  const { mark } = second;
  return [
    { index, variable, mark },
    { index, variable: second.variable, mark, isSecond: true },
  ];
}

/** The fields of a log line. Values are cut out of the line on demand. */
class LogFacts implements RecordFacts {
  readonly #text: string;
  readonly #offsets: StretchOffsets;
  readonly #prepared: ReadFormat;
  #requestLine: RequestLine | undefined | null = null;

  constructor(text: string, offsets: StretchOffsets, prepared: ReadFormat) {
    this.#text = text;
    this.#offsets = offsets;
    this.#prepared = prepared;
  }

  /** The line was written for a connection without a request, if it contains the request at all. */
  get isNoRequest(): boolean {
    const { slots } = this.#prepared;
    if (slots.has('request')) return this.#request === undefined;
    return (slots.has('method') || slots.has('target')) && this.method === undefined && this.target === undefined;
  }

  get time(): number | undefined {
    const time = timeIn(this.#valueOf('time'));
    const written = timeIn(this.#valueOf('written'));
    if (written === undefined) return time;
    const duration = numberIn(this.#valueOf('duration'));
    return duration === undefined ? (time ?? written) : Math.round(written - duration * 1000);
  }

  get clientIp(): string | undefined {
    return addressIn(this.#valueOf('client'));
  }

  get clientPort(): number | undefined {
    const address = this.#valueOf('client') ?? '';
    return portIn(this.#valueOf('client-port')) ?? (ipVersion(address) === 0 ? portIn(address) : undefined);
  }

  get serverIp(): string | undefined {
    return addressIn(this.#valueOf('server-ip'));
  }

  get serverPort(): number | undefined {
    const address = this.#valueOf('server-ip') ?? '';
    return portIn(this.#valueOf('server-port')) ?? (ipVersion(address) === 0 ? portIn(address) : undefined);
  }

  get geo(): GeoFacts | undefined {
    return geoIn(field => this.#valueOf(field));
  }

  get alpn(): string | undefined {
    return this.#isMissing('alpn') ? '' : this.#valueOf('alpn');
  }

  get method(): string | undefined {
    return this.#request?.method ?? this.#valueOf('method');
  }

  get scheme(): string | undefined {
    const https = this.#rawOf('https');
    if (https !== undefined) return https === 'on' ? 'https' : 'http';
    return schemeIn(this.#valueOf('scheme'));
  }

  get host(): string | undefined {
    return this.#valueOf('host') || undefined;
  }

  get hostName(): string | undefined {
    // nginx logs a name from its configuration if it has not read one.
    return this.#state.isRefused ? undefined : this.#valueOf('host-name') || undefined;
  }

  get target(): string | undefined {
    return this.#request?.target ?? (this.#valueOf('target') || undefined);
  }

  get changesHost(): boolean {
    return this.#prepared.format.server !== 'nginx';
  }

  get query(): string | undefined {
    const query = this.#rawOf('query');
    return query?.replace(/^\?/, '');
  }

  get protocol(): string | undefined {
    return this.#request?.protocol ?? protocolIn(this.#valueOf('protocol'));
  }

  get tlsVersion(): string | undefined {
    return this.#isMissing('tls-version') ? '' : tlsVersionIn(this.#valueOf('tls-version'));
  }

  get tlsCipher(): string | undefined {
    return this.#isMissing('tls-cipher') ? '' : this.#valueOf('tls-cipher');
  }

  get serverName(): string | undefined {
    return this.#isMissing('server-name') ? '' : this.#valueOf('server-name');
  }

  get status(): number | undefined {
    return statusIn(this.#valueOf('status'));
  }

  /** Apache writes the sign for missing values for zero bytes. */
  get responseSize(): number | undefined {
    return this.#isMissing('size') ? 0 : sizeIn(this.#valueOf('size'));
  }

  get requestHeaders(): HeaderFacts {
    return this.#headersOf('request');
  }

  get responseHeaders(): HeaderFacts {
    return this.#headersOf('response');
  }

  get #request(): RequestLine | undefined {
    if (this.#requestLine === null) this.#requestLine = splitRequestLine(this.#valueOf('request') ?? '');
    return this.#requestLine;
  }

  get #state(): ReadState {
    const spot = this.#prepared.slots.get('status');
    // Envoy logs the method of a request whose headers it has read, or nothing of it.
    const isWhole = spot === undefined || this.#prepared.format.server === 'Envoy';
    return isWhole ? WHOLE : readStateAt(this.#cut(spot), this.#prepared.refusals);
  }

  #headersOf(message: LoggedHeader['message']): HeaderFacts {
    const headers = new LoggedHeaders(this.#prepared.absence, message === 'request' ? this.#state : WHOLE);
    for (const header of this.#prepared.headers) {
      if (header.message !== message) continue;
      const text = this.#cut(header.spot);
      // A conditional directive writes the sign for some requests that have the header.
      if (header.spot.variable.conditional !== true || text !== this.#prepared.format.missing)
        headers.add(header.name, text, this.#unescape(text));
    }
    return headers.facts();
  }

  /** The server logged the value as missing. */
  #isMissing(slot: Slot): boolean {
    const spot = this.#prepared.slots.get(slot);
    return (
      spot !== undefined && spot.variable.conditional !== true && this.#cut(spot) === this.#prepared.format.missing
    );
  }

  #valueOf(slot: Slot): string | undefined {
    const spot = this.#prepared.slots.get(slot);
    return spot === undefined ? undefined : this.#read(spot);
  }

  /** Returns the raw value if the sign for missing values may be the value itself. */
  #rawOf(slot: Slot): string | undefined {
    const spot = this.#prepared.slots.get(slot);
    return spot === undefined ? undefined : this.#unescape(this.#cut(spot));
  }

  #read(spot: Spot): string | undefined {
    const text = this.#cut(spot);
    return text === this.#prepared.format.missing ? undefined : this.#unescape(text);
  }

  #cut({ index, mark, isSecond }: Spot): string {
    const text = this.#text.slice(this.#offsets[index * 2], this.#offsets[index * 2 + 1]);
    if (mark === undefined) return text;
    const at = text.indexOf(mark);
    const border = at < 0 ? text.length : at;
    return isSecond ? text.slice(border) : text.slice(0, border);
  }

  #unescape(text: string): string {
    if (!text.includes('\\')) return text;
    switch (this.#prepared.format.escape) {
      case 'backslash':
        return unescapeField(text);
      case 'json': {
        const value = parseObject(`{"value":"${text}"}`)?.value;
        return typeof value === 'string' ? value : text;
      }
      case 'none':
        return text;
    }
  }
}
