// What actions of several profiles share: those actions, and parts of configurations.

import type { ActionFact, ConfigField, ConfigType } from './action-fact.ts';
import type { Availability } from './fact.ts';

/** Fields of a message that are derived from its headers, as any profile spells them. */
const OF_HEADERS = [
  ...['Headers', 'Cookies', 'Location', 'ContentLength', 'Trailers'],
  ...['headers', 'cookies', 'location', 'content_length', 'content_encoding', 'content_type', 'trailers'],
];

/** Inputs that may change when an action adds or removes headers. */
const CHANGED_WITH_HEADERS: readonly string[] = [
  ...OF_HEADERS.flatMap(name => [`req.${name}`, `res.${name}`]),
  ...['req.Host', 'req.URL', 'req.host', 'req.url', 'req.user_agent'],
];

/** Inputs that may change when an action rewrites the URL. */
const CHANGED_WITH_URL: readonly string[] = [
  ...['req.URL', 'req.Path', 'req.Params', 'req.Host'],
  ...['req.url', 'req.host', 'req.headers', 'req.Headers'],
];

export const STRING = { kind: 'string' } as const satisfies ConfigType;
export const NON_EMPTY = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;
export const URL = { kind: 'url' } as const satisfies ConfigType;
export const BOOL = { kind: 'bool' } as const satisfies ConfigType;
export const STRINGS = { kind: 'list', of: NON_EMPTY } as const satisfies ConfigType;

export const HEADERS = { kind: 'map', key: 'header-name', value: STRING, max: 10 } as const satisfies ConfigType;

export const ENFORCE = {
  name: 'enforce',
  type: BOOL,
  default: true,
  doc: 'Whether to refuse traffic, or only record what would be refused.',
} as const satisfies ConfigField;

export const ON_ERROR = { kind: 'choice', values: ['halt', 'continue'] } as const satisfies ConfigType;

/** A duration between `min` and `max` seconds. */
export function duration(min: number, max: number): ConfigType {
  return { kind: 'duration', min, max };
}

/** What all profiles that have an action agree on. Profiles add where it may be used, and how it differs there. */
type SharedAction = Omit<ActionFact, keyof Availability | 'example'>;

/** An action in one profile: where it may be used, and what it has in addition to the shared fact. */
interface ProfileAction extends Availability, Pick<ActionFact, 'changes' | 'example' | 'since'> {
  readonly doc?: string;
  /** Members of shared fields to add or replace, by the name of the field. */
  readonly fields?: Readonly<Record<string, Partial<Omit<ConfigField, 'name'>>>>;
  /** Fields that only this profile has, by the name of the field that they follow. */
  readonly after?: Readonly<Record<string, readonly ConfigField[]>>;
}

/** Returns the fact of a shared action in one profile. */
export function inProfile(shared: SharedAction, { fields, after, ...own }: ProfileAction): ActionFact {
  const config = shared.config.flatMap(field => [
    { ...field, ...fields?.[field.name] },
    ...(after?.[field.name] ?? []),
  ]);
  return { ...shared, ...own, config };
}

const STATUS = { name: 'status_code', role: 'status' } as const;
const URL_PATTERN = { name: 'from', role: 'url-pattern', type: { kind: 'regex' } } as const;
const URL_REPLACEMENT = { name: 'to', role: 'url-replacement', required: true } as const;
const HEADER_MAP = { kind: 'map', key: 'header-name', value: { kind: 'string' } } as const;
const CIDRS = { kind: 'list', of: { kind: 'cidr' } } as const;

export const DENY = {
  type: 'deny',
  doc: 'Refuses the traffic: a response without a body, or a closed connection if there is no request.',
  terminates: 'always',
  changes: [],
  outcome: 'the configured status without a body, or a closed connection',
  config: [{ ...STATUS, type: { kind: 'int', min: 400, max: 599 }, doc: 'The status of the response.' }],
  source: 'documented',
} as const satisfies SharedAction;

