import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { QUERY_DROPPED } from './query-dropped.ts';

testRule(it, QUERY_DROPPED, {
  fires: {
    'and puts it back': {
      policy: `inbound: [{ actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/a/.*", to: "«$1/b»" } }] }]`,
      suggested: `inbound: [{ actions: [{ type: url-rewrite, config: { from: "^(https?://[^/?]+)/a/.*", to: "$1/b$is_args$args" } }] }]`,
    },
    'for a group that is not put back': when('true', {
      action: '{type: url-rewrite, config: {from: "^(.*)/v0([?].*)?$", to: "«$1/v1»"}}',
    }),
    'in other profiles': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "/v0.*", to: "«/v1»"}}',
      }),
      profile: 'modern',
      message:
        'the pattern takes the query of the URL with it, and this does not put it back; add `?${req.url.query}` if it is to stay',
    },
    'where all of the URL is replaced, by its path': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {to: "«https://${req.host}${req.url.path}»"}}',
      }),
      profile: 'modern',
      message:
        'all of the URL is replaced, and this does not put its query back; add `?${req.url.query}` if it is to stay',
    },
  },
  silent: {
    'for a group that is put back': when('true', {
      action: '{type: url-rewrite, config: {from: "^(.*)/v0(.*)$", to: "$1/v1$2"}}',
    }),
    'for a parameter that is': when('true', {
      action: '{type: url-rewrite, config: {from: "^(.*)/v0.*$", to: "$1/v1/$arg_id"}}',
    }),
    'for an end that no URL with a query has': when('true', {
      action: '{type: redirect, config: {from: "/old$", to: /new}}',
    }),
    'for expressions that have it': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: redirect, config: {from: "/v0.*", to: "/v1?${req.url.query}"}}',
      }),
      profile: 'modern',
    },
    'for a whole URL that goes elsewhere, or has its query': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: redirect, config: {to: "https://example.com/"}}, {type: redirect, config: {to: "https://${req.host}${req.url.path}?${req.url.query}"}}',
      }),
      profile: 'modern',
    },
  },
});
