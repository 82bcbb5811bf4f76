import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { INTERPOLATION_NOT_EVALUATED } from './interpolation-not-evaluated.ts';

const rule = (action: string, phase = 'inbound') => `${phase}: [{actions: [${action}]}]`;

testRule(it, INTERPOLATION_NOT_EVALUATED, {
  fires: {
    'at the interpolation': {
      policy: rule('{type: custom-response, config: {status_code: 200, content: "who: «${req.Host}»"}}'),
      message: '`${req.Host}` is not evaluated here and is sent literally; remove it',
    },
  },
  silent: {
    'for a key that is interpolated': {
      policy: rule('{type: log, config: {metadata: {a: "${req.host}"}}}', 'on_http_request'),
      profile: 'modern',
    },
    'for other uses of `$` and braces': rule(
      '{type: custom-response, config: {status_code: 200, content: "costs $5 {net}"}}',
    ),
  },
});
