import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { REDOS } from './redos.ts';

testRule(it, REDOS, {
  fires: {
    'for a nested repetition': {
      policy: when("getReqHeader('User-Agent').exists(a, a.matches('(?i)^bot(«[a-z]+»)+$'))"),
    },
    'for two adjacent repetitions in a rewrite': {
      policy: when('true', {
        action: '{type: url-rewrite, config: {from: "^http://a/«\\\\d+»\\\\d+x$", to: "http://a/"}}',
      }),
      message: 'pattern takes quadratic time on many `0` in backtracking engines; make it match in only one way',
    },
  },
  silent: {
    'for a pattern that is only retried at each position': when("req.Path.matches('[a-z]+/x')"),
    'for a pattern that matches in only one way': when(
      String.raw`req.URL.matches(r'^https?://[^/:]+(:[0-9]*)?(/foo)([^?]*)(\?.*)?$')`,
    ),
    'for bounded repetitions': when("req.Path.matches('^(a{1,3}){2}$')"),
    'for repetitions nested too deeply to analyze quickly': when(
      `req.Path.matches('${'('.repeat(50)}a*${')*'.repeat(50)}')`,
    ),
    'for syntax that only RE2 supports': when("req.Path.matches('^([[:alpha:]]+)+$')"),
  },
});
