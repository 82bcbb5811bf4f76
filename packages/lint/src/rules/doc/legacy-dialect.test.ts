import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { LEGACY_DIALECT } from './legacy-dialect.ts';

testRule(it, LEGACY_DIALECT, {
  fires: {
    'at the first key': {
      policy: '«enabled»: true\ninbound: [{actions: [{type: deny}]}]',
      message: 'the policy is in the dialect `edge-v2`, and `modern` is wanted; `tollgate migrate` writes it anew',
      options: { profile: 'modern' },
    },
    'for what the options want': {
      policy: '«on_http_request»: [{actions: [{type: deny}]}]',
      profile: 'modern',
      options: { profile: 'edge-v2' },
    },
  },
  silent: {
    'when none is wanted': 'inbound: [{actions: [{type: deny}]}]',
    'for the dialect that is wanted': {
      policy: 'inbound: [{actions: [{type: deny}]}]',
      options: { profile: 'edge-v2' },
    },
  },
});
