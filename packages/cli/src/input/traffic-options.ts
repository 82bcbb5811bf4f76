// Options that say how to read recorded traffic, and what it lacks.

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
  ...(['caddy', 'traefik', 's3', 'waf', 'vpc', 'haproxy', 'w3c'] as const),
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

/** Adds the option for geolocation databases. */
export function addGeoipOptions(command: Command): Command {
  return command.addOption(
    new Option('--geoip <file>', 'MaxMind database (`.mmdb`) to locate client addresses; repeatable').argParser(
      (file, before: readonly string[] = []) => [...before, file],
    ),
  );
}

/** The option that completes URLs of which a part is not recorded. */
export function originOption(): Option {
  return new Option('--origin <url>', 'scheme, host and port to assume where the recording lacks them').argParser(
    parseOrigin,
  );
}

/** Adds `--origin`, `--now` and `--seed`; `seenBy` names what sees the time. */
export function addSimulationOptions(command: Command, seenBy = 'the policy'): Command {
  return command
    .addOption(originOption())
    .addOption(
      new Option(
        '--now <time>',
        `current time as seen by ${seenBy}, such as \`2026-03-02T10:15:30Z\`; by default the time of each exchange`,
      ).argParser(parseTime),
    )
    .addOption(seedOption());
}

/** The option that seeds random choices. */
export function seedOption(): Option {
  return new Option('--seed <number>', 'seed for random functions; without it, their results are unknown').argParser(
    parseSeed,
  );
}

/** Adds the argument for recordings. */
export function addTrafficArgument(command: Command, { isOptional = false } = {}): Command {
  return command.argument(
    isOptional ? '[traffic...]' : '<traffic...>',
    'recordings: files (also compressed), directories or glob patterns; `-` for standard input',
  );
}

/** Ends the command if both the policy and the traffic are standard input. */
export function requireOneInput(command: Command, policy: string, files: readonly string[]): void {
  if (policy === '-' && files.includes('-')) command.error('error: standard input cannot be both policy and traffic');
}

/** Ends the command if the policy was most likely given after the traffic. */
export function requirePolicyFirst(command: Command, policy: string, files: readonly string[]): void {
  const last = files.at(-1);
  if (last === undefined || !TRAFFIC_NAME.test(policy) || !POLICY_NAME.test(last)) return;
  command.error(
    `error: \`${policy}\` looks like traffic and \`${last}\` like a policy; the policy comes first: tollgate ${command.name()} ${last} ${policy}`,
  );
}

const TRAFFIC_NAME = /\.(?:log|har|csv|parquet|jsonl|ndjson|gz|zst)$/i;
const POLICY_NAME = /\.ya?ml$/i;

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  if (!isOrigin) throw new InvalidArgumentError('expected a scheme and host, such as `https://example.com`.');
  return url.origin;
}

/** Parses the time in an option, in ms since 1970-01-01T00:00:00Z. */
export function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time, such as `2026-03-02T10:15:30Z`.');
  return time;
}

function parseSeed(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a non-negative integer.');
  return Number(text);
}
