import { BOOL, duration, STRING, STRINGS, URL } from '../actions/config-types.ts';
import type { ActionFact, ConfigField } from '../schema/action-fact.ts';
import { ON_CONNECT_WITH_TLS, ON_REQUEST } from './availability.ts';

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
