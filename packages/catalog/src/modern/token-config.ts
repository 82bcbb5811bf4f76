import { NON_EMPTY, TEXT, TEXTS, URL } from '../actions/config-types.ts';
import type { ConfigField, ConfigType } from '../schema/action-fact.ts';

const ALLOW_LIST = {
  kind: 'object',
  fields: [
    {
      name: 'allow_list',
      type: {
        kind: 'list',
        min: 1,
        of: {
          kind: 'object',
          fields: [
            { name: 'value', type: NON_EMPTY, required: true, interpolation: 'expressions', doc: 'Compared exactly.' },
          ],
        },
      },
      required: true,
      doc: 'One of these must be in the token.',
    },
  ],
} as const satisfies ConfigType;

const TOKEN = {
  kind: 'object',
  fields: [
    {
      name: 'type',
      type: { kind: 'choice', values: ['access_token', 'at+jwt', 'id_token', 'it+jwt', 'plain', 'jwt'] },
      required: true,
      doc: 'Which kind of token it is.',
    },
    { name: 'method', type: { kind: 'choice', values: ['header', 'body'] }, required: true, doc: 'Where it is.' },
    {
      name: 'name',
      type: NON_EMPTY,
      required: true,
      interpolation: 'expressions',
      doc: 'Name of the header or field, in any case.',
    },
    {
      name: 'prefix',
      type: TEXT,
      default: '',
      interpolation: 'expressions',
      doc: 'Text before the token, such as `Bearer `.',
    },
  ],
} as const satisfies ConfigType;

const ALGORITHMS = {
  kind: 'list',
  min: 1,
  of: {
    kind: 'choice',
    values: [
      ...['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
      ...['PS256', 'PS384', 'PS512', 'EdDSA'],
    ],
  },
} as const satisfies ConfigType;

const KEYS = {
  kind: 'object',
  fields: [
    {
      name: 'sources',
      type: {
        kind: 'object',
        fields: [
          {
            name: 'additional_jkus',
            type: { kind: 'list', of: URL },
            default: [],
            interpolation: 'expressions',
            doc: 'URLs of key sets, beside those of the issuers.',
          },
        ],
      },
      doc: 'Where keys come from.',
    },
    {
      name: 'identification',
      type: {
        kind: 'object',
        fields: [{ name: 'token_claims', type: TEXTS, default: ['kid'], doc: 'Claims that name the key.' }],
      },
      doc: 'How the key of a token is found.',
    },
  ],
} as const satisfies ConfigType;

/** The configuration of `jwt-validation`. */
export const TOKEN_CONFIG = [
  { name: 'issuer', type: ALLOW_LIST, required: true, doc: 'Who may have issued the token, compared exactly.' },
  { name: 'audience', type: ALLOW_LIST, doc: 'Whom the token must be for, compared exactly.' },
  {
    name: 'http',
    type: {
      kind: 'object',
      fields: [
        { name: 'tokens', type: { kind: 'list', min: 1, of: TOKEN }, required: true, doc: 'All must be there.' },
      ],
    },
    required: true,
    doc: 'Where tokens are in the request.',
  },
  {
    name: 'jws',
    type: {
      kind: 'object',
      fields: [
        {
          name: 'allowed_algorithms',
          type: ALGORITHMS,
          required: true,
          doc: 'Signature algorithms that are accepted.',
        },
        { name: 'keys', type: KEYS, doc: 'Keys that signatures are verified with.' },
      ],
    },
    required: true,
    doc: 'How signatures are verified.',
  },
] as const satisfies readonly ConfigField[];
