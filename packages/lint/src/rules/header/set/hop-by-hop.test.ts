import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { HOP_BY_HOP } from './hop-by-hop.ts';

testRule(it, HOP_BY_HOP, {
  fires: {
    'for removing': {
      policy: when('true', { action: '{type: remove-headers, config: {headers: [X-A, «transfer-encoding»]}}' }),
      message: '`transfer-encoding` is between two neighbours, and the edge makes its own; do not remove it here',
    },
  },
  silent: {
    'for other headers': when('true', { action: '{type: add-headers, config: {headers: {X-Connection: close}}}' }),
  },
});
