import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { HOST_PORT } from './host-port.ts';

const modern = (condition: string, action?: string) =>
  ({ policy: when(condition, { phase: 'on_http_request', ...(action && { action }) }), profile: 'modern' }) as const;

testRule(it, HOST_PORT, {
  fires: {
    'for an equality that denies': {
      ...modern("«req.host == 'admin.example.com'»"),
      message: '`Host: admin.example.com:443` is not denied; compare `req.url.host`, which has no port',
    },
    'for a suffix': {
      ...modern("«req.host.endsWith('.internal.example.com')»"),
      message: '`Host: x.internal.example.com:443` is not denied; compare `req.url.host`, which has no port',
    },
    'for a check': modern(
      "«req.host == 'admin.example.com'»",
      "{type: basic-auth, config: {credentials: [\"${secrets.get('a', 'b')}\"]}}",
    ),
  },
  silent: {
    'for the host of the URL': modern("req.url.host == 'admin.example.com'"),
    'for hosts that are let through': modern("req.host != 'admin.example.com'"),
    'for a rule that only logs': modern("req.host == 'a.example.com'", '{type: log, config: {metadata: {a: b}}}'),
    'if the port is allowed for': modern("req.host == 'a.example.com' || req.host.startsWith('a.example.com:')"),
    'for paths': modern("req.url.path == '/admin'"),
  },
});
