import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { when } from '../../../testing/when.ts';
import { UNESCAPED_DOT } from './unescaped-dot.ts';

testRule(it, UNESCAPED_DOT, {
  fires: {
    'for each in a rewrite': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^https://www«.»example«.»com/", to: "https://$host/"}}',
      }),
      message: 'this dot matches any sign; write `[.]` for a dot',
      suggested: when('true', {
        action: '{type: redirect, config: {from: "^https://www[.]example.com/", to: "https://$host/"}}',
      }),
    },
    'for addresses of mail and origins': {
      policy: when(
        "!getReqHeader('x-email')[0].matches('^[^@]+@shop«.»example«.»com$') || getReqHeader('origin').exists(o, o.matches('^https://shop«.»example[.]com$'))",
        { phase: 'on_http_request' },
      ),
      profile: 'modern',
    },
    'for a name of a file': when("req.Path.matches('^/a+/index«.»html$')"),
  },
  silent: {
    'for escaped ones, and repetitions': when(String.raw`req.Host.matches(r'^shop\.example[.]com$|^ab.*cd$')`),
    'for texts that have few dots': when("getReqHeader('User-Agent').exists(a, a.matches('Mozilla.5'))"),
  },
});
