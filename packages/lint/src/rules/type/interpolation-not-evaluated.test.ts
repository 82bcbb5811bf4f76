import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { INTERPOLATION_NOT_EVALUATED } from './interpolation-not-evaluated.ts';

const rule = (action: string, phase = 'inbound') => `${phase}: [{actions: [${action}]}]`;

testRule(it, INTERPOLATION_NOT_EVALUATED, {
  fires: {
    'at the braces': {
      policy: rule('{type: custom-response, config: {status_code: 200, content: "who: «${req.Host}»"}}'),
      message: 'nothing is filled in here: `${req.Host}` is sent as it is written',
    },
  },
  silent: {
    'where expressions are filled in': {
      policy: rule('{type: log, config: {metadata: {a: "${req.host}"}}}', 'on_http_request'),
      profile: 'modern',
    },
    'for other dollars': rule('{type: custom-response, config: {status_code: 200, content: "costs $5 {net}"}}'),
  },
});
