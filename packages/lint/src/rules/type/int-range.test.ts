import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { INT_RANGE } from './int-range.ts';

const modern = (condition: string) => ({
  policy: when(condition, { phase: 'on_http_request' }),
  profile: 'modern' as const,
});

testRule(it, INT_RANGE, {
  fires: {
    'for what never holds': {
      policy: when('«size(req.Path) < 0» || «-1 == req.Path.size()»'),
      message: 'this never holds: a size is from 0 on, found 0',
    },
    'for what always holds': {
      policy: when('«size(req.Path) >= 0» && «size(req.Path) != -1»'),
      message: 'this always holds: a size is from 0 on, found 0',
    },
    'for ports': {
      ...modern('«conn.client_port > 65535» || «conn.server_port == 70000»'),
      message: 'this never holds: a port is from 0 to 65535, found 65535',
    },
  },
  silent: {
    'for what may be': when('size(req.Path) > 0 && size(req.Path) <= 10 && size(req.Path) != 5'),
    'for the ends': modern('conn.client_port == 65535 || conn.client_port < 65535 || conn.client_port > 0'),
    'for numbers without bounds': when('req.ContentLength > -5'),
  },
});
