// The shapes of the modules of routes: headers, compression and the like, and those that sign users on.

import { WEBHOOK_PROVIDERS } from '@tollgate/catalog';
import {
  BOOLEAN,
  ENABLED,
  field,
  list,
  map,
  oneOf,
  PLAIN_TEXT,
  type Shape,
  text,
  uint32,
  upTo,
} from '../definition/field.ts';
import { LIMITS, WEBHOOK_PROVIDERS_WITHOUT_SECRET } from '../definition/wire.ts';

const HEADER_NAME = [{ format: 'header-name', code: 7023 }] as const;
const NAME_BYTES = { limit: LIMITS.headerNameBytes, code: 7105 };

const NAME = text({ formats: HEADER_NAME, maxBytes: NAME_BYTES, lowerCased: true });
const REQUEST_NAME = text({
  formats: [...HEADER_NAME, { format: 'mutable-request-header', code: 7023 }],
  maxBytes: NAME_BYTES,
  lowerCased: true,
});
const VALUE = text({
  formats: [{ format: 'header-value', code: 7024 }],
  maxBytes: { limit: LIMITS.headerValueBytes, code: 7106 },
});

function headerFields<const N extends typeof NAME | typeof REQUEST_NAME>(name: N, what: string) {
  return {
    enabled: ENABLED,
    add: field(
      map(VALUE, { keys: name, max: { limit: LIMITS.headersAdded, code: 7015 }, uniqueKeys: 7069 }),
      { default: {} },
      'A 2.8',
      `Header names with values that are added to the ${what}.`,
    ),
    remove: field(
      list(name, { max: { limit: LIMITS.headersRemoved, code: 7015 } }),
      { default: [] },
      'A 2.8',
      `Names of headers that are removed from the ${what}.`,
    ),
  } as const;
}

/** Modules of HTTPS edge routes, except those that sign users on. */
export const ROUTE_MODULES = {
  EndpointCircuitBreaker: {
    doc: 'Refuses requests while the upstream is failing.',
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      tripped_duration: field(
        uint32({ min: { limit: 1, code: 7016 } }),
        { default: 10 },
        'A 2.8',
        'Seconds to wait after the circuit tripped before checking the upstream again.',
      ),
      rolling_window: field(
        uint32({ min: { limit: 1, code: 7017 } }),
        { default: 10 },
        'A 2.8',
        'Seconds of the window in which metrics are retained.',
      ),
      num_buckets: field(
        uint32({ min: { limit: 1, code: 7018 }, max: { limit: LIMITS.buckets, code: 7018 } }),
        { default: 10 },
        'A 2.8, A 8',
        'Buckets in which metrics are retained.',
      ),
      volume_threshold: field(uint32(), { default: 20 }, 'A 2.8', 'Requests in a window before the circuit may trip.'),
      error_threshold_percentage: field(
        { kind: 'number', min: { limit: 0, code: 7011 }, max: { limit: 1, code: 7011 } },
        { default: 0 },
        'A 2.8, A 8',
        'Fraction of requests that must fail for the circuit to trip, from 0 to 1.0.',
      ),
    },
  },
  EndpointCompression: { doc: 'Compresses responses.', source: 'A 2.8', fields: { enabled: ENABLED } },
  EndpointRequestHeaders: {
    doc: 'Changes the headers of requests before they go upstream.',
    source: 'A 2.8',
    fields: headerFields(REQUEST_NAME, 'request'),
    rules: [{ kind: 'removal-needs-replacement', names: ['host'], code: 7164 }],
  },
  EndpointResponseHeaders: {
    doc: 'Changes the headers of responses.',
    source: 'A 2.8',
    fields: headerFields(NAME, 'answer'),
  },
  EndpointWebhookValidation: {
    doc: "Admits only webhooks with the provider's signature.",
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      provider: field(
        { kind: 'text', oneOf: { values: WEBHOOK_PROVIDERS, code: 7030, ignoreCase: true } },
        { required: 7029 },
        'A 2.8, B 4',
        'The provider that sends the webhooks, in any case; returned as sent.',
      ),
      secret: field(
        text({ maxBytes: { limit: LIMITS.secretBytes, code: 7154 } }),
        { default: '', secret: 'clear' },
        'A 2.8',
        'Secret that the provider signs with.',
      ),
    },
    rules: [
      {
        kind: 'required-unless',
        field: 'secret',
        other: 'provider',
        values: WEBHOOK_PROVIDERS_WITHOUT_SECRET,
        code: 7027,
      },
      {
        kind: 'refused-when',
        field: 'secret',
        other: 'provider',
        values: WEBHOOK_PROVIDERS_WITHOUT_SECRET,
        code: 7026,
      },
      {
        kind: 'format-when',
        field: 'secret',
        other: 'provider',
        values: ['sendgrid'],
        format: 'p256-public-key',
        code: 7107,
      },
    ],
  },
  EndpointWebsocketTCPConverter: {
    doc: 'Converts a binary websocket stream to a TCP connection to the upstream.',
    source: 'A 2.8',
    fields: { enabled: ENABLED },
  },
  EndpointUserAgentFilter: {
    doc: 'Allows or denies requests by their user agent.',
    source: 'A 2.8',
    fields: {
      enabled: ENABLED,
      allow: field(list(PLAIN_TEXT), { default: [] }, 'A 2.8', 'Patterns of user agents to allow.'),
      deny: field(list(PLAIN_TEXT), { default: [] }, 'A 2.8', 'Patterns of user agents to deny.'),
    },
  },
} as const satisfies Record<string, Shape>;

