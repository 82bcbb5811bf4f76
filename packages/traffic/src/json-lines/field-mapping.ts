import { GEO_FIELDS } from '../record/geo-in-record.ts';

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
}

/** A header with its own path. */
export interface MappedHeader {
  readonly message: 'request_headers' | 'response_headers';
  readonly name: string;
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
