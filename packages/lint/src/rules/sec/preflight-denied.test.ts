import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { PREFLIGHT_DENIED } from './preflight-denied.ts';

const CORS = `on_http_response:
  - actions:
      - type: add-headers
        config: { headers: { access-control-allow-origin: https://app.example.com } }
`;
const PASSWORD = `config: { credentials: ["\${secrets.get('a', 'b')}"] } }`;

const modern = (policy: string) => ({ policy, profile: 'modern' }) as const;

testRule(it, PREFLIGHT_DENIED, {
  fires: {
    'for a check of some paths': {
      ...modern(
        `on_http_request:\n  - expressions: ["req.url.path.startsWith('/api/')"]\n    actions: [{ type: «basic-auth», ${PASSWORD}]\n${CORS}`,
      ),
      message:
        '`basic-auth` refuses CORS preflight requests, which carry no credentials; check only if the method is not `OPTIONS`',
    },
    'for a sign-in': modern(
      `on_http_request:\n  - actions: [{ type: «oauth», config: { provider: google } }]\n${CORS}`,
    ),
  },
  silent: {
    'for a sign-in that admits them': modern(
      `on_http_request:\n  - actions: [{ type: oauth, config: { provider: google, allow_cors_preflight: true } }]\n${CORS}`,
    ),
    'without CORS headers': modern(`on_http_request:\n  - actions: [{ type: basic-auth, ${PASSWORD}]\n`),
    'after a rule that answers them': modern(`on_http_request:
  - expressions: ["req.method == 'OPTIONS'"]
    actions: [{ type: custom-response, config: { status_code: 204 } }]
  - actions: [{ type: basic-auth, ${PASSWORD}]
${CORS}`),
    'for restrictions of addresses': modern(
      `on_http_request:\n  - actions: [{ type: restrict-ips, config: { allow: [203.0.113.0/24] } }]\n${CORS}`,
    ),
  },
});