/** Returns the session fields of OAuth, SAML and OIDC, with the errors of each module. */
function session(codes: { readonly prefix: number; readonly duration: number }) {
  return {
    enabled: ENABLED,
    options_passthrough: field(
      BOOLEAN,
      { default: false },
      'A 2.9',
      'Whether OPTIONS requests pass without a session, as CORS requires.',
    ),
    cookie_prefix: field(
      text({
        maxBytes: { limit: LIMITS.textBytes, code: codes.prefix },
        formats: [{ format: 'cookie-prefix', code: 7042 }],
      }),
      { default: 'svc.' },
      'A 2.9',
      'Prefix of the session cookie: letters, digits and periods.',
    ),
    inactivity_timeout: field(
      uint32({ max: { limit: LIMITS.inactivitySeconds, code: 7092 } }),
      { default: 0 },
      'A 2.9, B 1.5',
      'Seconds without a request after which a session ends; 0 for no limit.',
    ),
    maximum_duration: field(
      uint32({ max: { limit: LIMITS.sessionSeconds, code: codes.duration } }),
      { default: 0 },
      'A 2.9',
      'Maximum duration of a session in seconds; 0 for no limit.',
    ),
  } as const;
}

const SCOPES = field(
  list(text({ maxBytes: { limit: LIMITS.textBytes, code: 7141 }, formats: [{ format: 'not-empty', code: 7053 }] }), {
    max: { limit: LIMITS.listEntries, code: 7056 },
  }),
  { default: [] },
  'A 2.10',
  "Scopes to request from the provider; only with the caller's own OAuth application.",
);

const OWN_APPLICATION = [
  { kind: 'needs', field: 'client_id', needs: ['client_secret'], code: 7033 },
  { kind: 'needs', field: 'client_secret', needs: ['client_id'], code: 7033 },
  { kind: 'needs', field: 'scopes', needs: ['client_id', 'client_secret'], code: 7034 },
] as const;

