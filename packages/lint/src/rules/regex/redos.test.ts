import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { REDOS } from './redos.ts';

testRule(it, REDOS, {
  fires: {
    'for a repetition of a repetition': {
      policy: when("getReqHeader('User-Agent').exists(a, a.matches('(?i)^bot(«[a-z]+»)+$'))"),
    },
    'in rewrites, for two repetitions of the same': {
      policy: when('true', {
        action: '{type: url-rewrite, config: {from: "^http://a/«\\\\d+»\\\\d+x$", to: "http://a/"}}',
      }),
      message:
        'many `0`, and then something else, cost engines that backtrack a time that grows with the square of their number; write it so that a text can match in one way only',
    },
  },
  silent: {
    'for what is tried anew at each place only': when("req.Path.matches('[a-z]+/x')"),
    'for what can be matched in one way': when(
      String.raw`req.URL.matches(r'^https?://[^/:]+(:[0-9]*)?(/foo)([^?]*)(\?.*)?$')`,
    ),
    'for bounded repetitions': when("req.Path.matches('^(a{1,3}){2}$')"),
    'for loops so deep that the analysis would take a minute': when(
      `req.Path.matches('${'('.repeat(50)}a*${')*'.repeat(50)}')`,
    ),
    'for syntax of RE2 alone': when("req.Path.matches('^([[:alpha:]]+)+$')"),
  },
});
