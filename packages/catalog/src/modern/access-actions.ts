import type { ActionFact, ConfigField, ConfigType } from '../schema/action-fact.ts';
import {
  BOOL,
  duration,
  ENFORCE,
  inProfile,
  jwtValidation,
  NON_EMPTY,
  ON_ERROR,
  RATE_LIMIT,
  RESTRICT_IPS,
  STRING,
  STRINGS,
  TOKEN_EXAMPLE,
  URL,
  WEBHOOK_PROVIDER_ALIASES,
  WEBHOOK_PROVIDERS,
} from '../schema/shared-actions.ts';
import { ON_ALL, ON_CONNECT_WITH_TLS, ON_REQUEST, ON_RESPONSE } from './availability.ts';

const YEAR = 31_536_000;

const CLIENT = [
  {
    name: 'client_id',
    type: STRING,
    interpolation: 'expressions',
    needs: 'client_secret',
    doc: 'The client id of your own application; requires `client_secret`.',
  },
  {
    name: 'client_secret',
    role: 'secret',
    type: STRING,
    interpolation: 'expressions',
    needs: 'client_id',
    doc: 'The client secret of your own application.',
  },
] as const satisfies readonly ConfigField[];

const SESSION = [
  { name: 'auth_id', type: STRING, doc: 'Identifies this action among several when users sign in and out.' },
  { name: 'scopes', type: STRINGS, doc: 'The scopes to request; by default, the minimum that the provider needs.' },
  {
    name: 'authz_url_params',
    type: { kind: 'map', value: STRING },
    default: {},
    doc: "Additional parameters for the provider's authorization page.",
  },
  {
    name: 'max_session_duration',
    type: duration(1, 100 * YEAR),
    doc: 'The time after which users must sign in again.',
  },
  {
    name: 'userinfo_refresh_interval',
    type: duration(1, 100 * YEAR),
    doc: "How often to refresh the user's information.",
  },
  { name: 'allow_cors_preflight', type: BOOL, default: false, doc: 'Whether to admit CORS preflight requests.' },
  { name: 'auth_cookie_domain', type: { kind: 'domain' }, doc: 'The domain of the session cookie.' },
] as const satisfies readonly ConfigField[];

