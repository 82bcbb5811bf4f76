import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { REPLACED_EARLIER } from './replaced-earlier.ts';

const two = (first: string, second: string, conditions: readonly [string, string] = ['', '']) =>
  `inbound:\n${[first, second]
    .map((action, index) => {
      const condition = conditions[index] === '' ? '' : `    expressions: ["${conditions[index]}"]\n`;
      return `  - name: ${'ab'[index]}\n${condition}    actions: [${action}]\n`;
    })
    .join('')}`;
const rewrite = (from: string, to: string) => `{type: url-rewrite, config: {from: "${from}", to: ${to}}}`;
const redirect = (from: string, to: string) => `{type: redirect, config: {from: "${from}", to: ${to}}}`;

testRule(it, REPLACED_EARLIER, {
  fires: {
    'for a redirect': {
      policy: two(redirect('/shop/', '/store/'), redirect('«/shop/old/»', '/archive/')),
      message:
        'rule 1 `a` redirects `https://app.example.com/shop/old/` to `https://app.example.com/store/old/` before this applies; move this rule before it',
    },
    'for a rewrite': {
      policy: two(rewrite('/api', '/v2'), rewrite('«/api/users»', '/people')),
      message:
        'rule 1 `a` makes `https://app.example.com/api/users` into `https://app.example.com/v2/users` before this applies; move this rule before it',
    },
    'if the conditions of the first are among those of the second': two(
      rewrite('/api', '/v2'),
      rewrite('«/api/users»', '/people'),
      ["req.Method == 'GET'", "req.Method == 'GET'"],
    ),
    'if the condition of the first holds for the URL': two(rewrite('/api', '/v2'), rewrite('«/api/users»', '/people'), [
      "req.Path.startsWith('/api')",
      '',
    ]),
  },
  silent: {
    'in the other order': two(redirect('/shop/old/', '/archive/'), redirect('/shop/', '/store/')),
    'if the first makes what the second is for': two(rewrite('/old', '/api'), rewrite('/api', '/v2')),
    'if the first has another condition': two(rewrite('/api', '/v2'), rewrite('/api/users', '/people'), [
      "req.Method == 'GET'",
      '',
    ]),
    'if the second still applies': two(rewrite('/api', '/v2/api'), rewrite('/api/users', '/people')),
    'for other paths': two(redirect('/shop/', '/store/'), redirect('/blog/', '/news/')),
  },
});
