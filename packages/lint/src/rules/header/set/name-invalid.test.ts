import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { NAME_INVALID } from './name-invalid.ts';

testRule(it, NAME_INVALID, {
  fires: {
    'for a space': {
      policy: when("«'X Api Key'» in req.Headers"),
      message: '`X Api Key` cannot be the name of a header, and is never found; expected one such as `X-Api-Key`',
    },
    'for an empty name, in other profiles': {
      policy: when("size(req.headers[«''»]) > 0", { phase: 'on_http_request' }),
      profile: 'modern',
    },
  },
  silent: {
    'for all signs of tokens': when("hasReqHeader('X_a.1~!')"),
    'for parameters, whose names may be anything': when("hasQueryParam('a b:')"),
  },
});