export const IDENTITY_ACTIONS = [
  {
    ...ON_REQUEST,
    type: 'oauth',
    onlyOneOf: 'authentication',
    doc: 'Admits users who have signed in with a provider and redirects all others to it.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'a redirect to the provider',
    config: [
      {
        name: 'provider',
        type: {
          kind: 'choice',
          values: ['amazon', 'facebook', 'github', 'gitlab', 'google', 'linkedin', 'microsoft', 'twitch'],
        },
        required: true,
        doc: 'The identity provider.',
      },
      ...CLIENT,
      ...SESSION,
      {
        name: 'idle_session_timeout',
        type: duration(1, 100 * YEAR),
        doc: 'The time without traffic after which users must sign in again.',
      },
    ],
    example: { provider: 'google', max_session_duration: '8h' },
    source: 'documented',
  },
  {
    ...ON_REQUEST,
    type: 'openid-connect',
    onlyOneOf: 'authentication',
    doc: 'Admits users who have signed in with an issuer and redirects all others to it.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'a redirect to the issuer',
    config: [
      { name: 'issuer_url', type: URL, required: true, doc: 'The URL of the issuer.' },
      ...CLIENT,
      ...SESSION,
      {
        name: 'idle_session_duration',
        type: duration(1, 100 * YEAR),
        doc: 'The time without traffic after which users must sign in again.',
      },
    ],
    example: {
      issuer_url: 'https://id.example.com',
      client_id: 'tollgate',
      client_secret: "${secrets.get('id', 'client')}",
    },
    source: 'documented',
  },
  {
    ...ON_REQUEST,
    type: 'saml',
    onlyOneOf: 'authentication',
    doc: 'Admits users who have signed in with a SAML identity provider and redirects all others to it. Early access: not available to every account.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'a redirect to the identity provider',
    config: [
      {
        name: 'idp_metadata',
        type: STRING,
        interpolation: 'expressions',
        doc: 'The metadata of the identity provider, as XML.',
      },
      {
        name: 'idp_metadata_url',
        type: URL,
        interpolation: 'expressions',
        doc: "The URL of the identity provider's metadata.",
      },
    ],
    openConfig: true,
    example: { idp_metadata_url: 'https://id.example.com/metadata' },
    source: 'documented',
  },
  {
    ...ON_CONNECT_WITH_TLS,
    type: 'terminate-tls',
    doc: 'Configures how the edge terminates TLS.',
    terminates: 'never',
    outcome: 'no response of its own',
    config: [
      {
        name: 'min_version',
        role: 'least-tls-version',
        type: { kind: 'choice', values: ['1.0', '1.1', '1.2', '1.3'] },
        default: '1.2',
        atMost: 'max_version',
        doc: 'The oldest accepted TLS version.',
      },
      {
        name: 'max_version',
        type: { kind: 'choice', values: ['1.0', '1.1', '1.2', '1.3'] },
        default: '1.3',
        doc: 'The newest accepted TLS version.',
      },
      {
        name: 'server_private_key',
        role: 'secret',
        type: STRING,
        interpolation: 'expressions',
        needs: 'server_certificate',
        doc: "The certificate's private key, as PEM.",
      },
      {
        name: 'server_certificate',
        type: STRING,
        interpolation: 'expressions',
        needs: 'server_private_key',
        doc: 'The server certificate, as PEM.',
      },
      {
        name: 'mutual_tls_certificate_authorities',
        type: { ...STRINGS, orOne: true },
        interpolation: 'expressions',
        doc: 'The certificate authorities accepted for client certificates, as PEM or ids.',
      },
      {
        name: 'mutual_tls_verification_strategy',
        type: { kind: 'choice', values: ['require-and-verify', 'require-any', 'request'] },
        default: 'require-and-verify',
        doc: 'What is required of client certificates.',
      },
    ],
    example: { min_version: '1.3' },
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];

const IP_POLICIES = {
  kind: 'list',
  of: { kind: 'shape', patterns: ['^ipp_\\w+$'], expected: 'the id of an IP policy, which starts with `ipp_`' },
} as const satisfies ConfigType;

const CORE_RULES = {
  terminates: 'on-refusal',
  isHeavy: true,
  outcome: 'status 403',
  config: [
    {
      name: 'on_error',
      type: ON_ERROR,
      default: 'halt',
      doc: 'Whether traffic passes if the rules cannot be evaluated.',
    },
    { name: 'process_body', type: BOOL, default: false, doc: 'Whether to inspect the first 4 KB of the body.' },
    {
      name: 'exclude_rule_ids',
      type: { kind: 'list', of: { kind: 'int', min: 900_000, max: 999_999 } },
      default: [],
      doc: 'The ids of rules to ignore.',
    },
  ],
  example: { on_error: 'halt', process_body: true, exclude_rule_ids: [920_350] },
  source: 'documented',
} as const satisfies Partial<ActionFact>;

const KEY_IDENTIFICATION = {
  name: 'identification',
  type: {
    kind: 'object',
    fields: [{ name: 'token_claims', type: STRINGS, default: ['kid'], doc: 'The claims that identify the key.' }],
  },
  doc: "How a token's key is found.",
} as const satisfies ConfigField;

export const ACCESS_ACTIONS: readonly ActionFact[] = [
  {
    ...ON_REQUEST,
    type: 'basic-auth',
    doc: 'Admits requests with one of the given credentials.',
    terminates: 'on-refusal',
    outcome: 'status 401',
    onlyOneOf: 'authentication',
    config: [
      {
        name: 'credentials',
        role: 'secret',
        type: {
          kind: 'list',
          min: 1,
          max: 10,
          of: { kind: 'credentials', min: 8, max: 128 },
        },
        required: true,
        interpolation: 'expressions',
        doc: 'User names and passwords, separated by the first colon.',
      },
      {
        name: 'realm',
        type: { kind: 'shape', patterns: ['^[\\x20-\\x7e]{0,128}$'], expected: 'up to 128 printable ASCII characters' },
        default: 'ngrok',
        doc: 'The realm that browsers show when they ask for credentials.',
      },
      ENFORCE,
    ],
    example: { credentials: ["${secrets.get('staff', 'ada')}"], realm: 'staff' },
    source: 'documented',
  },
  inProfile(RESTRICT_IPS, {
    ...ON_ALL,
    fields: {
      allow: { interpolation: 'expressions' },
      deny: { interpolation: 'expressions' },
      ip_policies: { type: IP_POLICIES, refusals: { 'config/bad-shape': 2216 } },
    },
    example: { enforce: true, allow: ['203.0.113.0/24', '2001:db8::/32'] },
  }),
  inProfile(RATE_LIMIT, {
    ...ON_REQUEST,
    fields: {
      name: { type: { kind: 'string', nonEmpty: true, max: 1023 } },
      algorithm: { default: 'sliding_window' },
    },
    after: { bucket_key: [ENFORCE] },
    example: {
      name: 'per-client',
      algorithm: 'sliding_window',
      capacity: 100,
      rate: '60s',
      bucket_key: ['conn.client_ip', "getReqHeader('x-api-key')"],
    },
  }),
  {
    ...ON_REQUEST,
    type: 'circuit-breaker',
    doc: 'Refuses requests for a while after too many recent requests ended in upstream errors.',
    terminates: 'on-refusal',
    outcome: 'status 503',
    config: [
      {
        name: 'error_threshold',
        type: { kind: 'number', min: 0, max: 1 },
        default: 0.5,
        doc: 'The fraction of errors at which it trips.',
      },
      {
        name: 'volume_threshold',
        type: { kind: 'int', min: 1, max: 2_000_000_000 },
        default: 10,
        doc: 'The number of requests in a window below which it does not trip.',
      },
      {
        name: 'window_duration',
        type: duration(1, 120),
        default: '10s',
        doc: 'The time over which requests are counted.',
      },
      {
        name: 'tripped_duration',
        type: duration(1, 120),
        default: '10s',
        doc: 'How long requests are refused after it trips.',
      },
      {
        name: 'num_buckets',
        type: { kind: 'int', min: 10, max: 10 },
        default: 10,
        doc: 'The number of buckets in a window.',
      },
      ENFORCE,
    ],
    example: { error_threshold: 0.25, volume_threshold: 20, window_duration: '30s', tripped_duration: '1m' },
    source: 'documented',
  },
  inProfile(jwtValidation({ hasExpressions: true, keySet: URL, keyFields: [KEY_IDENTIFICATION] }), {
    ...ON_REQUEST,
    example: TOKEN_EXAMPLE,
  }),
  {
    ...ON_REQUEST,
    type: 'verify-webhook',
    doc: 'Admits requests signed by a webhook provider.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'status 403',
    config: [
      {
        name: 'provider',
        type: { kind: 'choice', values: [...WEBHOOK_PROVIDERS, ...WEBHOOK_PROVIDER_ALIASES] },
        required: true,
        doc: 'The webhook provider.',
      },
      {
        name: 'secret',
        role: 'secret',
        type: NON_EMPTY,
        required: true,
        interpolation: 'expressions',
        doc: 'The secret that the provider signs with.',
      },
      ENFORCE,
    ],
    example: { provider: 'github', secret: "${secrets.get('hooks', 'github')}" },
    source: 'documented',
  },
  {
    ...ON_REQUEST,
    type: 'owasp-crs-request',
    doc: 'Evaluates the OWASP Core Rule Set on the request.',
    ...CORE_RULES,
  },
  {
    ...ON_RESPONSE,
    type: 'owasp-crs-response',
    doc: 'Evaluates the OWASP Core Rule Set on the response.',
    ...CORE_RULES,
  },
];
