/** Which member or column of a record holds which field. */
import { mayGenerateCode } from '@tollgate/diagnostics/portable';
import type { GeoFacts } from '../exchange/exchange.ts';
import { isRecord, numberIn, stringIn } from './field-values.ts';

/** Location fields, with their names in records. */
export const GEO_FIELDS = [
  'country',
  'continent',
  'region',
  'city',
  'postal_code',
  'time_zone',
  'latitude',
  'longitude',
  'asn',
  'as_organization',
] as const;

/** One of {@link GEO_FIELDS}. */
export type GeoField = (typeof GEO_FIELDS)[number];

const CONTINENTS: Readonly<Record<string, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

/** Returns the recorded location of a client; undefined if there is none. */
export function geoIn(read: (field: GeoField) => unknown): GeoFacts | undefined {
  if (!GEO_FIELDS.some(field => (read(field) ?? undefined) !== undefined)) return undefined;
  const text = (field: GeoField) => stringIn(read(field)) || undefined;
  const [country, continent] = [text('country'), text('continent')];
  const isCode = country !== undefined && /^[A-Za-z]{2}$/.test(country);
  const facts: GeoFacts = {
    countryCode: isCode ? country.toUpperCase() : undefined,
    country: isCode ? undefined : country,
    continent: CONTINENTS[continent ?? ''] ?? continent,
    subdivision: text('region'),
    city: text('city'),
    postalCode: text('postal_code'),
    timeZone: text('time_zone'),
    latitude: degrees(read('latitude')),
    longitude: degrees(read('longitude')),
    asNumber: numberIn(stringIn(read('asn'))?.replace(/^AS/i, '')),
    asOrganization: text('as_organization'),
  };
  return isCode || Object.values(facts).some(value => value !== undefined) ? facts : undefined;
}

/** Returns a string as recorded, and a number with the decimals of location databases. */
function degrees(value: unknown): string | undefined {
  return typeof value === 'number' ? value.toFixed(4) : stringIn(value) || undefined;
}

/** The fields of exchanges in JSON records and table columns, with their default names. */
export const RECORD_FIELDS = [
  'time',
  'client_ip',
  'client_port',
  'server_ip',
  'server_port',
  'method',
  'url',
  'scheme',
  'host',
  'host_name',
  'path',
  'query',
  'target',
  'request_line',
  'protocol',
  'tls_version',
  'tls_cipher',
  'server_name',
  'user_agent',
  'referer',
  'request_headers',
  'status',
  'response_size',
  'response_headers',
  'alpn',
  'ja4',
  'verdicts',
  ...GEO_FIELDS,
] as const;

/** One of {@link RECORD_FIELDS}. */
export type RecordField = (typeof RECORD_FIELDS)[number];

/** Maps the fields of exchanges to the names that records use. */
export interface FieldMapping {
  /**
   * The dot path of a field in the record, by the field's name, or `request_headers.NAME` and `response_headers.NAME` for a single header.
   * Fields that are missing here have their default names; one with an empty path is not read.
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether a header missing from a record's object of headers was not sent. Otherwise it is unknown. */
  readonly completeHeaders?: boolean;
  /**
   * The strings that the server writes for a header that was not sent; all others are values. By default, those that servers usually write are
   * neither: a dash and the empty string.
   */
  readonly absent?: readonly string[];
  /** The same for a single field that holds headers, such as `user_agent` or `request_headers.X-Key`, by its name. */
  readonly absentIn?: Readonly<Record<string, readonly string[]>>;
}

/** A header with its own path. */
export interface MappedHeader {
  readonly message: 'request_headers' | 'response_headers';
  readonly name: string;
}

/** Returns the names in `absentIn` of fields that hold no header. */
export function fieldsWithoutHeaders({ absentIn = {} }: FieldMapping): readonly string[] {
  const known = ['user_agent', 'referer', 'request_headers', 'response_headers'];
  return Object.keys(absentIn).filter(name => !known.includes(name) && mappedHeader(name) === undefined);
}

/** Splits `request_headers.NAME`; returns undefined for anything else. */
export function mappedHeader(name: string): MappedHeader | undefined {
  const match = /^(request_headers|response_headers)\.(.+)$/s.exec(name);
  return match === null ? undefined : { message: match[1] as MappedHeader['message'], name: match[2]! };
}

/** Returns the names in a mapping that are not fields. */
export function unknownFields({ fields = {} }: FieldMapping): readonly string[] {
  const known: readonly string[] = RECORD_FIELDS;
  return Object.keys(fields).filter(name => !known.includes(name) && mappedHeader(name) === undefined);
}

/** Returns the value at a path in a record; undefined if there is none. */
export type PathReader = (record: Readonly<Record<string, unknown>>) => unknown;

/** Returns a reader for a dot path. A member name that contains dots matches as a whole: `http.method`. */
export function readerOfPath(path: string): PathReader {
  if (path.includes('.')) return record => valueAt(record, path);
  if (path in Object.prototype || !mayGenerateCode()) return record => memberOf(record, path);
  // A function with the name in its code, where it is a string literal, takes a third of the time of one for all names: a replay reads about
  // thirty members of each record, most of which are missing.
  const make: unknown = new Function('record', `"use strict";return record[${JSON.stringify(path)}]`);
  return make as PathReader;
}

function valueAt(value: unknown, path: string): unknown {
  const whole = memberOf(value, path);
  if (whole !== undefined) return whole;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const inner = memberOf(value, path.slice(0, dot));
    const found = inner === undefined ? undefined : valueAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
