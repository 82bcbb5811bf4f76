import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { PRIVATE_MADE_PUBLIC } from './private-made-public.ts';

const policy = ({ check = '{ type: oauth, config: { provider: google } }', value = 'public', when = '' }) =>
  ({
    policy: `on_http_request:
  - actions: [${check}]
on_http_response:
  - ${when}actions: [{ type: add-headers, config: { headers: { cache-control: ${value} } } }]
`,
    profile: 'modern',
  }) as const;

testRule(it, PRIVATE_MADE_PUBLIC, {
  fires: {
    'behind a sign-in': {
      ...policy({ value: '«public»' }),
      message:
        'shared caches may hand pages behind `oauth` to others; write `private`, or add the header only to public paths',
    },
    'for a lifetime in shared caches': policy({ value: '«s-maxage=60»' }),
    'for all successful responses': policy({
      value: '«public»',
      when: 'expressions: ["res.status_code == 200"]\n    ',
    }),
  },
  silent: {
    'for private responses': policy({ value: 'private' }),
    'for some paths': policy({ when: 'expressions: ["req.url.path.startsWith(\'/static/\')"]\n    ' }),
    'without a sign-in': policy({ check: '{ type: restrict-ips, config: { allow: [203.0.113.0/24] } }' }),
  },
});
