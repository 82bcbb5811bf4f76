import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options of {@link addInputOptions}, as given. */
export interface InputOptions {
  readonly trafficFormat?: string;
  /** Paths of fields by their names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A file with a mapping of fields. */
  readonly mapping?: string;
  readonly logFormat?: string;
  readonly strict?: boolean;
  /** Traffic without an exchange is no failure. */
  readonly allowEmpty?: boolean;
}

/**
 * The names of all formats of traffic. They stand here as well as with the readers, which are not to be loaded for `--help`; a test
 * holds the two together.
 */
export const TRAFFIC_FORMAT_CHOICES: readonly string[] = [
  'har',
  'json-lines',
  'caddy',
  'cloudflare',
  'envoy',
  'traefik',
  'alb',
  'elb',
  's3',
  'haproxy',
  'w3c',
  'access-log',
  'log-format',
  'parquet',
  'csv',
];

/** Adds to a command the options that say how recorded traffic is to be read. */
export function addInputOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--traffic-format <format>', 'format of the traffic; detected from its content by default').choices(
        TRAFFIC_FORMAT_CHOICES,
      ),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'the `log_format` of nginx, `LogFormat` of Apache or format string of Envoy that wrote the log, or `common`, `combined`, `vhost_combined`, `envoy`, `istio`',
      ),
    )
    .addOption(
      new Option(
        '--fields <field=path,...>',
        'where fields stand in JSON lines: `method=http.verb,request_headers.User-Agent=ua`',
      ).argParser(parseFields),
    )
    .addOption(new Option('--mapping <file>', 'the same in a file of YAML or JSON, under `fields`'))
    .addOption(new Option('--strict', 'stop at the first record that cannot be read, in place of skipping it'))
    .addOption(new Option('--allow-empty', 'succeed even if the traffic contains no exchange'));
}

function parseFields(text: string, before: InputOptions['fields'] = {}): Readonly<Record<string, string>> {
  const pairs = text.split(',').map(pair => {
    const at = pair.indexOf('=');
    if (at <= 0) throw new InvalidArgumentError(`expected \`field=path\`, found \`${pair}\`.`);
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
  });
  return { ...before, ...Object.fromEntries(pairs) };
}
