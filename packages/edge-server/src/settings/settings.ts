/** A setting of the server, used for the command line, the environment, the settings file and the documentation. */
export interface SettingFact {
  /** The name in the settings file. The flag is in kebab case, the environment variable in upper case after `TOLLGATE_`. */
  readonly name: string;
  readonly type: SettingType;
  readonly default: SettingValue;
  readonly doc: string;
}

const HEADER_NAME = { form: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, expected: 'header names' };
const HTTP_URL = {
  form: /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/,
  expected: 'an `http:` or `https:` URL without a query',
};

/** All settings, in the order of the help. An empty string means none. */
export const SERVER_SETTINGS = [
  { name: 'host', type: { kind: 'text' }, default: '127.0.0.1', doc: 'address to listen on' },
  {
    name: 'port',
    type: { kind: 'integer', min: 0, max: 65_535 },
    default: 7373,
    doc: 'port to listen on; 0 for any free port',
  },
  {
    name: 'socket',
    type: { kind: 'text' },
    default: '',
    doc: 'path of a Unix socket to listen on instead of a port, for the owner and the group',
  },
  {
    name: 'tlsCertFile',
    type: { kind: 'text' },
    default: '',
    doc: 'certificate chain in PEM for HTTPS, with `--tls-key-file`; read again when it changes',
  },
  {
    name: 'tlsKeyFile',
    type: { kind: 'text' },
    default: '',
    doc: 'private key in PEM of the certificate; read again when it changes',
  },
  {
    name: 'database',
    type: { kind: 'text' },
    default: 'tollgate.db',
    doc: 'a `postgres://` URL, or the path of an SQLite file, which is created if it does not exist',
  },
  {
    name: 'development',
    type: { kind: 'boolean' },
    default: false,
    doc: 'create and print an API key, allow private webhook addresses, disable rate limits, and log requests in a readable format',
  },
  {
    name: 'secretKeyFile',
    type: { kind: 'text' },
    default: '',
    doc: 'file with the encryption keys for secrets, unless `TOLLGATE_SECRET_KEY` contains them; created next to an SQLite file',
  },
  {
    name: 'publicUrl',
    type: { kind: 'text', ...HTTP_URL, form: /^(?:https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?)?$/ },
    default: '',
    doc: 'public URL of the API for URIs in responses; by default, the host of each request',
  },
  {
    name: 'basePath',
    type: { kind: 'text', form: /^(?:\/[\w.~-]+)*$/, expected: 'a path such as `/v1`' },
    default: '',
    doc: 'prefix of all API paths',
  },
  {
    name: 'versionHeaders',
    type: { kind: 'list', ...HEADER_NAME },
    default: ['Service-Version'],
    doc: 'headers that may specify the API version',
  },
  {
    name: 'operationIdHeader',
    type: { kind: 'text', ...HEADER_NAME, expected: 'a header name' },
    default: 'Service-Operation-Id',
    doc: 'response header with the id of the request',
  },
  {
    name: 'errorPrefix',
    type: { kind: 'text', form: /^[A-Z][A-Z0-9_]*$/, expected: 'upper-case letters, digits and `_`' },
    default: 'ERR_EDGE_',
    doc: 'prefix of error codes, before the number',
  },
  {
    name: 'answerDeletes',
    type: { kind: 'boolean' },
    default: false,
    doc: 'respond to deletions with 200 and `{}`, for clients that cannot read an empty response',
  },
  {
    name: 'maxBodyBytes',
    type: { kind: 'integer', min: 1024, max: 67_108_864 },
    default: 1_048_576,
    doc: 'maximum size of a request body in bytes',
  },
  {
    name: 'rateLimit',
    type: { kind: 'integer', min: 0, max: 10_000_000 },
    default: 1200,
    doc: 'maximum requests per API key and minute; 0 for no limit',
  },
  {
    name: 'maxConcurrent',
    type: { kind: 'integer', min: 1, max: 100_000 },
    default: 500,
    doc: 'maximum number of concurrent requests',
  },
  {
    name: 'requestTimeout',
    type: { kind: 'integer', min: 1, max: 3600 },
    default: 30,
    doc: 'seconds until a request must have arrived',
  },
  {
    name: 'shutdownTimeout',
    type: { kind: 'integer', min: 0, max: 3600 },
    default: 10,
    doc: 'seconds to wait for running requests when the server stops',
  },
  {
    name: 'trustProxy',
    type: { kind: 'boolean' },
    default: false,
    doc: 'trust the `X-Forwarded-` headers of requests',
  },
  {
    name: 'corsOrigins',
    type: {
      kind: 'list',
      form: /^(?:\*|https?:\/\/[^\s/?#]+)$/,
      expected: 'origins such as `https://console.example`',
    },
    default: [],
    doc: 'origins whose pages may call the API from a browser; `*` for all, but without credentials',
  },
  {
    name: 'reservations',
    type: { kind: 'boolean' },
    default: false,
    doc: 'accept only reserved domains and addresses as hostports of edges',
  },
  {
    name: 'policyLint',
    type: { kind: 'choice', of: ['off', 'warn', 'error'] },
    default: 'warn',
    doc: 'findings of lint rules in policies: `off` ignores them, `warn` reports them in dry runs, `error` rejects policies with errors',
  },
  {
    name: 'policyTime',
    type: { kind: 'integer', min: 1, max: 600 },
    default: 10,
    doc: 'maximum processor time in seconds for the check of a request body with a policy',
  },
  {
    name: 'policyMemory',
    type: { kind: 'integer', min: 64, max: 4096 },
    default: 256,
    doc: 'maximum memory in megabytes for the check of a request body with a policy',
  },
  {
    name: 'privateDestinations',
    type: { kind: 'boolean' },
    default: false,
    doc: 'allow event destinations with private and loopback addresses',
  },
  {
    name: 'eventsFolder',
    type: { kind: 'text' },
    default: '',
    doc: 'folder for event destinations of the kind `file`; without it, they are rejected',
  },
  {
    name: 'eventTries',
    type: { kind: 'integer', min: 1, max: 100 },
    default: 12,
    doc: 'attempts to deliver an event before it becomes a dead letter',
  },
  {
    name: 'changesKept',
    type: { kind: 'integer', min: 1, max: 36_500 },
    default: 365,
    doc: 'days for which the record of changes is kept',
  },
  {
    name: 'logLevel',
    type: { kind: 'choice', of: ['debug', 'info', 'warn', 'error', 'silent'] },
    default: 'info',
    doc: 'minimum level of log messages',
  },
] as const satisfies readonly SettingFact[];

type Fact = (typeof SERVER_SETTINGS)[number];

type ValueOf<T extends SettingType> = T extends { kind: 'integer' }
  ? number
  : T extends { kind: 'boolean' }
    ? boolean
    : T extends { kind: 'list' }
      ? readonly string[]
      : T extends { kind: 'choice'; of: readonly (infer Choice)[] }
        ? Choice
        : string;

/** The settings of a server. */
export type ServerSettings = { readonly [F in Fact as F['name']]: ValueOf<F['type']> };

/** Returns the flag of a setting, without dashes. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Returns the environment variable of a setting. */
export function variableOf(name: string): string {
  return `TOLLGATE_${name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`;
}

/** The type of a setting. */
export type SettingType =
  | { readonly kind: 'text'; readonly form?: RegExp; readonly expected?: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'list'; readonly form?: RegExp; readonly expected?: string }
  | { readonly kind: 'choice'; readonly of: readonly string[] };

/** The value of a setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** A parsed value, or what was expected instead. */
export type ParsedSetting = { readonly value: SettingValue } | { readonly expected: string };

/** Parses a value from the command line or the environment. List items are separated by commas. */
export function parseSetting(type: SettingType, text: string): ParsedSetting {
  switch (type.kind) {
    case 'integer':
      return validateSetting(type, /^-?\d+$/.test(text) ? Number(text) : text);
    case 'boolean':
      return validateSetting(type, text === 'true' ? true : text === 'false' ? false : text);
    case 'list':
      return validateSetting(type, text === '' ? [] : text.split(',').map(item => item.trim()));
    case 'text':
    case 'choice':
      return validateSetting(type, text);
  }
}

/** Validates a value from a settings file. */
export function validateSetting(type: SettingType, value: unknown): ParsedSetting {
  const isValid = fits(type, value);
  return isValid ? { value: value as SettingValue } : { expected: describeType(type) };
}

/** Describes the values of a type, for messages and help. */
export function describeType(type: SettingType): string {
  switch (type.kind) {
    case 'integer':
      return `a whole number from ${type.min} to ${type.max}`;
    case 'boolean':
      return '`true` or `false`';
    case 'list':
      return `a list of ${type.expected ?? 'strings'}`;
    case 'text':
      return type.expected ?? 'a string';
    case 'choice':
      return `one of ${type.of.map(one => `\`${one}\``).join(', ')}`;
  }
}

function fits(type: SettingType, value: unknown): boolean {
  switch (type.kind) {
    case 'integer':
      return Number.isInteger(value) && Number(value) >= type.min && Number(value) <= type.max;
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every(item => isText(item, type.form));
    case 'text':
      return isText(value, type.form);
    case 'choice':
      return typeof value === 'string' && type.of.includes(value);
  }
}

function isText(value: unknown, form = /./): boolean {
  return typeof value === 'string' && form.test(value);
}
