import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { INSECURE_KEY_SOURCE } from './insecure-key-source.ts';

const jwt = (issuer: string, keys: string) => `on_http_request:
  - actions:
      - type: jwt-validation
        config:
          issuer: { allow_list: [{ value: ${issuer} }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: authorization, prefix: "Bearer " }] }
          jws: { allowed_algorithms: [RS256], keys: { sources: { additional_jkus: [${keys}] } } }
`;

testRule(it, INSECURE_KEY_SOURCE, {
  fires: {
    'for issuers and key sets': {
      policy: jwt('"«http://id.example.com/»"', '"https://a.example/keys", "«HTTP://b.example/keys»"'),
      profile: 'modern',
      message: 'keys fetched from `http://id.example.com/` can be replaced in transit; use `https`',
      suggested: jwt('"https://id.example.com/"', '"https://a.example/keys", "HTTP://b.example/keys"'),
    },
    'for an interpolated URL': {
      policy: jwt('https://id.example.com/', '"«http://${conn.tls.sni}/keys»"'),
      profile: 'modern',
    },
    'for the issuer of `openid-connect`': {
      policy: `on_http_request:
  - actions: [{ type: openid-connect, config: { issuer_url: «http://id.example.com», client_id: a, client_secret: "\${secrets.get('a', 'b')}" } }]
`,
      profile: 'modern',
    },
  },
  silent: {
    'for issuers that are not URLs': {
      policy: jwt('accounts.example.com', '"https://a.example/keys"'),
      profile: 'modern',
    },
  },
});
