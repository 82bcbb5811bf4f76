/** The facts about an exchange in a record with named fields, read as its mapping says. */
import { ipVersion } from '@tollgate/diagnostics/portable';
import { type GeoFacts, type HeaderFacts, NO_HEADER_KNOWN } from '../exchange/exchange.ts';
import {
  type FieldMapping,
  GEO_FIELDS,
  geoIn,
  type MappedHeader,
  mappedHeader,
  RECORD_FIELDS,
  type RecordField,
  readerOfPath,
} from './field-mapping.ts';
import {
  addressIn,
  authorityIn,
  hasPort,
  isPlainUrl,
  isRecord,
  portIn,
  protocolIn,
  type RequestLine,
  schemeIn,
  sizeIn,
  splitRequestLine,
  startIn,
  statusIn,
  stringIn,
  targetWithoutPort,
  timeIn,
  tlsVersionIn,
  verdictsIn,
} from './field-values.ts';
import {
  type Absence,
  absenceOf,
  headersInJson,
  type JsonHeaderRules,
  type LateHeaders,
  type SeparateHeader,
  SeparateHeaders,
  USUAL_SIGNS,
} from './logged-headers.ts';
import type { RecordFacts } from './record-exchange.ts';
import { isRefusal, REFUSALS, type ReadState, unusualStatus, WHOLE } from './refusals.ts';

/** How values are read from records. */
export interface RecordAccess<R> {
  /** Returns a reader for a dot path. It returns undefined if the record has no value there. */
  readonly readerOf: (path: string) => ValueReader<R>;
  /** Returns a reader of the authority of a whole URL at a dot path; see {@link authorityIn}. */
  readonly authorityReaderOf: (path: string, field: TargetField) => AuthorityReader<R>;
  /** Returns a reader of {@link unusualStatus} at a dot path. */
  readonly unusualStatusReaderOf: (path: string) => ValueReader<R>;
  /** Returns a reader of {@link startIn}. */
  readonly startReaderOf: (paths: StartPaths) => (record: R) => number | undefined;
  /** Is told that all members of a record matter. Present if those that no reader is for are not at hand. */
  readonly readOthers?: (record: R) => void;
  /** See {@link headersInJson}. */
  readonly headersIn: (value: unknown, rules: JsonHeaderRules, state: ReadState) => HeaderFacts | undefined;
}

/** What the time of an exchange is computed from. */
export interface StartPaths {
  /** The dot paths of the time of a record. The first that has a value, other than null, holds it. */
  readonly times: readonly string[];
  /** The dot path of the seconds that passed before. */
  readonly duration?: string;
}

type ValueReader<R> = (record: R) => unknown;

type AuthorityReader<R> = (record: R) => string | undefined;

type TargetField = Parameters<typeof authorityIn>[1];

/** A mapping prepared for many records. */
export interface PreparedMapping<R> {
  /** By index of the field. */
  readonly readers: readonly ValueReader<R>[];
  readonly headers: HeadersByMessage<R>;
  /** For servers with a name for each header, of whose members not all are known. */
  readonly late?: Readonly<Record<MappedHeader['message'], LateHeaders<R>>>;
  readonly headersIn: RecordAccess<R>['headersIn'];
  readonly rules: JsonHeaderRules;
  /** For objects of headers for which something else is said. */
  readonly rulesIn: Readonly<Partial<Record<MappedHeader['message'], JsonHeaderRules>>>;
  /** For the fields that may hold a target. */
  readonly authorities: readonly AuthorityReader<R>[];
  /** Whether the server may have refused the request before it had read all headers. */
  readonly isRefused: (record: R) => boolean;
  /** Whether the server has all headers or none, and in the latter case no method. */
  readonly areHeadersWhole?: boolean;
  /** Returns the time, if it is computed from several members. */
  readonly startOf?: (record: R) => number | undefined;
  /** See {@link RecordFacts.changesHost}; of a known server. */
  readonly changesHost?: true;
  /** Whether the server is known to log targets and hosts as they were sent. */
  readonly isServer?: true;
  /** What is known of the headers of a message whose record has a member for each of them. */
  readonly listedIn?: (record: R, message: MappedHeader['message']) => HeaderFacts;
  /** For the location fields, country first. */
  readonly places: readonly ValueReader<R>[];
  /** Cached locations of clients for which only the country is recorded: there are few. */
  readonly countries: Map<string, GeoFacts>;
}

