import { canonicalHeaderName } from '@tollgate/policy';
import { type Command, InvalidArgumentError, Option } from 'commander';

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
  readonly tls?: string;
  readonly status?: number;
  readonly responseHeader?: readonly HeaderOption[];
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly time?: number;
  readonly incomplete?: true;
}

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
        '-H, --header <header>',
        '`Name: value`; `Name:` for one that is not sent; may be given several times',
      ).argParser(collectHeader),
    )
    .option('-d, --data <text>', 'its body, of which policies see type and length')
    .option('--protocol <version>', 'such as `HTTP/1.1`')
    .option('--client-ip <address>', 'the address of the client')
    .addOption(new Option('--tls <version>', 'of its connection: `1.3`, or `none`').argParser(parseTls))
    .addOption(new Option('--status <code>', 'of the response of the upstream').argParser(parseStatus))
    .addOption(new Option('--response-header <header>', 'as `--header`, of that response').argParser(collectHeader))
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

function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time, such as `2026-03-02T10:15:30Z`.');
  return time;
}
