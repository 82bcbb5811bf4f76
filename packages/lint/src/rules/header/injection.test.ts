import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { INJECTION } from './injection.ts';

testRule(it, INJECTION, {
  fires: {
    'for a path in a redirect URL': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://a.example.com/?from=${«req.url.path»}"}}',
      }),
      profile: 'modern',
      message:
        '`req.url.path` is decoded client input, which may contain line breaks and `&`; escape it with `escapeUrl()`',
      suggested: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://a.example.com/?from=${req.url.path.escapeUrl()}"}}',
      }),
    },
    'in a branch of a conditional': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: add-headers, config: {headers: {x-a: "\${hasQueryParam('a') ? «getQueryParam('a')[0]» : ''}"}}}`,
      }),
      profile: 'modern',
    },
  },
  silent: {
    'for a redirect to a host chosen by the client, which `url/open-redirect` reports': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: redirect, config: {to: "\${req.url.query_params['a'][0]}"}}`,
      }),
      profile: 'modern',
    },
    'for escaped, hashed and numeric values': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: add-headers, config: {headers: {x-a: "\${url.escape(req.url.path)} \${size(req.url.path)} \${hash.md5(req.url.path)}"}}}`,
      }),
      profile: 'modern',
    },
    'for log metadata': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: log, config: {metadata: {p: "${req.url.path}"}}}',
      }),
      profile: 'modern',
    },
    'for the raw query string': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://a.example.com/?${req.url.query}"}}',
      }),
      profile: 'modern',
    },
  },
});