export const CUSTOM_RESPONSE = {
  type: 'custom-response',
  doc: 'Responds in place of the upstream, or replaces its response.',
  terminates: 'always',
  changes: [],
  outcome: 'the configured response',
  config: [
    { ...STATUS, type: { kind: 'int', min: 100, max: 599 }, default: 200, doc: 'The status of the response.' },
    { name: 'content', role: 'body', type: { kind: 'string' }, doc: 'The body of the response.' },
    {
      name: 'headers',
      type: HEADER_MAP,
      default: {},
      doc: 'The headers of the response. Without a content type, it is detected from the content.',
    },
  ],
  source: 'documented',
} as const satisfies SharedAction;

export const REDIRECT = {
  type: 'redirect',
  doc: 'Redirects to the URL that results from the replacement; does nothing if the URL stays the same.',
  terminates: 'when-the-url-changes',
  changes: [],
  outcome: 'a redirect',
  config: [
    { ...URL_PATTERN, doc: 'The pattern to replace in the whole URL of the request.' },
    { ...URL_REPLACEMENT, type: { kind: 'string' }, doc: 'The replacement.' },
    { ...STATUS, type: { kind: 'int', min: 300, max: 399 }, default: 302, doc: 'The status of the redirect.' },
    { name: 'headers', type: HEADER_MAP, default: {}, doc: 'The headers of the redirect.' },
  ],
  source: 'documented',
} as const satisfies SharedAction;

export const URL_REWRITE = {
  type: 'url-rewrite',
  doc: 'Rewrites the URL of the request by replacing every match of a pattern. Later rules see the new URL.',
  terminates: 'never',
  changes: CHANGED_WITH_URL,
  outcome: 'no response of its own',
  config: [REDIRECT.config[0], REDIRECT.config[1]],
  source: 'documented',
} as const satisfies SharedAction;

export const LOG = {
  type: 'log',
  doc: 'Adds metadata to the event that is logged for the traffic.',
  terminates: 'never',
  changes: [],
  outcome: 'no response of its own',
  config: [
    {
      name: 'metadata',
      role: 'note',
      type: { kind: 'map', value: { kind: 'any' } },
      default: {},
      doc: 'The metadata to log.',
    },
  ],
  source: 'documented',
} as const satisfies SharedAction;

export const ADD_HEADERS = {
  type: 'add-headers',
  doc: 'Adds headers to the request or to the response. Existing headers are kept, except that `host` is replaced.',
  terminates: 'never',
  changes: CHANGED_WITH_HEADERS,
  outcome: 'no response of its own',
  config: [{ name: 'headers', type: HEADER_MAP, required: true, doc: 'The names and values to add.' }],
  source: 'documented',
} as const satisfies SharedAction;

export const REMOVE_HEADERS = {
  type: 'remove-headers',
  doc: 'Removes headers from the request or from the response.',
  terminates: 'never',
  changes: CHANGED_WITH_HEADERS,
  outcome: 'no response of its own',
  config: [
    {
      name: 'headers',
      type: { kind: 'list', of: { kind: 'header-name' } },
      required: true,
      doc: 'The names to remove, in any case.',
    },
  ],
  source: 'documented',
} as const satisfies SharedAction;

export const COMPRESS_RESPONSE = {
  type: 'compress-response',
  doc: 'Compresses the body of the response if the client accepts it and it is not compressed already.',
  terminates: 'never',
  changes: CHANGED_WITH_HEADERS,
  outcome: 'a compressed body',
  config: [
    {
      name: 'algorithms',
      type: { kind: 'list', of: { kind: 'choice', values: ['gzip', 'deflate', 'br', 'compress'] } },
      default: ['gzip', 'deflate', 'br', 'compress'],
      doc: 'The algorithms to use, in order of preference.',
    },
  ],
  source: 'documented',
} as const satisfies SharedAction;

