import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { UNREACHABLE_RULE } from './unreachable-rule.ts';

/** Rules of a name, an action, and conditions. */
function rules(...lines: readonly string[]): string {
  return `inbound:\n${lines.map(line => `  - ${line}\n`).join('')}`;
}

const DENY = 'actions: [{type: deny}]';
const LOG = 'actions: [{type: log, config: {metadata: {a: b}}}]';

const FORWARDS = `\
on_http_request:
  - { expressions: ["req.url.path.startsWith('/a')"], actions: [{type: forward-internal, config: {url: https://a.internal}}] }
  - { «expressions»: ["req.url.path.startsWith('/ab')"], ${LOG} }
`;

testRule(it, UNREACHABLE_RULE, {
  fires: {
    'behind a forward to an internal endpoint': { policy: FORWARDS, profile: 'modern' },
    'naming the rules that cover it together': {
      policy: rules(
        `{name: a, expressions: ["req.Method == 'A'"], ${DENY}}`,
        `{name: x, expressions: ["req.Host == 'x'"], ${DENY}}`,
        `{expressions: ["req.Method != 'A'"], ${DENY}}`,
        `{name: «lost», expressions: ["req.Path == '/'"], ${LOG}}`,
      ),
      message: 'this rule never runs: rule 1 `a` and rule 3 end all that it would match; move it before, or remove it',
    },
    'offering to remove it': {
      policy: rules(
        `{expressions: ["req.Method in ['A', 'B']"], ${DENY}}`,
        `{«expressions»: ["req.Method == 'B'"], ${LOG}}`,
      ),
      suggested: rules(`{expressions: ["req.Method in ['A', 'B']"], ${DENY}}`),
    },
    'for ranges of addresses': rules(
      `{expressions: ["inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9'])"], ${DENY}}`,
      `{«expressions»: ["inCidrRange(conn.ClientIP, '10.1.2.0/24')"], ${LOG}}`,
    ),
    'behind an action that changes something else': rules(
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
      `{actions: [{type: url-rewrite, config: {from: a, to: b}}]}`,
      `{«expressions»: ["req.Method == 'A' && req.Path == '/'"], ${LOG}}`,
    ),
    'where the other one ends in the same way': rules(
      `{expressions: ["req.Path.startsWith('/a')"], ${DENY}}`,
      `{«expressions»: ["req.Path.startsWith('/ab')"], ${DENY}}`,
    ),
    'where the condition is known not to fail': rules(
      `{expressions: ["!('X' in req.Headers)"], ${DENY}}`,
      `{expressions: ["req.Headers['X'][0] == 'a'"], ${DENY}}`,
      `{«expressions»: ["req.Headers['X'][0] in ['a']"], ${LOG}}`,
    ),
  },
  silent: {
    'behind a forward that may fail and then goes on': {
      policy: FORWARDS.replace('https://a.internal', 'https://a.internal, on_error: continue').replaceAll(/[«»]/g, ''),
      profile: 'modern',
    },
    'behind an action that may change what was read': rules(
      `{expressions: ["req.Path == '/a'"], ${DENY}}`,
      `{actions: [{type: url-rewrite, config: {from: b, to: a}}]}`,
      `{expressions: ["req.Path == '/a'"], ${LOG}}`,
    ),
    'behind a rule that goes on': rules(
      `{expressions: ["req.Method == 'A'"], ${LOG}}`,
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
    ),
    'behind a rule that may end': rules(
      `{expressions: ["req.Method == 'A'"], actions: [{type: redirect, config: {from: a, to: b}}]}`,
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
    ),
    'where a header may be absent': rules(
      `{expressions: ["req.Headers['X'][0] == 'a'"], ${DENY}}`,
      `{expressions: ["req.Headers['X'][0] != 'a'"], ${DENY}}`,
      `{expressions: ["req.Method == 'A'"], ${LOG}}`,
    ),
    'in another phase': `inbound:\n  - ${DENY}\noutbound:\n  - ${LOG}\n`,
    'for a rule that never matches anyway': rules(
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
      `{expressions: ["req.Method == 'A' && req.Method == 'B'"], ${LOG}}`,
    ),
    'for an equal rule, which is another lint rule': rules(
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
    ),
    'for what depends on chance': {
      policy: `on_http_request:\n  - {expressions: ["rand.int(0, 9) == 1"], ${DENY}}\n  - {expressions: ["rand.int(0, 9) == 1"], ${DENY}}\n`,
      profile: 'modern',
    },
  },
});