/** Recordings may contain any number. */
const MAX_COUNTRIES = 1000;

/** A parsed JSON record, or a row of a table. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** How values are read from parsed records. */
export const PARSED: RecordAccess<ParsedRecord> = parsedBy(readerOfPath);

/** Returns how values are read from parsed records in which the paths that begin with a name are those of members of that member. */
export function parsedWithin(object: string): RecordAccess<ParsedRecord> {
  return parsedBy(path => {
    if (!path.startsWith(`${object}.`)) return readerOfPath(path);
    const read = readerOfPath(path.slice(object.length + 1));
    return record => {
      const held = record[object];
      return isRecord(held) ? read(held) : undefined;
    };
  });
}

function parsedBy(readerOf: typeof readerOfPath): RecordAccess<ParsedRecord> {
  return {
    readerOf,
    authorityReaderOf: (path, field) => {
      const read = readerOf(path);
      return record => authorityIn(read(record), field);
    },
    unusualStatusReaderOf: path => {
      const read = readerOf(path);
      return record => unusualStatus(read(record));
    },
    startReaderOf: ({ times, duration }) => {
      const ends = times.map(readerOf);
      const length = duration === undefined ? readNothing : readerOf(duration);
      return record => startIn(firstIn(record, ends), length(record));
    },
    headersIn: headersInJson,
  };
}

