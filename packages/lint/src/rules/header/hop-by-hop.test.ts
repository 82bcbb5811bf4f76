import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { HOP_BY_HOP } from './hop-by-hop.ts';

testRule(it, HOP_BY_HOP, {
  fires: {
    'when it is removed': {
      policy: when('true', { action: '{type: remove-headers, config: {headers: [X-A, «transfer-encoding»]}}' }),
      message: '`transfer-encoding` is a hop-by-hop header, which the edge manages itself; do not remove it',
    },
  },
  silent: {
    'for a header with a similar name': when('true', {
      action: '{type: add-headers, config: {headers: {X-Connection: close}}}',
    }),
  },
});
