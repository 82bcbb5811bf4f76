import { normalizeAddress } from '../exchange/address.ts';
import {
  type Exchange,
  type HeaderFacts,
  type HeaderField,
  NO_HEADER_KNOWN,
  type ResponseFacts,
  TLS_UNKNOWN,
} from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { unescapeField } from '../record/values/escapes.ts';
import { parseLogTime } from '../record/values/log-time.ts';
import { type RequestLine, splitRequestLine } from '../record/values/request-line.ts';
import { type LineFields, TIME_LENGTH } from './scan-line.ts';

/** A log line as an exchange. Fields are cut out of the line on demand, because a policy reads few of them. */
export class LineExchange implements Exchange {
  readonly place: RecordLocation;
  readonly tls = TLS_UNKNOWN;
  readonly #text: string;
  readonly #fields: LineFields;
  readonly #request: RequestLine;

  constructor(place: RecordLocation, text: string, fields: LineFields, request: RequestLine) {
    this.place = place;
    this.#text = text;
    this.#fields = fields;
    this.#request = request;
  }

  get time(): number | undefined {
    return parseLogTime(this.#text.slice(this.#fields.timeStart, this.#fields.timeStart + TIME_LENGTH));
  }

  /** Undefined if the server logged a host name. */
  get clientIp(): string | undefined {
    return normalizeAddress(this.#text.slice(this.#fields.hostStart, this.#fields.hostEnd));
  }

  get method(): string | undefined {
    return this.#request.method;
  }

  get target(): string | undefined {
    return this.#request.target;
  }

  /** A log contains neither scheme nor host, except for requests to a proxy. */
  get url(): string | undefined {
    const target = this.#request.target;
    return /^https?:\/\//i.test(target) ? target : undefined;
  }

  get protocol(): string | undefined {
    return this.#request.protocol;
  }

  get requestHeaders(): HeaderFacts {
    const { refererStart, refererEnd, agentStart, agentEnd } = this.#fields;
    if (refererStart < 0) return NO_HEADER_KNOWN;
    const fields: HeaderField[] = [];
    const absent: string[] = [];
    this.#addHeader('Referer', this.#text.slice(refererStart, refererEnd), fields, absent);
    this.#addHeader('User-Agent', this.#text.slice(agentStart, agentEnd), fields, absent);
    return { fields, absent, complete: false, withheld: [] };
  }

  get response(): ResponseFacts {
    const { statusStart, sizeEnd } = this.#fields;
    const size = this.#text.slice(statusStart + 4, sizeEnd);
    return {
      status: Number(this.#text.slice(statusStart, statusStart + 3)),
      headers: NO_HEADER_KNOWN,
      // Apache writes `-` for zero bytes.
      bodySize: size === '-' ? 0 : Number(size),
    };
  }

  /** Returns undefined if the server logged something other than a request. */
  static from(place: RecordLocation, text: string, fields: LineFields): LineExchange | undefined {
    const request = splitRequestLine(unescapeField(text.slice(fields.requestStart, fields.requestEnd)));
    return request === undefined ? undefined : new LineExchange(place, text, fields, request);
  }

  #addHeader(name: string, text: string, fields: HeaderField[], absent: string[]): void {
    // Both servers write `-` for a header that was not sent.
    if (text === '-') absent.push(name.toLowerCase());
    else fields.push({ name, value: unescapeField(text) });
  }
}
