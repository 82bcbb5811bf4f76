import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { SPOOFABLE_IDENTITY } from './spoofable-identity.ts';

const add = (key: string, value: string) => `{ type: add-headers, config: { headers: { ${key}: "${value}" } } }`;
const remove = (name: string) => `{ type: remove-headers, config: { headers: [${name}] } }`;

testRule(it, SPOOFABLE_IDENTITY, {
  fires: {
    'where it is added to what came': {
      policy: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google } }, ${add('«x-user-email»', '${actions.ngrok.oauth.identity.email}')}]
`,
      profile: 'modern',
      message: '`x-user-email` is added next to what the client sent; remove it from all requests in an earlier rule',
    },
    'whatever it is called, for what a check found out': {
      policy: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google } }, ${add('«x-whoami»', '${actions.ngrok.oauth.identity.name}')}]
`,
      profile: 'modern',
    },
    'where it is removed only when it is set': {
      policy: `inbound:
  - expressions: ["conn.ClientIP == '203.0.113.7'"]
    actions: [${remove('X-Is-Admin')}, ${add('«X-Is-Admin»', 'true')}]
`,
      message: '`X-Is-Admin` is added next to what the client sent; remove it from all requests in an earlier rule',
    },
    'where it is removed too late': {
      policy: `inbound:
  - actions: [${add('«X-Remote-User»', 'ada')}]
  - actions: [${remove('x-authenticated-user')}]
`,
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'where it was removed from all requests': {
      policy: `on_http_request:
  - actions: [${remove('X-Forwarded-Email')}]
  - expressions: ["conn.client_ip == '203.0.113.7'"]
    actions: [${add('x-forwarded-email', 'ada@example.com')}]
`,
      profile: 'modern',
    },
    'where it is replaced on its route': {
      policy: `inbound:
  - expressions: ["req.Path.startsWith('/api/')"]
    actions: [${remove('X-User')}, ${add('X-User', 'api')}]
`,
    },
    'for headers about other things': `inbound: [{ actions: [${add('X-Request-Start', '1')}, ${add('X-Client-Country', 'DE')}] }]\n`,
    'for responses': `outbound: [{ actions: [${add('X-User', 'ada')}] }]\n`,
  },
});
