import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { LOOKUP_CASE } from './lookup-case.ts';

testRule(it, LOOKUP_CASE, {
  fires: {
    'for small letters where names are canonical': {
      policy: when("size(getReqHeader(«'x-api-key'»)) == 0"),
      message: '`x-api-key` is never found: names of headers are in canonical form here; write `X-Api-Key`',
      suggested: when("size(getReqHeader('X-Api-Key')) == 0"),
    },
    'for capital letters where names are small': {
      policy: when("req.headers[«'X-Api-Version'»][0] == '1'", { phase: 'on_http_request' }),
      profile: 'modern',
      suggested: when("req.headers['x-api-version'][0] == '1'", { phase: 'on_http_request' }),
    },
    'for responses and trailers': when("«'etag2'» in res.Headers && «'EXPIRES'» in req.Trailers", {
      phase: 'outbound',
      action: '{type: log}',
    }),
    'for a selection by name': {
      policy: when('size(req.headers.«Accept») > 0', { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for functions that find names in any case': {
      policy: when("hasReqHeader('User-Agent')", { phase: 'on_http_request' }),
      profile: 'modern',
    },
    'for canonical form': when("'Www-Authenticate' in req.Headers || hasReqHeader('X-Api-Key')"),
    'for parameters and cookies': when("hasQueryParam('page') && hasReqCookie('theme')"),
  },
});