const PROVIDER_FIELDS = {
  client_id: field(
    upTo(LIMITS.textBytes, 7137),
    { nullable: true },
    'A 2.10',
    "Client id of the caller's own OAuth application; by default, the service's application is used.",
  ),
  client_secret: field(
    upTo(LIMITS.secretBytes, 7138),
    { nullable: true, secret: 'clear' },
    'A 2.10',
    "Client secret of the caller's own OAuth application.",
  ),
  scopes: SCOPES,
  email_addresses: field(
    list(
      text({
        maxBytes: { limit: LIMITS.textBytes, code: 7139 },
        formats: [
          { format: 'not-empty', code: 7051 },
          { format: 'lower-case', code: 7067 },
          { format: 'email', code: 7043 },
        ],
      }),
      { max: { limit: LIMITS.listEntries, code: 7060 }, unique: { code: 7046 } },
    ),
    { default: [] },
    'A 2.10',
    'Email addresses of users who may pass.',
  ),
  email_domains: field(
    list(
      text({
        maxBytes: { limit: LIMITS.textBytes, code: 7140 },
        formats: [
          { format: 'not-empty', code: 7052 },
          { format: 'lower-case', code: 7068 },
          { format: 'email-domain', code: 7039 },
        ],
      }),
      { max: { limit: LIMITS.listEntries, code: 7061 }, unique: { code: 7047 } },
    ),
    { default: [] },
    'A 2.10',
    'Email domains of users who may pass.',
  ),
} as const;

function provider(name: string) {
  return {
    doc: `${name} as identity provider, and the users who may pass.`,
    source: 'A 2.10',
    fields: PROVIDER_FIELDS,
    rules: OWN_APPLICATION,
  } as const;
}

const PROVIDERS = ['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'] as const;

function member<const N extends string>(name: N) {
  return {
    type: { kind: 'shape', name, request: name },
    nullable: true,
    doc: 'The provider; null if another is configured.',
    source: 'A 2.10',
  } as const;
}

