import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { INJECTION } from './injection.ts';

testRule(it, INJECTION, {
  fires: {
    'for a path, in the URL of a redirect': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://a.example.com/?from=${«req.url.path»}"}}',
      }),
      profile: 'modern',
      message:
        '`req.url.path` is decoded text of the client, which can hold line breaks and `&`; encode it with `escapeUrl()`',
      suggested: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://a.example.com/?from=${req.url.path.escapeUrl()}"}}',
      }),
    },
    'through a choice': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: add-headers, config: {headers: {x-a: "\${hasQueryParam('a') ? «getQueryParam('a')[0]» : ''}"}}}`,
      }),
      profile: 'modern',
    },
  },
  silent: {
    'where the client chooses the host of a redirect, which is said elsewhere': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: redirect, config: {to: "\${req.url.query_params['a'][0]}"}}`,
      }),
      profile: 'modern',
    },
    'for what is encoded, or a number': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: add-headers, config: {headers: {x-a: "\${url.escape(req.url.path)} \${size(req.url.path)} \${hash.md5(req.url.path)}"}}}`,
      }),
      profile: 'modern',
    },
    'for notes and bodies': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: log, config: {metadata: {p: "${req.url.path}"}}}',
      }),
      profile: 'modern',
    },
    'for what is not decoded': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "https://a.example.com/?${req.url.query}"}}',
      }),
      profile: 'modern',
    },
  },
});