export const RESTRICT_IPS = {
  type: 'restrict-ips',
  doc: 'Admits clients whose address is in an allow entry and in no deny entry. Only the address of the connection counts.',
  terminates: 'on-refusal',
  changes: [],
  outcome: 'status 403, or a closed connection',
  config: [
    ENFORCE,
    { name: 'allow', role: 'allowed-addresses', type: CIDRS, default: [], doc: 'Address ranges that may pass.' },
    {
      name: 'deny',
      role: 'denied-addresses',
      type: CIDRS,
      default: [],
      doc: 'Address ranges that may not pass, even if `allow` contains them.',
    },
    {
      name: 'ip_policies',
      role: 'address-policies',
      type: { kind: 'list', of: { kind: 'string', nonEmpty: true } },
      default: [],
      doc: 'Ids of IP policies, which are managed separately.',
    },
  ],
  source: 'documented',
} as const satisfies SharedAction;

export const RATE_LIMIT = {
  type: 'rate-limit',
  doc: 'Refuses requests beyond a number per key in a sliding window. Each server of the edge counts separately.',
  terminates: 'on-refusal',
  changes: [],
  outcome: 'status 429 with Retry-After',
  config: [
    { name: 'name', type: { kind: 'string', nonEmpty: true }, required: true, doc: 'A label for the limit.' },
    { name: 'algorithm', type: { kind: 'choice', values: ['sliding_window'] }, doc: 'The counting algorithm.' },
    {
      name: 'capacity',
      type: { kind: 'int', min: 1, max: 2_000_000_000 },
      required: true,
      doc: 'The number of requests allowed in one window.',
    },
    {
      name: 'rate',
      type: { kind: 'duration', min: 60, max: 86_400, multipleOf: 10 },
      required: true,
      doc: 'The length of the window: 60 seconds to 24 hours, in multiples of 10 seconds.',
    },
    {
      name: 'bucket_key',
      role: 'bucket-key',
      type: { kind: 'list', min: 1, max: 10, of: { kind: 'expression' } },
      required: true,
      doc: 'Expressions whose values form the key of a request.',
    },
  ],
  source: 'documented',
} as const satisfies SharedAction;

/** What differs between profiles. */
interface TokenOptions {
  /** Whether strings are interpolated. */
  readonly hasExpressions: boolean;
  /** The type of a key set's address. */
  readonly keySet: ConfigType;
  /** Fields of `jws.keys` after `sources`. */
  readonly keyFields: readonly ConfigField[];
}

/** Returns `jwt-validation` for a profile. */
export function jwtValidation(options: TokenOptions): SharedAction {
  return {
    type: 'jwt-validation',
    doc: 'Admits requests whose tokens are all present, signed by a listed issuer and meant for a listed audience.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'status 401',
    config: configOf(options),
    source: 'documented',
  };
}

/** A realistic configuration. */
export const TOKEN_EXAMPLE = {
  issuer: { allow_list: [{ value: 'https://id.example.com/' }] },
  audience: { allow_list: [{ value: 'https://api.example.com' }] },
  http: { tokens: [{ type: 'jwt', method: 'header', name: 'Authorization', prefix: 'Bearer ' }] },
  jws: {
    allowed_algorithms: ['RS256'],
    keys: { sources: { additional_jkus: ['https://id.example.com/keys.json'] } },
  },
} as const;

