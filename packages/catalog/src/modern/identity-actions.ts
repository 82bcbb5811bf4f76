import { BOOL, duration, TEXT, TEXTS, URL } from '../actions/config-types.ts';
import type { ActionFact, ConfigField } from '../schema/action-fact.ts';
import { ON_CONNECT_WITH_TLS, ON_REQUEST } from './availability.ts';

const YEAR = 31_536_000;

const CLIENT = [
  {
    name: 'client_id',
    type: TEXT,
    interpolation: 'expressions',
    needs: 'client_secret',
    doc: 'Id of an app of your own; with `client_secret` or not at all.',
  },
  {
    name: 'client_secret',
    role: 'secret',
    type: TEXT,
    interpolation: 'expressions',
    needs: 'client_id',
    doc: 'Secret of that app.',
  },
] as const satisfies readonly ConfigField[];

const SESSION = [
  { name: 'auth_id', type: TEXT, doc: 'Tells several such actions apart when signing in and out.' },
  { name: 'scopes', type: TEXTS, doc: 'What is asked for; the least that the provider needs when not given.' },
  {
    name: 'authz_url_params',
    type: { kind: 'map', value: TEXT },
    default: {},
    doc: 'Parameters for the page of the provider.',
  },
  { name: 'max_session_duration', type: duration(1, 100 * YEAR), doc: 'After which to sign in again.' },
  { name: 'userinfo_refresh_interval', type: duration(1, 100 * YEAR), doc: 'How often to ask who it is.' },
  { name: 'allow_cors_preflight', type: BOOL, default: false, doc: 'Let OPTIONS requests of browsers pass.' },
  { name: 'auth_cookie_domain', type: { kind: 'domain' }, doc: 'Domain of the cookie that holds the session.' },
] as const satisfies readonly ConfigField[];

export const IDENTITY_ACTIONS = [
  {
    ...ON_REQUEST,
    type: 'oauth',
    onlyOneOf: 'authentication',
    doc: 'Lets requests pass of those who have signed in with a provider; sends the others there.',
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
        doc: 'With whom to sign in.',
      },
      ...CLIENT,
      ...SESSION,
      {
        name: 'idle_session_timeout',
        type: duration(1, 100 * YEAR),
        doc: 'Without traffic, after which to sign in again.',
      },
    ],
    example: { provider: 'google', max_session_duration: '8h' },
    source: 'documented',
  },
  {
    ...ON_REQUEST,
    type: 'openid-connect',
    onlyOneOf: 'authentication',
    doc: 'Lets requests pass of those who have signed in with an issuer; sends the others there.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'a redirect to the issuer',
    config: [
      { name: 'issuer_url', type: URL, required: true, doc: 'URL of the issuer.' },
      ...CLIENT,
      ...SESSION,
      {
        name: 'idle_session_duration',
        type: duration(1, 100 * YEAR),
        doc: 'Without traffic, after which to sign in again.',
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
    doc: 'Lets requests pass whose clients have signed in with a SAML identity provider; sends the others there. Early access: not every account has it.',
    terminates: 'on-refusal',
    isHeavy: true,
    outcome: 'a redirect to the identity provider',
    config: [
      {
        name: 'idp_metadata',
        type: TEXT,
        interpolation: 'expressions',
        doc: 'Metadata of the identity provider, in XML.',
      },
      {
        name: 'idp_metadata_url',
        type: URL,
        interpolation: 'expressions',
        doc: 'URL of the metadata of the identity provider.',
      },
    ],
    openConfig: true,
    example: { idp_metadata_url: 'https://id.example.com/metadata' },
    source: 'documented',
  },
  {
    ...ON_CONNECT_WITH_TLS,
    type: 'terminate-tls',
    doc: 'Ends TLS at the edge, as configured.',
    terminates: 'never',
    outcome: 'nothing by itself',
    config: [
      {
        name: 'min_version',
        role: 'least-tls-version',
        type: { kind: 'choice', values: ['1.0', '1.1', '1.2', '1.3'] },
        default: '1.2',
        atMost: 'max_version',
        doc: 'Oldest version of TLS.',
      },
      {
        name: 'max_version',
        type: { kind: 'choice', values: ['1.0', '1.1', '1.2', '1.3'] },
        default: '1.3',
        doc: 'Newest version of TLS.',
      },
      {
        name: 'server_private_key',
        role: 'secret',
        type: TEXT,
        interpolation: 'expressions',
        needs: 'server_certificate',
        doc: 'Key of the certificate, in PEM.',
      },
      {
        name: 'server_certificate',
        type: TEXT,
        interpolation: 'expressions',
        needs: 'server_private_key',
        doc: 'Certificate to show, in PEM.',
      },
      {
        name: 'mutual_tls_certificate_authorities',
        type: { ...TEXTS, orOne: true },
        interpolation: 'expressions',
        doc: 'Who may have issued the certificates of clients: in PEM, or ids.',
      },
      {
        name: 'mutual_tls_verification_strategy',
        type: { kind: 'choice', values: ['require-and-verify', 'require-any', 'request'] },
        default: 'require-and-verify',
        doc: 'What is asked of the certificates of clients.',
      },
    ],
    example: { min_version: '1.3' },
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
