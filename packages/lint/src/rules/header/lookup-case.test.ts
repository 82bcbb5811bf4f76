import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { LOOKUP_CASE } from './lookup-case.ts';

testRule(it, LOOKUP_CASE, {
  fires: {
    'for lower case when names are canonical': {
      policy: when("size(getReqHeader(«'x-api-key'»)) == 0"),
      message: '`x-api-key` never matches: the edge stores header names in canonical form; write `X-Api-Key`',
      suggested: when("size(getReqHeader('X-Api-Key')) == 0"),
    },
    'for canonical form when names are in lower case': {
      policy: when("req.headers[«'X-Api-Version'»][0] == '1'", { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when("req.headers['x-api-version'][0] == '1'", { phase: 'on_http_request' }),
    },
    'for response headers and trailers': when("«'etag2'» in res.Headers && «'EXPIRES'» in req.Trailers", {
      phase: 'outbound',
      action: '{type: log}',
    }),
    'for a field selection': {
      policy: when('size(req.headers.«Accept») > 0', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for functions that ignore case': {
      policy: when("hasReqHeader('User-Agent')", { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for canonical names in edge-v2': when("'Www-Authenticate' in req.Headers || hasReqHeader('X-Api-Key')"),
    'for query parameters and cookies': when("hasQueryParam('page') && hasReqCookie('theme')"),
  },
});
