import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { INT_RANGE } from './int-range.ts';

const modern = (condition: string) => ({
  policy: when(condition, { phase: 'on_http_request' }),
  profile: 'modern' as const,
});

testRule(it, INT_RANGE, {
  fires: {
    'for comparisons that are always false': {
      policy: when('«size(req.Path) < 0» || «-1 == req.Path.size()»'),
      message: 'comparison with 0 is always false: a size is at least 0; compare with another number',
    },
    'for comparisons that are always true': {
      policy: when('«size(req.Path) >= 0» && «size(req.Path) != -1»'),
      message: 'comparison with 0 is always true: a size is at least 0; compare with another number',
    },
    'for ports': {
      ...modern('«conn.client_port > 65535» || «conn.server_port == 70000»'),
      message: 'comparison with 65535 is always false: a port is between 0 and 65535; compare with another number',
    },
  },
  silent: {
    'for possible values': when('size(req.Path) > 0 && size(req.Path) <= 10 && size(req.Path) != 5'),
    'for the bounds themselves': modern(
      'conn.client_port == 65535 || conn.client_port < 65535 || conn.client_port > 0',
    ),
    'for unbounded numbers': when('req.ContentLength > -5'),
  },
});
