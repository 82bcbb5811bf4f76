import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { LEGACY_DIALECT } from './legacy-dialect.ts';

testRule(it, LEGACY_DIALECT, {
  fires: {
    'at the first key': {
      policy: '«enabled»: true\ninbound: [{actions: [{type: deny}]}]',
      message: 'policy uses the profile `edge-v2` instead of `modern`; convert it with `tollgate migrate`',
      options: { profile: 'modern' },
    },
    'for a newer profile than the required one': {
      policy: '«on_http_request»: [{actions: [{type: deny}]}]',
      profile: 'modern',
      options: { profile: 'edge-v2' },
    },
  },
  silent: {
    'when no profile is required': 'inbound: [{actions: [{type: deny}]}]',
    'for the required profile': {
      policy: 'inbound: [{actions: [{type: deny}]}]',
      options: { profile: 'edge-v2' },
    },
  },
});
