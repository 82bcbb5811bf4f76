import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { VERSION_DISCLOSURE } from './version-disclosure.ts';

testRule(it, VERSION_DISCLOSURE, {
  fires: {
    'and suggests removing it from several headers': {
      policy: `outbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            «Server»: nginx/1.2\n            X-A: b\n`,
      suggested: `outbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            X-A: b\n`,
    },
    'in a custom response': {
      policy: when('true', { action: '{type: custom-response, config: {headers: {«server»: nginx/1.25.3}}}' }),
      message: '`server: nginx/1.25.3` discloses the server software; do not set it, or remove the header',
    },
  },
  silent: {
    'for requests': when('true', { action: '{type: add-headers, config: {headers: {Server: edge}}}' }),
  },
});
