import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { SPOOFABLE_IDENTITY } from './spoofable-identity.ts';

const add = (key: string, value: string) => `{ type: add-headers, config: { headers: { ${key}: "${value}" } } }`;
const remove = (name: string) => `{ type: remove-headers, config: { headers: [${name}] } }`;

testRule(it, SPOOFABLE_IDENTITY, {
  fires: {
    'when a rule for all requests adds it': {
      policy: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google } }, ${add('«x-user-email»', '${actions.ngrok.oauth.identity.email}')}]
`,
      profile: 'modern',
      message: "`x-user-email` keeps the client's value; remove it from all requests first",
    },
    'for an authentication result under any name': {
      policy: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google } }, ${add('«x-whoami»', '${actions.ngrok.oauth.identity.name}')}]
`,
      profile: 'modern',
    },
    'when it is removed only where it is set': {
      policy: `inbound:
  - expressions: ["conn.ClientIP == '203.0.113.7'"]
    actions: [${remove('X-Is-Admin')}, ${add('«X-Is-Admin»', 'true')}]
`,
      message: "`X-Is-Admin` keeps the client's value; remove it from all requests first",
    },
    'when it is removed too late': {
      policy: `inbound:
  - actions: [${add('«X-Remote-User»', 'ada')}]
  - actions: [${remove('x-authenticated-user')}]
`,
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'when it was removed from all requests': {
      policy: `on_http_request:
  - actions: [${remove('X-Forwarded-Email')}]
  - expressions: ["conn.client_ip == '203.0.113.7'"]
    actions: [${add('x-forwarded-email', 'ada@example.com')}]
`,
      profile: 'modern',
    },
    'when it is replaced on a route': {
      policy: `inbound:
  - expressions: ["req.Path.startsWith('/api/')"]
    actions: [${remove('X-User')}, ${add('X-User', 'api')}]
`,
    },
    'for headers that do not carry an identity': `inbound: [{ actions: [${add('X-Request-Start', '1')}, ${add('X-Client-Country', 'DE')}] }]\n`,
    'for responses': `outbound: [{ actions: [${add('X-User', 'ada')}] }]\n`,
  },
});
