import { isIP } from 'node:net';
import type { HeaderFacts, HeaderField } from '../exchange.ts';
import type { GeoFacts } from '../geo/geo-facts.ts';
import { geoIn } from '../record/geo-in-record.ts';
import { headersInJson } from '../record/headers-in-json.ts';
import { addressIn, portIn, protocolIn, schemeIn, sizeIn, statusIn, textIn, timeIn } from '../record/read-value.ts';
import type { RecordFacts } from '../record/record-facts.ts';
import { tlsVersionIn } from '../record/tls-version.ts';
import {
  type FieldMapping,
  type MappedHeader,
  mappedHeader,
  RECORD_FIELDS,
  type RecordField,
} from './field-mapping.ts';
import { type PathReader, readerOfPath } from './json-path.ts';

/** A mapping made ready for many records. */
export interface PreparedMapping {
  readonly readers: Readonly<Record<RecordField, PathReader>>;
  readonly headers: readonly (MappedHeader & { readonly read: PathReader })[];
  readonly completeHeaders: boolean;
}

export function prepareMapping({ fields = {}, completeHeaders = false }: FieldMapping): PreparedMapping {
  const readers = RECORD_FIELDS.map(name => {
    const path = fields[name] ?? name;
    return [name, path === '' ? readNothing : readerOfPath(path)] as const;
  });
  const headers = Object.entries(fields).flatMap(([name, path]) => {
    const header = mappedHeader(name);
    return header && path !== '' ? [{ ...header, read: readerOfPath(path) }] : [];
  });
  const named = SHORTHANDS.map(([field, name]) => {
    const read = readerOfPath(fields[field] ?? field);
    return { message: 'request_headers', name, read: fields[field] === '' ? readNothing : read } as const;
  });
  return {
    readers: Object.fromEntries(readers) as Record<RecordField, PathReader>,
    headers: [...headers, ...named],
    completeHeaders,
  };
}

const SHORTHANDS = [
  ['user_agent', 'User-Agent'],
  ['referer', 'Referer'],
] as const;

const TELLING = RECORD_FIELDS.filter(field => field !== 'time');

function readNothing(): undefined {
  return undefined;
}

/** What a record in JSON, or a row of a table, says. */
export class MappedFacts implements RecordFacts {
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #mapping: PreparedMapping;

  constructor(record: Readonly<Record<string, unknown>>, mapping: PreparedMapping) {
    this.#record = record;
    this.#mapping = mapping;
  }

  /** Whether the record says anything of an exchange but its time. */
  get isEmpty(): boolean {
    const { readers, headers } = this.#mapping;
    const says = (read: PathReader) => (read(this.#record) ?? undefined) !== undefined;
    return !TELLING.some(field => says(readers[field])) && !headers.some(({ read }) => says(read));
  }

  get time(): number | undefined {
    return timeIn(this.#valueOf('time'));
  }

  get clientIp(): string | undefined {
    return addressIn(this.#valueOf('client_ip'));
  }

  get clientPort(): number | undefined {
    const port = this.#valueOf('client_port');
    const address = this.#valueOf('client_ip');
    // An address of IPv6 ends like a port, but for what stands in brackets.
    return portIn(port) ?? (typeof address === 'string' && isIP(address) === 0 ? portIn(address) : undefined);
  }

  get serverIp(): string | undefined {
    return addressIn(this.#valueOf('server_ip'));
  }

  get serverPort(): number | undefined {
    return portIn(this.#valueOf('server_port'));
  }

  get geo(): GeoFacts | undefined {
    return geoIn(field => this.#valueOf(field));
  }

  get method(): string | undefined {
    return textIn(this.#valueOf('method')) || undefined;
  }

  get scheme(): string | undefined {
    return schemeIn(this.#valueOf('scheme'));
  }

  get host(): string | undefined {
    return textIn(this.#valueOf('host')) || undefined;
  }

  get target(): string | undefined {
    return textIn(this.#valueOf('target')) || undefined;
  }

  get path(): string | undefined {
    return textIn(this.#valueOf('path')) || undefined;
  }

  get query(): string | undefined {
    return textIn(this.#valueOf('query'))?.replace(/^\?/, '');
  }

  get url(): string | undefined {
    const url = textIn(this.#valueOf('url'));
    return url !== undefined && URL.canParse(url) ? url : undefined;
  }

  get protocol(): string | undefined {
    return protocolIn(this.#valueOf('protocol'));
  }

  get tlsVersion(): string | undefined {
    return tlsVersionIn(this.#valueOf('tls_version'));
  }

  get tlsCipher(): string | undefined {
    return textIn(this.#valueOf('tls_cipher'));
  }

  get serverName(): string | undefined {
    return textIn(this.#valueOf('server_name'));
  }

  get alpn(): string | undefined {
    return textIn(this.#valueOf('alpn'));
  }

  get ja4(): string | undefined {
    return textIn(this.#valueOf('ja4')) || undefined;
  }

  get requestHeaders(): HeaderFacts | undefined {
    return this.#headersOf('request_headers');
  }

  get status(): number | undefined {
    return statusIn(this.#valueOf('status'));
  }

  get responseHeaders(): HeaderFacts | undefined {
    return this.#headersOf('response_headers');
  }

  get responseSize(): number | undefined {
    return sizeIn(this.#valueOf('response_size'));
  }

  #valueOf(field: RecordField): unknown {
    return this.#mapping.readers[field](this.#record);
  }

  #headersOf(message: MappedHeader['message']): HeaderFacts | undefined {
    const { headers, completeHeaders } = this.#mapping;
    const known = headersInJson(this.#valueOf(message), completeHeaders);
    const [fields, absent]: [HeaderField[], string[]] = [[], []];
    for (const header of headers) {
      if (header.message === message && !names(known, header.name)) this.#addHeader(header, fields, absent);
    }
    if (fields.length === 0 && absent.length === 0) return known;
    return {
      fields: [...(known?.fields ?? []), ...fields],
      absent: [...(known?.absent ?? []), ...absent],
      complete: known?.complete ?? false,
      withheld: [],
    };
  }

  #addHeader({ name, read }: PreparedMapping['headers'][number], fields: HeaderField[], absent: string[]): void {
    const value = read(this.#record);
    if (value === null) absent.push(name.toLowerCase());
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = textIn(one);
      if (text !== undefined) fields.push({ name, value: text });
    }
  }
}

/** The object of all headers counts before a field of one of them. */
function names(known: HeaderFacts | undefined, name: string): boolean {
  const key = name.toLowerCase();
  return (
    known !== undefined && (known.absent.includes(key) || known.fields.some(one => one.name.toLowerCase() === key))
  );
}
