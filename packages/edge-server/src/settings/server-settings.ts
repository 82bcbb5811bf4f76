import type { SettingType, SettingValue } from './setting.ts';

/** A setting of the server: one fact, read by the command line, the environment, the settings file and the documentation. */
export interface SettingFact {
  /** In the settings file. The flag is the same in kebab case, the environment's `TOLLGATE_` and upper case. */
  readonly name: string;
  readonly type: SettingType;
  readonly default: SettingValue;
  readonly doc: string;
}

const HEADER_NAME = { form: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, expected: 'header names' };
const HTTP_URL = {
  form: /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/,
  expected: 'an `http:` or `https:` URL without query',
};

/** All settings, in the order of the help. An empty text stands for none. */
export const SERVER_SETTINGS = [
  { name: 'host', type: { kind: 'text' }, default: '127.0.0.1', doc: 'address to listen on' },
  {
    name: 'port',
    type: { kind: 'integer', min: 0, max: 65_535 },
    default: 7373,
    doc: 'port to listen on; 0 for any free one',
  },
  {
    name: 'database',
    type: { kind: 'text' },
    default: 'tollgate.db',
    doc: 'a `postgres://` URL, or the path of an SQLite file, which is made when there is none',
  },
  {
    name: 'development',
    type: { kind: 'boolean' },
    default: false,
    doc: 'make and print an API key, allow private webhook addresses, limit no rates, and show requests for people',
  },
  {
    name: 'secretKeyFile',
    type: { kind: 'text' },
    default: '',
    doc: 'file with the keys that secrets are encrypted with, unless `TOLLGATE_SECRET_KEY` holds them; beside an SQLite file one is made',
  },
  {
    name: 'publicUrl',
    type: { kind: 'text', ...HTTP_URL, form: /^(?:https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?)?$/ },
    default: '',
    doc: 'URL that clients reach the API by, for the URIs in answers; without it, what each request was sent to',
  },
  {
    name: 'basePath',
    type: { kind: 'text', form: /^(?:\/[\w.~-]+)*$/, expected: 'a path such as `/v1`' },
    default: '',
    doc: 'path that all paths of the API begin with',
  },
  {
    name: 'versionHeaders',
    type: { kind: 'list', ...HEADER_NAME },
    default: ['Service-Version'],
    doc: 'headers that may say the version of the API',
  },
  {
    name: 'operationIdHeader',
    type: { kind: 'text', ...HEADER_NAME, expected: 'a header name' },
    default: 'Service-Operation-Id',
    doc: 'header of answers that says the id of the request',
  },
  {
    name: 'errorPrefix',
    type: { kind: 'text', form: /^[A-Z][A-Z0-9_]*$/, expected: 'upper-case letters, digits and `_`' },
    default: 'ERR_EDGE_',
    doc: "what stands before the number in an error's code",
  },
  {
    name: 'answerDeletes',
    type: { kind: 'boolean' },
    default: false,
    doc: 'answer deletions with 200 and `{}`, for clients that cannot read an empty answer',
  },
  {
    name: 'maxBodyBytes',
    type: { kind: 'integer', min: 1024, max: 67_108_864 },
    default: 1_048_576,
    doc: 'largest body of a request',
  },
  {
    name: 'rateLimit',
    type: { kind: 'integer', min: 0, max: 10_000_000 },
    default: 1200,
    doc: 'requests of one API key in a minute; 0 for no limit',
  },
  {
    name: 'maxConcurrent',
    type: { kind: 'integer', min: 1, max: 100_000 },
    default: 500,
    doc: 'requests that are answered at the same time',
  },
  {
    name: 'requestTimeout',
    type: { kind: 'integer', min: 1, max: 3600 },
    default: 30,
    doc: 'seconds that a request may take to arrive',
  },
  {
    name: 'shutdownTimeout',
    type: { kind: 'integer', min: 0, max: 3600 },
    default: 10,
    doc: 'seconds that requests have left when the server is told to stop',
  },
  {
    name: 'trustProxy',
    type: { kind: 'boolean' },
    default: false,
    doc: 'believe the `X-Forwarded-` headers of requests',
  },
  {
    name: 'corsOrigins',
    type: {
      kind: 'list',
      form: /^(?:\*|https?:\/\/[^\s/?#]+)$/,
      expected: 'origins such as `https://console.example`',
    },
    default: [],
    doc: 'origins whose pages may call the API from a browser; `*` for all',
  },
  {
    name: 'reservations',
    type: { kind: 'boolean' },
    default: false,
    doc: 'take only hostports of reserved domains and addresses for edges',
  },
  {
    name: 'privateDestinations',
    type: { kind: 'boolean' },
    default: false,
    doc: 'let events go to private and loopback addresses',
  },
  {
    name: 'eventsFolder',
    type: { kind: 'text' },
    default: '',
    doc: 'folder that event destinations of the kind `file` are below; without it there are none',
  },
  {
    name: 'eventTries',
    type: { kind: 'integer', min: 1, max: 100 },
    default: 12,
    doc: 'how often an event is tried before it becomes a dead letter',
  },
  {
    name: 'logLevel',
    type: { kind: 'choice', of: ['debug', 'info', 'warn', 'error', 'silent'] },
    default: 'info',
    doc: 'least level of what is logged',
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

/** What a server is run with. */
export type ServerSettings = { readonly [F in Fact as F['name']]: ValueOf<F['type']> };

/** The flag of a setting, without dashes. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** The variable of the environment that a setting can be given by. */
export function variableOf(name: string): string {
  return `TOLLGATE_${name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`;
}
