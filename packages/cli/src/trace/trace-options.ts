// Options of `trace` that describe a request.

import { canonicalHeaderName } from '@tollgate/policy';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTime } from '../input/traffic-options.ts';

/** A header given by an option. */
export interface HeaderOption {
  readonly name: string;
  /** Undefined if the header is not sent. */
  readonly value: string | undefined;
}

/** The options of {@link addRequestOptions}; they override what `request` contains. */
export interface RequestOptions {
  /** A file, or `FILE#N` for one of its records; `-` for standard input. */
  readonly request?: string;
  readonly method?: string;
  readonly header?: readonly HeaderOption[];
  readonly url?: string;
  readonly data?: string;
  readonly protocol?: string;
  readonly clientIp?: string;
  /** Geolocation of the client, by field. */
  readonly geo?: Readonly<Record<string, string>>;
  readonly country?: string;
  readonly tls?: string;
  readonly status?: number;
  readonly responseHeader?: readonly HeaderOption[];
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly time?: number;
  readonly incomplete?: true;
}

/** The geolocation fields of a record. Repeated here so that `--help` need not load the readers; a test keeps the two lists equal. */
export const GEO_CHOICES: readonly string[] = [
  ...['country', 'continent', 'region', 'city', 'postal_code', 'time_zone', 'latitude', 'longitude', 'asn'],
  'as_organization',
];

/** Adds curl-style options that describe one exchange. */
export function addRequestOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '-r, --request <file>',
        'file with a raw HTTP request, or one in JSON or YAML, or record N of a recording (`FILE#N`); `-` for standard input',
      ),
    )
    .option('--url <url>', 'URL of the request')
    .option('-X, --method <method>', 'request method (default: GET, or POST with `--data`)')
    .addOption(
      new Option(
        '-H, --header <line>',
        'request header, `Name: value`; `Name:` if it is not sent; repeatable',
      ).argParser(collectHeader),
    )
    .option('-d, --data <text>', 'request body; policies see its type and length')
    .option('--protocol <version>', 'HTTP version, such as `HTTP/1.1`')
    .option('--client-ip <address>', 'address of the client')
    .addOption(new Option('--country <code>', 'country of the client, such as `DE`').argParser(parseCountry))
    .addOption(
      new Option(
        '--geo <fact=value,...>',
        `more on the location of the client: ${GEO_CHOICES.slice(1).join(', ')}`,
      ).argParser(parseGeo),
    )
    .addOption(
      new Option('--tls <version>', 'TLS version of the connection, such as `1.3`, or `none`').argParser(parseTls),
    )
    .addOption(new Option('--status <code>', 'status of the upstream response').argParser(parseStatus))
    .addOption(
      new Option('--response-header <line>', 'header of the upstream response, as for `--header`').argParser(
        collectHeader,
      ),
    )
    .addOption(new Option('--time <time>', 'time of the request, such as `2026-03-02T10:15:30Z`').argParser(parseTime))
    .option('--incomplete', 'treat headers that are not given as unknown instead of not sent');
}

function collectHeader(text: string, previous: readonly HeaderOption[] = []): readonly HeaderOption[] {
  const match = /^([^\s:;]+)(?:\s*:\s*(.*)|\s*(;))$/s.exec(text);
  const [, name, value, empty] = match ?? [];
  if (name === undefined || !HEADER_NAME.test(name))
    throw new InvalidArgumentError('expected a header, such as `Accept: text/html`.');
  const given = empty === undefined ? value || undefined : '';
  return [...previous, { name: canonicalHeaderName(name), value: given }];
}

/** A token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;

function parseCountry(text: string): string {
  if (!/^[A-Za-z]{2}$/.test(text)) throw new InvalidArgumentError('expected a two-letter country code, such as `DE`.');
  return text.toUpperCase();
}

function parseGeo(text: string, before: RequestOptions['geo'] = {}): Readonly<Record<string, string>> {
  const pairs = text.split(',').map(pair => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (!GEO_CHOICES.includes(name))
      throw new InvalidArgumentError(`expected a field and value such as \`city=Berlin\`, found \`${pair}\`.`);
    return [name, pair.slice(at + 1).trim()] as const;
  });
  return { ...before, ...Object.fromEntries(pairs) };
}

function parseTls(text: string): string {
  if (text === 'none') return '';
  const version = /^(?:TLS ?v?)?1\.([0-3])$/i.exec(text)?.[1];
  if (version === undefined) throw new InvalidArgumentError('expected a version, such as `1.3`, or `none`.');
  return `TLS 1.${version}`;
}

function parseStatus(text: string): number {
  if (!/^[1-9]\d\d$/.test(text)) throw new InvalidArgumentError('expected a three-digit status code.');
  return Number(text);
}
