import { normalizeAddress } from '../exchange/address.ts';
import {
  type Exchange,
  type HeaderFacts,
  NO_HEADER_KNOWN,
  type ResponseFacts,
  TLS_UNKNOWN,
} from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { type Absence, LoggedHeaders } from '../record/logged-headers.ts';
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
  readonly #absence: Absence;

  private constructor(place: RecordLocation, { text, fields, absence }: ScannedLine, request: RequestLine) {
    this.place = place;
    this.#text = text;
    this.#fields = fields;
    this.#absence = absence;
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
    const referer = this.#text.slice(refererStart, refererEnd);
    const agent = this.#text.slice(agentStart, agentEnd);
    return new LoggedHeaders(this.#absence)
      .add('Referer', referer, unescapeField(referer))
      .add('User-Agent', agent, unescapeField(agent))
      .facts();
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
  static from(place: RecordLocation, line: ScannedLine): LineExchange | undefined {
    const { text, fields } = line;
    const request = splitRequestLine(unescapeField(text.slice(fields.requestStart, fields.requestEnd)));
    return request === undefined ? undefined : new LineExchange(place, line, request);
  }
}

interface ScannedLine {
  readonly text: string;
  readonly fields: LineFields;
  /** What stands for a header that was not sent. */
  readonly absence: Absence;
}
