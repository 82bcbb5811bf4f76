import { it } from 'vitest';
import { testRule, when as whenWith } from '../../engine/test-rule.ts';
import { POSSIBLE_RUNTIME_ERROR } from './possible-runtime-error.ts';

const when = (condition: string) => whenWith(condition, { action: '{type: log}' });

testRule(it, POSSIBLE_RUNTIME_ERROR, {
  fires: {
    'for divisions': {
      policy: when('«100 / req.ContentLength» > 3 || «5 % size(req.Path)» == 0'),
      message: '`req.ContentLength` is 0 for some requests, which is an error; test it first',
    },
    'for conversions of strings': {
      policy: when('«double(conn.Geo.Latitude)» > 3.5'),
      message: '`conn.Geo.Latitude` is not a valid double for some requests, which is an error; test it first',
    },
    'for parts of a split string': {
      policy: when("«req.Path.split('/')[2]» == 'admin'"),
      message: "`req.Path.split('/')` has fewer parts for some requests, which is an error; test it first",
    },
  },
  silent: {
    'for values that are tested first': when(
      "req.ContentLength != 0 && 100 / req.ContentLength > 3 && size(req.Path.split('/')) > 2 && req.Path.split('/')[2] == 'a'",
    ),
    'for constants': when(
      'req.ContentLength / 2 > 3 && timestamp("2027-01-01T00:00:00Z") > timestamp("2026-01-01T00:00:00Z")',
    ),
    'for conversions of numbers': when('double(req.ContentLength) / 2.5 > 1.5'),
    'in rules that deny, which `sec/fails-open` reports': whenWith('100 / req.ContentLength > 3'),
    'for the first part of a split string': when("req.Path.split('/')[0] == ''"),
  },
});