const ALGORITHMS = [
  ...['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'EdDSA'],
];

function configOf({ hasExpressions, keySet, keyFields }: TokenOptions): readonly ConfigField[] {
  const interpolated = hasExpressions ? ({ interpolation: 'expressions' } as const) : {};
  const issuers = allowList({
    name: 'value',
    type: NON_EMPTY,
    required: true,
    ...interpolated,
    doc: 'The exact value.',
  });
  const sources: ConfigField = {
    name: 'additional_jkus',
    type: { kind: 'list', of: keySet },
    default: [],
    ...interpolated,
    doc: 'URLs of key sets in addition to those of the issuers.',
  };
  const keys: readonly ConfigField[] = [
    { name: 'sources', type: objectOf([sources]), doc: 'The sources of keys.' },
    ...keyFields,
  ];
  const tokens: ConfigField = {
    name: 'tokens',
    type: { kind: 'list', min: 1, of: objectOf(tokenFields(interpolated)) },
    required: true,
    doc: 'The tokens, all of which must be present.',
  };
  const algorithms: ConfigField = {
    name: 'allowed_algorithms',
    type: { kind: 'list', min: 1, of: { kind: 'choice', values: ALGORITHMS } },
    required: true,
    doc: 'The accepted signature algorithms.',
  };
  return [
    { name: 'issuer', type: issuers, required: true, doc: 'The accepted issuers, compared exactly.' },
    { name: 'audience', type: issuers, doc: 'The accepted audiences, compared exactly.' },
    { name: 'http', type: objectOf([tokens]), required: true, doc: 'Where the request carries tokens.' },
    {
      name: 'jws',
      type: objectOf([algorithms, { name: 'keys', type: objectOf(keys), doc: 'The keys that verify signatures.' }]),
      required: true,
      doc: 'How to verify signatures.',
    },
  ];
}

function tokenFields(interpolated: Pick<ConfigField, 'interpolation'>): readonly ConfigField[] {
  return [
    {
      name: 'type',
      type: { kind: 'choice', values: ['access_token', 'at+jwt', 'id_token', 'it+jwt', 'plain', 'jwt'] },
      required: true,
      doc: 'The kind of token.',
    },
    {
      name: 'method',
      type: { kind: 'choice', values: ['header', 'body'] },
      required: true,
      doc: 'The part of the request that contains the token.',
    },
    {
      name: 'name',
      type: NON_EMPTY,
      required: true,
      ...interpolated,
      doc: 'The name of the header or form field, in any case.',
    },
    {
      name: 'prefix',
      type: STRING,
      default: '',
      ...interpolated,
      doc: 'The prefix before the token, such as `Bearer `.',
    },
  ];
}

function objectOf(fields: readonly ConfigField[]): ConfigType {
  return { kind: 'object', fields };
}

function allowList(value: ConfigField): ConfigType {
  return objectOf([
    {
      name: 'allow_list',
      type: { kind: 'list', min: 1, of: objectOf([value]) },
      required: true,
      doc: 'The token must contain one of these.',
    },
  ]);
}

/** Webhook providers whose signatures an edge can verify, as the Edge Configuration API spells them; `jira` and `linear` were added later. */
export const WEBHOOK_PROVIDERS = [
  'aftership',
  'airship',
  'alchemy',
  'sns',
  'autodesk',
  'bitbucket',
  'bolt',
  'box',
  'brex',
  'buildkite',
  'calendly',
  'castle',
  'chargify',
  'circleci',
  'clearbit',
  'clerk',
  'coinbase',
  'contentful',
  'docusign',
  'dropbox',
  'facebook_graph_api',
  'facebook_messenger',
  'frameio',
  'github',
  'gitlab',
  'go1',
  'heroku',
  'hostedhooks',
  'hubspot',
  'graphcms',
  'instagram',
  'intercom',
  'launch_darkly',
  'mailchimp',
  'mailgun',
  'microsoft_teams',
  'modern_treasury',
  'mongodb',
  'mux',
  'orb',
  'orbit',
  'pagerduty',
  'pinwheel',
  'plivo',
  'pusher',
  'sendgrid',
  'sentry',
  'shopify',
  'signal_sciences',
  'slack',
  'sonatype',
  'square',
  'stripe',
  'svix',
  'terraform',
  'tiktok',
  'trendmicro_conformity',
  'twilio',
  'twitter',
  'typeform',
  'vmware',
  'webex',
  'whatsapp',
  'worldline',
  'xero',
  'zendesk',
  'zoom',
  'jira',
  'linear',
] as const;

/** Spellings of providers that only `verify-webhook` accepts. */
export const WEBHOOK_PROVIDER_ALIASES = ['signalsciences', 'sonatype_nexus', 'vmware_workspace'] as const;
