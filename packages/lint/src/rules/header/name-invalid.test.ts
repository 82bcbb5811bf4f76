import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NAME_INVALID } from './name-invalid.ts';

testRule(it, NAME_INVALID, {
  fires: {
    'for a space': {
      policy: when("«'X Api Key'» in req.Headers"),
      message: '`X Api Key` is not a valid header name and never matches; use a name such as `X-Api-Key`',
    },
    'for an empty name in the modern profile': {
      policy: when("size(req.headers[«''»]) > 0", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for all characters that are allowed in tokens': when("hasReqHeader('X_a.1~!')"),
    'for query parameters, whose names may contain any character': when("hasQueryParam('a b:')"),
  },
});
