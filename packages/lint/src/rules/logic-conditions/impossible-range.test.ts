import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { IMPOSSIBLE_RANGE } from './impossible-range.ts';

const OUTBOUND = { phase: 'outbound', action: '{type: custom-response}' } as const;

testRule(it, IMPOSSIBLE_RANGE, {
  fires: {
    'for numbers': {
      policy: when("«res.StatusCode > 500 && res.StatusCode < 400» && req.Method == 'A'", OUTBOUND),
      message: '`res.StatusCode > 500` and `res.StatusCode < 400` cannot both be true; did you mean `||`?',
    },
    'for consecutive integers': when('«req.ContentLength > 500 && 501 > req.ContentLength»'),
    'for doubles': when('«double(conn.Geo.Latitude) > 5.0 && double(conn.Geo.Latitude) <= 5.0»'),
    'for two contradictory bounds among several': when(
      '«req.ContentLength > 9 && req.ContentLength < 5» && req.ContentLength > 1',
    ),
    'inside `||`': when("req.Method == 'A' || («req.ContentLength > 9 && req.ContentLength < 5»)"),
    'for a header': when("«int(req.Headers['X'][0]) > 9 && int(req.Headers['X'][0]) < 5»"),
  },
  silent: {
    'for a range that contains a value': when('req.ContentLength > 500 && req.ContentLength < 502'),
    'for values outside a range': when('req.ContentLength > 500 || req.ContentLength < 400'),
    'for different inputs': when('req.ContentLength > 500 && size(req.Path) < 400'),
    'for doubles with a value between them': when(
      'double(conn.Geo.Latitude) > 5.0 && double(conn.Geo.Latitude) < 5.000000000000002',
    ),
  },
});
