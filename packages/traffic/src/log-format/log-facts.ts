import { isIP } from 'node:net';
import type { HeaderFacts } from '../exchange/exchange.ts';
import type { GeoFacts } from '../exchange/geo-facts.ts';
import { parseObject } from '../json-lines/read-json-lines.ts';
import { geoIn } from '../record/geo-in-record.ts';
import { type Absence, LoggedHeaders } from '../record/logged-headers.ts';
import type { RecordFacts } from '../record/record-facts.ts';
import { unescapeField } from '../record/values/escapes.ts';
import {
  addressIn,
  numberIn,
  portIn,
  protocolIn,
  schemeIn,
  sizeIn,
  statusIn,
  timeIn,
} from '../record/values/read-value.ts';
import { type RequestLine, splitRequestLine } from '../record/values/request-line.ts';
import { tlsVersionIn } from '../record/values/tls-version.ts';
import type { Layout, Stretch } from './layout.ts';
import type { LoggedHeader, LogVariable, ParsedFormat, Slot } from './log-variable.ts';
import type { StretchOffsets } from './scan-layout.ts';

/** A log format prepared for many lines: the position of each value. */
export interface PreparedFormat {
  readonly format: ParsedFormat;
  readonly slots: ReadonlyMap<Slot, Spot>;
  readonly headers: readonly (LoggedHeader & { readonly spot: Spot })[];
}

/** A format, and what stands for a header that was not sent. */
interface ReadFormat extends PreparedFormat {
  readonly absence: Absence;
}

/** A variable in the segments of a line. */
interface Spot {
  readonly index: number;
  readonly variable: LogVariable;
  /** For a segment of two variables: the mark between them, and whether this is the second. */
  readonly mark?: string | undefined;
  readonly isSecond?: boolean | undefined;
}

export function prepareFormat(format: ParsedFormat, { stretches }: Layout): PreparedFormat {
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
export class LogFacts implements RecordFacts {
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
    return portIn(this.#valueOf('client-port')) ?? (isIP(address) === 0 ? portIn(address) : undefined);
  }

  get serverIp(): string | undefined {
    return addressIn(this.#valueOf('server-ip'));
  }

  get serverPort(): number | undefined {
    const address = this.#valueOf('server-ip') ?? '';
    return portIn(this.#valueOf('server-port')) ?? (isIP(address) === 0 ? portIn(address) : undefined);
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
    return this.#valueOf('host-name') || undefined;
  }

  get target(): string | undefined {
    return this.#request?.target ?? (this.#valueOf('target') || undefined);
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

  #headersOf(message: LoggedHeader['message']): HeaderFacts {
    const headers = new LoggedHeaders(this.#prepared.absence);
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
