import { canonicalHeaderName } from '@tollgate/policy';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTime } from '../../replay/simulation-options.ts';

/** A header as an option gives it. */
export interface HeaderOption {
  readonly name: string;
  /** Undefined for one that is not sent. */
  readonly value: string | undefined;
}

/** The options of {@link addRequestOptions}, as given: what is known of an exchange, over what a file says. */
export interface RequestOptions {
  /** A file, with `#` and a number for one of its records; `-` for the standard input. */
  readonly request?: string;
  readonly method?: string;
  readonly header?: readonly HeaderOption[];
  readonly url?: string;
  readonly data?: string;
  readonly protocol?: string;
  readonly clientIp?: string;
  /** Facts on where the client is, by their names. */
  readonly geo?: Readonly<Record<string, string>>;
  readonly country?: string;
  readonly tls?: string;
  readonly status?: number;
  readonly responseHeader?: readonly HeaderOption[];
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly time?: number;
  readonly incomplete?: true;
}

/**
 * The names of what can be said of where a client is, as records have them. They stand here as well as with the readers, which are not to
 * be loaded for `--help`; a test holds the two together.
 */
export const GEO_CHOICES: readonly string[] = [
  ...['country', 'continent', 'region', 'city', 'postal_code', 'time_zone', 'latitude', 'longitude', 'asn'],
  'as_organization',
];

/** Adds to a command the options that describe one exchange, in the manner of curl. */
export function addRequestOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '-r, --request <file>',
        'the exchange: a raw HTTP request, one in JSON or YAML, or a recording with `#N` for one of its records; `-` for the standard input',
      ),
    )
    .option('--url <url>', 'the URL of the request')
    .option('-X, --method <method>', 'its method; GET by default, or POST with data')
    .addOption(
      new Option(
        '-H, --header <line>',
        '`Name: value`; `Name:` for one that is not sent; may be given several times',
      ).argParser(collectHeader),
    )
    .option('-d, --data <text>', 'its body, of which policies see type and length')
    .option('--protocol <version>', 'such as `HTTP/1.1`')
    .option('--client-ip <address>', 'the address of the client')
    .addOption(new Option('--country <code>', 'where the client is: two letters, such as `DE`').argParser(parseCountry))
    .addOption(
      new Option('--geo <fact=value,...>', `more of that: ${GEO_CHOICES.slice(1).join(', ')}`).argParser(parseGeo),
    )
    .addOption(new Option('--tls <version>', 'of its connection: `1.3`, or `none`').argParser(parseTls))
    .addOption(new Option('--status <code>', 'of the response of the upstream').argParser(parseStatus))
    .addOption(new Option('--response-header <line>', 'as `--header`, of that response').argParser(collectHeader))
    .addOption(new Option('--time <time>', 'when it came in, such as `2026-03-02T10:15:30Z`').argParser(parseTime))
    .option('--incomplete', 'headers that are not named are not known, rather than not sent');
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
  if (!/^[A-Za-z]{2}$/.test(text)) throw new InvalidArgumentError('expected two letters, such as `DE`.');
  return text.toUpperCase();
}

function parseGeo(text: string, before: RequestOptions['geo'] = {}): Readonly<Record<string, string>> {
  const pairs = text.split(',').map(pair => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (!GEO_CHOICES.includes(name))
      throw new InvalidArgumentError(`expected \`city=Berlin\` or alike, found \`${pair}\`.`);
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
  if (!/^[1-9]\d\d$/.test(text)) throw new InvalidArgumentError('expected a status code of three digits.');
  return Number(text);
}
