import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { JWT_ALGORITHM_CONFUSION } from './jwt-algorithm-confusion.ts';

const jwt = (jws: string, phase = 'inbound') => `${phase}:
  - actions:
      - type: jwt-validation
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: Authorization, prefix: "Bearer " }] }
          jws: ${jws}
`;

testRule(it, JWT_ALGORITHM_CONFUSION, {
  fires: {
    'in any order, and suggests removing HMAC': {
      policy: jwt('{ allowed_algorithms: ["«HS512»", ES256] }', 'on_http_request'),
      profile: 'modern',
      message: '`HS512` next to `ES256` lets anyone with the public key sign tokens; remove `HS512`',
      suggested: jwt('{ allowed_algorithms: [ES256] }', 'on_http_request'),
    },
    'for every HMAC algorithm': {
      policy: jwt('{ allowed_algorithms: [«HS256», «HS384», PS256] }'),
      profile: 'edge-v2-snake',
    },
    'for HMAC with a key set alone': {
      policy: jwt(
        '{ allowed_algorithms: [«HS256»], keys: { sources: { additional_jkus: ["https://id.example.com/jwks.json"] } } }',
      ),
      message:
        '`HS256` next to a public key set lets anyone with the public key sign tokens; allow an asymmetric algorithm such as `RS256` instead',
    },
  },
  silent: {
    'for public-key algorithms only': jwt('{ allowed_algorithms: [RS256, PS256, ES256, EdDSA] }'),
    'for HMAC without a key set': jwt('{ allowed_algorithms: [HS256] }'),
  },
});
