import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNESCAPED_DOT } from './unescaped-dot.ts';

testRule(it, UNESCAPED_DOT, {
  fires: {
    'for each dot in a redirect': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^https://www«.»example«.»com/", to: "https://$host/"}}',
      }),
      message: 'unescaped `.` matches any character; write `[.]` to match a dot',
      suggested: when('true', {
        action: '{type: redirect, config: {from: "^https://www[.]example.com/", to: "https://$host/"}}',
      }),
    },
    'for email addresses and origins': {
      policy: when(
        "!getReqHeader('x-email')[0].matches('^[^@]+@shop«.»example«.»com$') || getReqHeader('origin').exists(o, o.matches('^https://shop«.»example[.]com$'))",
        { phase: 'on_http_request' },
      ),
      profile: 'modern',
    },
    'for the extension of any file': when("req.Path.matches('^/[a-z]+«.»php$')"),
    'for an extension after any word': when(String.raw`req.Path.matches(r'/\w+«.»html\b')`),
    'for a file name': when("req.Path.matches('^/a+/index«.»html$')"),
  },
  silent: {
    'for escaped dots and repetitions': when(String.raw`req.Host.matches(r'^shop\.example[.]com$|^ab.*cd$')`),
    'for any path after a name': when("req.Path.matches('^/[a-z]+.list/[^/]+.php')"),
    'for inputs that rarely contain dots': when("getReqHeader('User-Agent').exists(a, a.matches('Mozilla.5'))"),
  },
});
