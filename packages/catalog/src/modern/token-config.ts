import { NON_EMPTY, STRING, STRINGS, URL } from '../actions/config-types.ts';
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
            { name: 'value', type: NON_EMPTY, required: true, interpolation: 'expressions', doc: 'The exact value.' },
          ],
        },
      },
      required: true,
      doc: 'The token must contain one of these.',
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
      interpolation: 'expressions',
      doc: 'The name of the header or form field, in any case.',
    },
    {
      name: 'prefix',
      type: STRING,
      default: '',
      interpolation: 'expressions',
      doc: 'The prefix before the token, such as `Bearer `.',
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
            doc: 'URLs of key sets in addition to those of the issuers.',
          },
        ],
      },
      doc: 'The sources of keys.',
    },
    {
      name: 'identification',
      type: {
        kind: 'object',
        fields: [{ name: 'token_claims', type: STRINGS, default: ['kid'], doc: 'The claims that identify the key.' }],
      },
      doc: "How a token's key is found.",
    },
  ],
} as const satisfies ConfigType;

/** The configuration of `jwt-validation`. */
export const TOKEN_CONFIG = [
  { name: 'issuer', type: ALLOW_LIST, required: true, doc: 'The accepted issuers, compared exactly.' },
  { name: 'audience', type: ALLOW_LIST, doc: 'The accepted audiences, compared exactly.' },
  {
    name: 'http',
    type: {
      kind: 'object',
      fields: [
        {
          name: 'tokens',
          type: { kind: 'list', min: 1, of: TOKEN },
          required: true,
          doc: 'The tokens, all of which must be present.',
        },
      ],
    },
    required: true,
    doc: 'Where the request carries tokens.',
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
          doc: 'The accepted signature algorithms.',
        },
        { name: 'keys', type: KEYS, doc: 'The keys that verify signatures.' },
      ],
    },
    required: true,
    doc: 'How to verify signatures.',
  },
] as const satisfies readonly ConfigField[];
