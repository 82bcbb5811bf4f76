import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { QUERY_DROPPED } from './query-dropped.ts';

testRule(it, QUERY_DROPPED, {
  fires: {
    'and suggests appending the query': {
      policy: `inbound: [{ actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/a/.*", to: "«$1/b»" } }] }]`,
      suggested: `inbound: [{ actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/a/.*", to: "$1/b$is_args$args" } }] }]`,
    },
    'for a group that the replacement does not insert': when('true', {
      action: '{type: url-rewrite, config: {from: "^(.*)/v0([?].*)?$", to: "«$1/v1»"}}',
    }),
    'in the modern profile': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "/v0.*", to: "«/v1»"}}',
      }),
      profile: 'modern',
      message: 'pattern consumes the query, and the replacement drops it; add `?${req.url.query}` to keep it',
    },
    'when the whole URL is replaced with its path': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "«https://${req.host}${req.url.path}»"}}',
      }),
      profile: 'modern',
      message: 'whole URL is replaced without its query; add `?${req.url.query}` to keep it',
    },
  },
  silent: {
    'for one page in place of all': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "/.*", to: /maintenance}}',
      }),
      profile: 'modern',
    },
    'for a group that the replacement inserts': when('true', {
      action: '{type: url-rewrite, config: {from: "^(.*)/v0(.*)$", to: "$1/v1$2"}}',
    }),
    'for a parameter that the replacement inserts': when('true', {
      action: '{type: url-rewrite, config: {from: "^(.*)/v0.*$", to: "$1/v1/$arg_id"}}',
    }),
    'for a pattern that matches no URL with a query': when('true', {
      action: '{type: redirect, config: {from: "/old$", to: /new}}',
    }),
    'for an interpolated query': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "/v0.*", to: "/v1?${req.url.query}"}}',
      }),
      profile: 'modern',
    },
    'for another URL, or one with its query': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: redirect, config: {to: "https://example.com/"}}, {type: redirect, config: {to: "https://${req.host}${req.url.path}?${req.url.query}"}}',
      }),
      profile: 'modern',
    },
  },
});
