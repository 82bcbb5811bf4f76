import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { PATH_VS_FULL_URL } from './path-vs-full-url.ts';

testRule(it, PATH_VS_FULL_URL, {
  fires: {
    'for equality': {
      policy: when("«req.URL == '/login'»"),
      message: '`/login` never equals a URL, which starts with the scheme; test `req.Path` instead',
      suggested: when("req.Path == '/login'"),
    },
    'for a suffix, a prefix and a substring': when(
      "«req.URL.endsWith('.php')» || «req.URL.startsWith('/api/')» || «req.URL.contains('v0/')»",
    ),
    'in the modern profile': {
      policy: when("«req.url.contains('/admin')»", { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when("req.url.path.contains('/admin')", { phase: 'on_http_request' }),
    },
  },
  silent: {
    'for schemes, hosts and parameters': when(
      "req.URL.startsWith('http://') || req.URL.contains('?') || req.URL.contains('://old.example.com/') || req.URL.contains('a=b')",
    ),
    'for the path itself': when("req.Path.contains('/admin/')"),
  },
});
