import type { ConfigField, ConfigType } from '../schema/action-fact.ts';
import { NON_EMPTY, type SharedAction, STRING } from './shared-actions.ts';

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
