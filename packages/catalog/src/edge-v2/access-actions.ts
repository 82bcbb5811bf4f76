import type { ActionFact, ConfigType } from '../schema/action-fact.ts';
import { ALL_INBOUND, HTTP_INBOUND } from './availability.ts';

const CIDRS = { kind: 'list', of: { kind: 'cidr' } } as const;

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
            { name: 'value', type: { kind: 'string', nonEmpty: true }, required: true, doc: 'The exact value.' },
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
      type: { kind: 'string', nonEmpty: true },
      required: true,
      doc: 'The name of the header or form field, in any case.',
    },
    { name: 'prefix', type: { kind: 'string' }, default: '', doc: 'The prefix before the token, such as `Bearer `.' },
  ],
} as const satisfies ConfigType;

const JWS = {
  kind: 'object',
  fields: [
    {
      name: 'allowed_algorithms',
      type: {
        kind: 'list',
        min: 1,
        of: {
          kind: 'choice',
          values: [
            'HS256',
            'HS384',
            'HS512',
            'RS256',
            'RS384',
            'RS512',
            'ES256',
            'ES384',
            'ES512',
            'PS256',
            'PS384',
            'PS512',
            'EdDSA',
          ],
        },
      },
      required: true,
      doc: 'The accepted signature algorithms.',
    },
    {
      name: 'keys',
      type: {
        kind: 'object',
        fields: [
          {
            name: 'sources',
            type: {
              kind: 'object',
              fields: [
                {
                  name: 'additional_jkus',
                  type: { kind: 'list', of: { kind: 'string', nonEmpty: true } },
                  default: [],
                  doc: 'URLs of key sets in addition to those of the issuers.',
                },
              ],
            },
            doc: 'The sources of keys.',
          },
        ],
      },
      doc: 'The keys that verify signatures.',
    },
  ],
} as const satisfies ConfigType;

export const ACCESS_ACTIONS = [
  {
    ...ALL_INBOUND,
    type: 'restrict-ips',
    doc: 'Admits clients whose address is in an allow entry and in no deny entry. Only the address of the connection counts.',
    terminates: 'on-refusal',
    changes: [],
    outcome: 'status 403, or a closed connection',
    config: [
      {
        name: 'enforce',
        type: { kind: 'bool' },
        default: true,
        doc: 'Whether to refuse traffic, or only record what would be refused.',
      },
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
    example: { enforce: true, allow: ['203.0.113.0/24', '2001:db8::/32'] },
    since: '2024-04-15',
    source: 'documented',
  },
  {
    ...HTTP_INBOUND,
    type: 'rate-limit',
    doc: 'Refuses requests beyond a number per key in a sliding window. Each server of the edge counts separately.',
    terminates: 'on-refusal',
    changes: [],
    outcome: 'status 429 with Retry-After',
    config: [
      { name: 'name', type: { kind: 'string', nonEmpty: true }, required: true, doc: 'A label for the limit.' },
      {
        name: 'algorithm',
        type: { kind: 'choice', values: ['sliding_window'] },
        required: true,
        doc: 'The counting algorithm.',
      },
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
        type: {
          kind: 'list',
          min: 1,
          max: 10,
          of: {
            kind: 'shape',
            patterns: [
              '^req\\.Host$',
              '^conn\\.ClientIP$',
              '^req\\.Headers\\[(\'[^\']+\'|"[^"]+")\\]$',
              '^getReqHeader\\((\'[^\']+\'|"[^"]+")\\)$',
            ],
            expected: "`req.Host`, `conn.ClientIP`, `req.Headers['name']` or `getReqHeader('name')`",
          },
        },
        required: true,
        doc: 'Expressions whose values form the key of a request.',
      },
    ],
    example: {
      name: 'per-client',
      algorithm: 'sliding_window',
      capacity: 100,
      rate: '60s',
      bucket_key: ['conn.ClientIP', "req.Headers['X-Api-Key']"],
    },
    since: '2024-02-15',
    source: 'documented',
  },
  {
    ...HTTP_INBOUND,
    type: 'jwt-validation',
    doc: 'Admits requests whose tokens are all present, signed by a listed issuer and meant for a listed audience.',
    terminates: 'on-refusal',
    isHeavy: true,
    changes: [],
    outcome: 'status 401',
    config: [
      { name: 'issuer', type: ALLOW_LIST, required: true, doc: 'The accepted issuers, compared exactly.' },
      { name: 'audience', type: ALLOW_LIST, required: true, doc: 'The accepted audiences, compared exactly.' },
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
      { name: 'jws', type: JWS, required: true, doc: 'How to verify signatures.' },
    ],
    example: {
      issuer: { allow_list: [{ value: 'https://id.example.com/' }] },
      audience: { allow_list: [{ value: 'https://api.example.com' }] },
      http: { tokens: [{ type: 'jwt', method: 'header', name: 'Authorization', prefix: 'Bearer ' }] },
      jws: {
        allowed_algorithms: ['RS256'],
        keys: { sources: { additional_jkus: ['https://id.example.com/keys.json'] } },
      },
    },
    since: '2024-02-15',
    source: 'documented',
  },
] as const satisfies readonly ActionFact[];