function firstIn<R>(record: R, readers: readonly ValueReader<R>[]): unknown {
  for (const read of readers) {
    const value = read(record) ?? undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Prepares a mapping for many records. */
export function prepareMapping<R>(
  { fields = {}, completeHeaders = false, absent, absentIn = {} }: FieldMapping,
  { readerOf, authorityReaderOf, unusualStatusReaderOf, headersIn }: RecordAccess<R>,
): PreparedMapping<R> {
  const readers = RECORD_FIELDS.map(name => {
    const path = fields[name] ?? name;
    return path === '' ? readNothing : readerOf(path);
  });
  const headers = Object.entries(fields).flatMap(([name, path]) => {
    const header = mappedHeader(name);
    return header && path !== '' ? [{ ...header, read: readerOf(path), ...absenceIn(absentIn, name) }] : [];
  });
  const named = SHORTHANDS.flatMap(([field, name]) => {
    const path = fields[field] ?? field;
    const found = { message: 'request_headers', name, read: readerOf(path) } as const;
    return path === '' ? [] : [{ ...found, ...absenceIn(absentIn, field) }];
  });
  const statusPath = fields.status ?? 'status';
  const statusIn = statusPath === '' ? readNothing : unusualStatusReaderOf(statusPath);
  return {
    readers,
    isRefused: record => isRefusal(statusIn(record), REFUSALS),
    authorities: (['target', 'request_line'] as const).flatMap(name => {
      const path = fields[name] ?? name;
      return path === '' ? [] : [authorityReaderOf(path, name)];
    }),
    places: GEO_FIELDS.map(field => readers[FIELD[field]]!),
    countries: new Map(),
    headers: headersByMessage([...headers, ...named]),
    headersIn,
    rules: { complete: completeHeaders, absence: absenceOf(USUAL_SIGNS, absent) },
    rulesIn: Object.fromEntries(
      MESSAGES.flatMap(message => {
        const { absence } = absenceIn(absentIn, message);
        return absence === undefined ? [] : [[message, { complete: completeHeaders, absence }]];
      }),
    ),
  };
}

/** Headers with fields of their own. */
type HeadersByMessage<R> = Readonly<Record<MappedHeader['message'], readonly (MappedHeader & SeparateHeader<R>)[]>>;

/** Returns headers with fields of their own by the message that has them. */
export function headersByMessage<R>(
  headers: readonly (MappedHeader & Omit<SeparateHeader<R>, 'lowerCase'>)[],
): HeadersByMessage<R> {
  const all = headers.map(one => ({ ...one, lowerCase: one.name.toLowerCase() }));
  const [request_headers, response_headers] = MESSAGES.map(message => all.filter(one => one.message === message));
  return { request_headers: request_headers!, response_headers: response_headers! };
}

const MESSAGES = ['request_headers', 'response_headers'] as const;

/** Returns what stands for a header that was not sent in one field, if that is said. */
export function absenceIn(absentIn: FieldMapping['absentIn'], field: string): { readonly absence?: Absence } {
  const said = absentIn && Object.hasOwn(absentIn, field) ? absentIn[field] : undefined;
  return said === undefined ? {} : { absence: absenceOf([], said) };
}

const SHORTHANDS = [
  ['user_agent', 'User-Agent'],
  ['referer', 'Referer'],
] as const;

const NUMBERS = Object.fromEntries(RECORD_FIELDS.map((name, number) => [name, number]));

/** The indexes of fields. Parsed from JSON, because V8 treats the members of such an object as constants, unlike those of one filled name by name. */
const FIELD: Readonly<Record<RecordField, number>> = JSON.parse(JSON.stringify(NUMBERS));

const TELLING = RECORD_FIELDS.filter(field => field !== 'time').map(field => FIELD[field]);

function readNothing(): undefined {
  return undefined;
}

/** The fields of a JSON record or table row. */
export class MappedFacts<R> implements RecordFacts, ReadState {
  readonly #record: R;
  readonly #mapping: PreparedMapping<R>;

  constructor(record: R, mapping: PreparedMapping<R>) {
    this.#record = record;
    this.#mapping = mapping;
  }

  /** Whether the record says nothing about an exchange but its time. */
  get isEmpty(): boolean {
    const { readers, headers } = this.#mapping;
    const says = (read: ValueReader<R>) => (read(this.#record) ?? undefined) !== undefined;
    if (TELLING.some(field => says(readers[field]!))) return false;
    return !MESSAGES.some(message => headers[message].some(({ read }) => says(read)));
  }

  get time(): number | undefined {
    const { startOf } = this.#mapping;
    return startOf === undefined ? timeIn(this.#valueOf(FIELD.time)) : startOf(this.#record);
  }

  get clientIp(): string | undefined {
    return addressIn(this.#valueOf(FIELD.client_ip));
  }

  get clientPort(): number | undefined {
    const port = this.#valueOf(FIELD.client_port);
    const address = this.#valueOf(FIELD.client_ip);
    // The end of an IPv6 address looks like a port unless the address is in brackets.
    return portIn(port) ?? (typeof address === 'string' && ipVersion(address) === 0 ? portIn(address) : undefined);
  }

  get serverIp(): string | undefined {
    return addressIn(this.#valueOf(FIELD.server_ip));
  }

  get serverPort(): number | undefined {
    return portIn(this.#valueOf(FIELD.server_port));
  }

  get geo(): GeoFacts | undefined {
    const { places, countries } = this.#mapping;
    for (let index = 1; index < places.length; index++) {
      if ((places[index]!(this.#record) ?? undefined) !== undefined) return this.#readGeo();
    }
    const country = places[0]!(this.#record);
    if (typeof country !== 'string') return this.#readGeo();
    const known = countries.get(country);
    if (known !== undefined) return known;
    const found = this.#readGeo();
    if (countries.size < MAX_COUNTRIES && found !== undefined) countries.set(country, found);
    return found;
  }

  #readGeo(): GeoFacts | undefined {
    return geoIn(field => knownIn(this.#valueOf(FIELD[field])));
  }

  get method(): string | undefined {
    return writtenIn(this.#valueOf(FIELD.method)) || this.#requestLine?.method;
  }

  get scheme(): string | undefined {
    return schemeIn(this.#valueOf(FIELD.scheme));
  }

  get host(): string | undefined {
    return writtenIn(this.#valueOf(FIELD.host)) || undefined;
  }

  get hostName(): string | undefined {
    const logged = writtenIn(this.#valueOf(FIELD.host_name));
    // Servers log a name from their configuration if they have not read one.
    return (logged && !this.isRefused && logged) || this.#sent?.hostName || undefined;
  }

  get target(): string | undefined {
    return this.#sent?.target;
  }

  /** Only of a known server the target tells; see {@link targetWithoutPort}. */
  get targetAuthority(): string | null | undefined {
    const { isServer, changesHost, authorities } = this.#mapping;
    if (isServer && !changesHost) return undefined;
    for (const read of authorities) {
      const authority = read(this.#record);
      if (authority !== undefined) return isServer || hasPort(authority) ? authority : '';
    }
    return null;
  }

  get changesHost(): boolean {
    const { isServer, changesHost } = this.#mapping;
    return isServer !== true || changesHost === true;
  }

  get path(): string | undefined {
    return sentIn(this.#valueOf(FIELD.path)) || undefined;
  }

  get query(): string | undefined {
    return sentIn(this.#valueOf(FIELD.query))?.replace(/^\?/, '');
  }

  get url(): string | undefined {
    const url = stringIn(this.#valueOf(FIELD.url));
    return url !== undefined && (isPlainUrl(url) || URL.canParse(url)) ? url : undefined;
  }

  get protocol(): string | undefined {
    return protocolIn(this.#valueOf(FIELD.protocol)) ?? this.#requestLine?.protocol;
  }

  get tlsVersion(): string | undefined {
    return tlsVersionIn(this.#valueOf(FIELD.tls_version));
  }

  get tlsCipher(): string | undefined {
    return writtenIn(this.#valueOf(FIELD.tls_cipher));
  }

  get serverName(): string | undefined {
    return writtenIn(this.#valueOf(FIELD.server_name));
  }

  get alpn(): string | undefined {
    return writtenIn(this.#valueOf(FIELD.alpn));
  }

  get ja4(): string | undefined {
    return writtenIn(this.#valueOf(FIELD.ja4)) || undefined;
  }

  get isRefused(): boolean {
    const { isRefused, areHeadersWhole } = this.#mapping;
    return isRefused(this.#record) && (areHeadersWhole !== true || this.isUnread);
  }

  get isUnread(): boolean {
    return this.method === undefined;
  }

  get requestHeaders(): HeaderFacts | undefined {
    return this.#headersOf('request_headers');
  }

  get verdicts(): RecordFacts['verdicts'] {
    return verdictsIn(this.#valueOf(FIELD.verdicts));
  }

  get status(): number | undefined {
    return statusIn(this.#valueOf(FIELD.status));
  }

  get responseHeaders(): HeaderFacts | undefined {
    return this.#headersOf('response_headers');
  }

  get responseSize(): number | undefined {
    return sizeIn(this.#valueOf(FIELD.response_size));
  }

  get #sent(): ReturnType<typeof targetWithoutPort> | undefined {
    const { isServer } = this.#mapping;
    const read = isServer ? writtenIn : sentIn;
    const target = read(this.#valueOf(FIELD.target)) || this.#requestLine?.target;
    if (target === undefined) return this.#targetInUrl;
    return isServer || target.startsWith('/') ? { target } : targetWithoutPort(target);
  }

  /** Some servers call a path a URL. */
  get #targetInUrl(): ReturnType<typeof targetWithoutPort> | undefined {
    const target = sentIn(this.#valueOf(FIELD.url));
    return target?.startsWith('/') ? { target } : undefined;
  }

  get #requestLine(): RequestLine | undefined {
    const line = sentIn(this.#valueOf(FIELD.request_line));
    return line === undefined ? undefined : splitRequestLine(line);
  }

  #valueOf(field: number): unknown {
    return this.#mapping.readers[field]!(this.#record);
  }

  #headersOf(message: MappedHeader['message']): HeaderFacts | undefined {
    const { headers, rules, rulesIn, headersIn, listedIn, late } = this.#mapping;
    const state = message === 'request_headers' ? this : WHOLE;
    const known =
      headersIn(this.#valueOf(FIELD[message]), rulesIn[message] ?? rules, state) ?? listedIn?.(this.#record, message);
    const own = headers[message];
    if (own.length === 0 && late === undefined) return known;
    const source = { record: this.#record, state, late: late?.[message] };
    return new SeparateHeaders(source, own, known ?? NO_HEADER_KNOWN, rules.absence);
  }
}

/** Servers write a dash for most values that are missing. */
function knownIn(value: unknown): unknown {
  return value === '-' ? undefined : value;
}

function writtenIn(value: unknown): string | undefined {
  return stringIn(knownIn(value));
}

/** Returns a part of a request target. HAProxy writes `#22` for a quote, and so on: there, nothing shows what was sent. */
function sentIn(value: unknown): string | undefined {
  const text = writtenIn(value);
  return text !== undefined && HAPROXY_ESCAPE.test(text) ? undefined : text;
}

const HAPROXY_ESCAPE = /#[\dA-F]{2}/;
