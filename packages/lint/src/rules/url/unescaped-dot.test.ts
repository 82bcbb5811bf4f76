import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNESCAPED_DOT } from './unescaped-dot.ts';

/** Each form of what may stand before a dot with each form of what may follow it. */
function everyForm(input: string, before: readonly string[], after: readonly string[]): Record<string, string> {
  const patterns = before.flatMap(left => after.map(right => `${left}«.»${right}`));
  return Object.fromEntries(patterns.map(one => [`for ${one} in ${input}`, when(`${input}.matches(r'${one}')`)]));
}

const FILES = ['', '/', '/a', '^/index', String.raw`/\w+`, '^/[a-z]+', '/[^/]*', '^/.*', '.+', '/(?:login|x)'];
const EXTENSIONS = ['php', 'php$', '(php|aspx?)$', 'html?$', String.raw`js\b`];

testRule(it, UNESCAPED_DOT, {
  fires: {
    ...everyForm('req.Path', FILES, EXTENSIONS),
    ...everyForm('req.Path', ['^/', '/(?:files)?/'], ['git', 'well-known/', '(?:svn|htaccess)', 'env$']),
    ...everyForm('req.Path', ['^/api/v1', '/lib-3'], ['0/', '12[.]7']),
    ...everyForm(
      'req.Host',
      ['^shop', '^(?:shop|pay)', '^[a-z]+', '^.*', '.+', '^[^.]+'],
      ['example[.]com$', '(com|org)$'],
    ),
    ...everyForm('req.Host', ['^10'], ['0[.]0[.]1$']),
    'once for the dots of a redirect': {
      policy: when('true', {
        action: '{type: redirect, config: {from: "^https://www«.»example.com/", to: "https://$host/"}}',
      }),
      message: '2 unescaped dots match any character; write `[.]` to match a dot',
      suggested: when('true', {
        action: '{type: redirect, config: {from: "^https://www[.]example[.]com/", to: "https://$host/"}}',
      }),
    },
    'for email addresses and origins': {
      policy: when(
        "!getReqHeader('x-email')[0].matches('^[^@]+@shop«.»example.com$') || getReqHeader('origin').exists(o, o.matches('^https://shop«.»example[.]com$'))",
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
    'for any path after a name': when("req.Path.matches('^/[a-z]+.list/[^/]+.x/y')"),
    'for a wildcard in a version or a number of pages': when("req.Path.matches('^/v./page-.$')"),
    'for inputs that rarely contain dots': when("getReqHeader('User-Agent').exists(a, a.matches('Mozilla.5'))"),
  },
});