/** Modules that sign users on. */
export const SIGN_ON_MODULES = {
  EndpointOAuth: {
    doc: 'Admits only users who have signed on with an identity provider.',
    source: 'A 2.10',
    fields: {
      ...session({ prefix: 7136, duration: 7161 }),
      provider: field(
        { kind: 'shape', name: 'EndpointOAuthProvider', request: 'EndpointOAuthProvider' },
        { required: 7037 },
        'A 2.10',
        'The identity provider and the users who may pass.',
      ),
      auth_check_interval: field(
        uint32({
          min: { limit: LIMITS.authCheckSeconds, code: 7035 },
          max: { limit: LIMITS.sessionSeconds, code: 7158 },
          zeroIsNone: true,
        }),
        { default: 0 },
        'A 2.10, B 1.5',
        "Seconds after which a user's state is fetched and checked again; 0 for never.",
      ),
    },
  },
  EndpointOAuthProvider: {
    doc: 'Exactly one identity provider.',
    source: 'A 2.10, B 1.5',
    fields: {
      github: member('EndpointOAuthGitHub'),
      facebook: member('EndpointOAuthFacebook'),
      microsoft: member('EndpointOAuthMicrosoft'),
      google: member('EndpointOAuthGoogle'),
      linkedin: member('EndpointOAuthLinkedIn'),
      gitlab: member('EndpointOAuthGitLab'),
      twitch: member('EndpointOAuthTwitch'),
      amazon: member('EndpointOAuthAmazon'),
    },
    rules: [{ kind: 'exactly-one', of: PROVIDERS, none: 7037, many: 7036 }],
  },
  EndpointOAuthGitHub: {
    ...provider('GitHub'),
    fields: {
      ...PROVIDER_FIELDS,
      teams: field(
        list(
          text({
            maxBytes: { limit: LIMITS.textBytes, code: 7143 },
            formats: [
              { format: 'not-empty', code: 7053 },
              { format: 'github-team', code: 7040 },
            ],
          }),
          { max: { limit: LIMITS.listEntries, code: 7057 }, unique: { code: 7048 } },
        ),
        { default: [] },
        'A 2.10',
        'Teams whose members may pass, as `<org_slug>/<team_slug>` or a numeric id.',
      ),
      organizations: field(
        list(
          text({
            maxBytes: { limit: LIMITS.textBytes, code: 7145 },
            formats: [{ format: 'not-empty', code: 7054 }],
          }),
          { max: { limit: LIMITS.listEntries, code: 7058 }, unique: { code: 7049 } },
        ),
        { default: [] },
        'A 2.10',
        'Organizations whose members may pass.',
      ),
    },
  },
  EndpointOAuthFacebook: provider('Facebook'),
  EndpointOAuthMicrosoft: provider('Microsoft'),
  EndpointOAuthGoogle: provider('Google'),
  EndpointOAuthLinkedIn: provider('LinkedIn'),
  EndpointOAuthGitLab: provider('GitLab'),
  EndpointOAuthTwitch: provider('Twitch'),
  EndpointOAuthAmazon: provider('Amazon'),
  EndpointSAML: {
    doc: 'Admits only users who have signed on with a SAML identity provider.',
    source: 'A 2.11',
    fields: {
      ...session({ prefix: 215, duration: 215 }),
      idp_metadata: field(
        text({
          maxBytes: { limit: LIMITS.samlMetadataBytes, code: 7080 },
          formats: [{ format: 'saml-metadata', code: 7083 }],
        }),
        { required: 7081 },
        'A 2.11',
        "The identity provider's EntityDescriptor as XML.",
      ),
      force_authn: field(
        BOOLEAN,
        { default: false },
        'A 2.11',
        'Whether users must present credentials on every redirect, even with a session.',
      ),
      allow_idp_initiated: field(
        BOOLEAN,
        { default: false },
        'A 2.11',
        'Whether the identity provider may start a login.',
      ),
      authorized_groups: field(
        list(PLAIN_TEXT),
        { default: [] },
        'A 2.11',
        'Groups whose members may pass; all users if empty.',
      ),
      entity_id: field(PLAIN_TEXT, { use: 'answer' }, 'A 2.11', "The service provider's entity id: the metadata URL."),
      assertion_consumer_service_url: field(
        PLAIN_TEXT,
        { use: 'answer' },
        'A 2.11',
        'Public URL of the Assertion Consumer Service.',
      ),
      single_logout_url: field(PLAIN_TEXT, { use: 'answer' }, 'A 2.11', 'Public URL of the Single Logout Service.'),
      request_signing_certificate_pem: field(
        PLAIN_TEXT,
        { use: 'answer', default: '' },
        'A 2.11',
        'Certificate of the key that signs requests to the identity provider, in PEM; empty if the service does not sign them.',
      ),
      metadata_url: field(PLAIN_TEXT, { use: 'answer' }, 'A 2.11', "Public URL of the service provider's metadata."),
      nameid_format: field(
        oneOf(
          [
            'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
            'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
            'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
            'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
          ],
          1693,
        ),
        { default: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
        'A 2.11',
        'Format of name identifiers that assertions must have.',
      ),
    },
  },
  EndpointOIDC: {
    doc: 'Admits only users who have signed on with an OpenID provider.',
    source: 'A 2.12',
    fields: {
      ...session({ prefix: 7153, duration: 7162 }),
      issuer: field(
        text({ maxBytes: { limit: LIMITS.issuerBytes, code: 7087 }, formats: [{ format: 'url', code: 7087 }] }),
        { required: 7088 },
        'A 2.12',
        'URL of the OpenID provider, where discovery starts.',
      ),
      client_id: field(upTo(LIMITS.textBytes, 7148), { required: 7089 }, 'A 2.12', 'Client id and audience.'),
      client_secret: field(
        upTo(LIMITS.secretBytes, 7149),
        { required: 7090, secret: 'clear' },
        'A 2.12',
        'Client secret.',
      ),
      scopes: field(
        list(upTo(LIMITS.textBytes, 7151), { max: { limit: LIMITS.listEntries, code: 7150 } }),
        { default: [] },
        'A 2.12',
        'Scopes to request from the provider.',
      ),
    },
  },
} as const satisfies Record<string, Shape>;
