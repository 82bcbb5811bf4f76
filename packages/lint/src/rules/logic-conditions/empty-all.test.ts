import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { EMPTY_ALL } from './empty-all.ts';

const modern = (condition: string) =>
  ({ policy: when(condition, { phase: 'on_http_request' }), profile: 'modern' }) as const;

testRule(it, EMPTY_ALL, {
  fires: {
    'for values of a header': {
      policy: when("«getReqHeader('X-Role').filter(v, v != '').all(v, v == 'guest')»"),
      message: '`all` is true if `filter` leaves nothing; require `size(…) > 0` as well, or use `exists`',
    },
  },
  silent: {
    'for a whole list': when("getReqHeader('X-Role').all(v, v == 'guest')"),
    'if the number is tested': modern(
      "size(req.cookies['a'].filter(c, c.secure)) > 0 && req.cookies['a'].filter(c, c.secure).all(c, c.value == 'b')",
    ),
    'if an element is required': modern(
      "req.cookies['a'].exists(c, c.secure) && req.cookies['a'].filter(c, c.secure).all(c, c.value == 'b')",
    ),
    'for `exists`': modern("req.cookies['a'].filter(c, c.secure).exists(c, c.value == 'b')"),
  },
});
