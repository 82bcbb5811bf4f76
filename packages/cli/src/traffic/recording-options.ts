import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options of {@link addInputOptions}, as given. */
export interface InputOptions {
  readonly trafficFormat?: string;
  /** Field paths by field name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Path of a file that maps fields. */
  readonly mapping?: string;
  /** Strings that stand for a header that was not sent. */
  readonly absent?: readonly string[];
  readonly logFormat?: string;
  readonly strict?: boolean;
  /** Succeed even if the traffic contains no exchange. */
  readonly allowEmpty?: boolean;
}

/** Names of all traffic formats. Repeated here so that `--help` need not load the readers; a test compares both lists. */
export const TRAFFIC_FORMAT_CHOICES: readonly string[] = [
  'har',
  'json-lines',
  'nginx',
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

/** Names of all mappings for tables, repeated for the same reason. */
export const READY_MAPPING_CHOICES = [
  ...(['nginx', 'alb', 'elb', 'cloudfront', 'cloudflare', 'envoy'] as const),
  ...(['caddy', 'traefik', 's3', 'haproxy', 'w3c'] as const),
] as const;

/** Adds the options for reading recorded traffic. */
export function addInputOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--traffic-format <format>', 'format of the recordings; detected by default').choices(
        TRAFFIC_FORMAT_CHOICES,
      ),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'format string that wrote the log (nginx `log_format`, Apache `LogFormat`, Envoy), or one of `common`, `combined`, `vhost_combined`, `envoy`, `istio`',
      ),
    )
    .addOption(
      new Option(
        '--fields <field=path,...>',
        'paths of fields in JSON Lines, such as `method=http.verb,request_headers.User-Agent=ua`',
      ).argParser(parseFields),
    )
    .addOption(
      new Option(
        '--mapping <file>',
        `YAML or JSON file with the field paths under \`fields\`; with \`--table\` also ${READY_MAPPING_CHOICES.map(name => `\`${name}\``).join(', ')} for the usual columns of these`,
      ),
    )
    .addOption(
      new Option(
        '--absent <text>',
        'what the server writes for a header that was not sent, such as `-`; all other texts are values; repeatable',
      ).argParser((text: string, before: readonly string[] = []) => [...before, text]),
    )
    .addOption(new Option('--strict', 'fail at the first unreadable record instead of skipping it'))
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
