import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { UNREACHABLE_RULE } from './unreachable-rule.ts';

/** Builds a policy of inbound rules, one per line. */
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
    'in another phase': {
      policy: `inbound:\n  - ${DENY}\noutbound:\n  - «actions»: [{type: log, config: {metadata: {a: b}}}]\n`,
      message: 'rule never runs: rule 1 of `inbound` handles all of its traffic; add conditions to it, or remove it',
    },
    'for a variable that a rule of another phase sets': {
      policy: `on_http_request:\n  - actions: [{type: set-vars, config: {vars: [{a: b}]}}]\non_http_response:\n  - {«expressions»: ["'a' in vars && vars.a == 'b'"], ${LOG}}\n`,
      profile: 'modern',
      message:
        'rule never runs: no earlier rule of `on_http_response` sets the variables that it reads; set them in this phase, or remove it',
    },
    'after a forward to an internal endpoint': { policy: FORWARDS, profile: 'modern' },
    'with the names of the rules that cover it together': {
      policy: rules(
        `{name: a, expressions: ["req.Method == 'A'"], ${DENY}}`,
        `{name: x, expressions: ["req.Host == 'x'"], ${DENY}}`,
        `{expressions: ["req.Method != 'A'"], ${DENY}}`,
        `{name: «lost», expressions: ["req.Path == '/'"], ${LOG}}`,
      ),
      message: 'rule never runs: rule 1 `a` and rule 3 handle all of its traffic; move it before, or remove it',
    },
    'and suggests removing it': {
      policy: rules(
        `{expressions: ["req.Method in ['A', 'B']"], ${DENY}}`,
        `{«expressions»: ["req.Method == 'B'"], ${LOG}}`,
      ),
      suggested: rules(`{expressions: ["req.Method in ['A', 'B']"], ${DENY}}`),
    },
    'for address ranges': rules(
      `{expressions: ["inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9'])"], ${DENY}}`,
      `{«expressions»: ["inCidrRange(conn.ClientIP, '10.1.2.0/24')"], ${LOG}}`,
    ),
    'after an action that changes other inputs': rules(
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
      `{actions: [{type: url-rewrite, config: {from: a, to: b}}]}`,
      `{«expressions»: ["req.Method == 'A' && req.Path == '/'"], ${LOG}}`,
    ),
    'when the earlier rule has the same outcome': rules(
      `{expressions: ["req.Path.startsWith('/a')"], ${DENY}}`,
      `{«expressions»: ["req.Path.startsWith('/ab')"], ${DENY}}`,
    ),
    'when the condition cannot fail': rules(
      `{expressions: ["!('X' in req.Headers)"], ${DENY}}`,
      `{expressions: ["req.Headers['X'][0] == 'a'"], ${DENY}}`,
      `{«expressions»: ["req.Headers['X'][0] in ['a']"], ${LOG}}`,
    ),
  },
  silent: {
    'after a forward that continues on errors': {
      policy: FORWARDS.replace('https://a.internal', 'https://a.internal, on_error: continue').replaceAll(/[«»]/g, ''),
      profile: 'modern',
    },
    'after an action that may change an input': rules(
      `{expressions: ["req.Path == '/a'"], ${DENY}}`,
      `{actions: [{type: url-rewrite, config: {from: b, to: a}}]}`,
      `{expressions: ["req.Path == '/a'"], ${LOG}}`,
    ),
    'after a rule that does not end evaluation': rules(
      `{expressions: ["req.Method == 'A'"], ${LOG}}`,
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
    ),
    'after a rule that may not end evaluation': rules(
      `{expressions: ["req.Method == 'A'"], actions: [{type: redirect, config: {from: a, to: b}}]}`,
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
    ),
    'when a header may be missing': rules(
      `{expressions: ["req.Headers['X'][0] == 'a'"], ${DENY}}`,
      `{expressions: ["req.Headers['X'][0] != 'a'"], ${DENY}}`,
      `{expressions: ["req.Method == 'A'"], ${LOG}}`,
    ),
    'in another phase, where an answer does not end the policy': {
      policy: `on_http_request:\n  - actions: [{type: custom-response}]\non_http_response:\n  - ${LOG}\n`,
      profile: 'modern',
    },
    'behind an answer that an earlier rule may give': {
      policy: `on_http_request:\n  - {expressions: ["req.method == 'A'"], actions: [{type: custom-response}]}\n  - ${DENY}\non_http_response:\n  - ${LOG}\n`,
      profile: 'modern',
    },
    'for a variable that an earlier rule of the phase may set': {
      policy: `on_http_request:\n  - {expressions: ["req.method == 'A'"], actions: [{type: set-vars, config: {vars: [{a: b}]}}]}\n  - {expressions: ["'a' in vars"], ${DENY}}\n`,
      profile: 'modern',
    },
    'for a rule that never matches, which `logic/never-matches` reports': rules(
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
      `{expressions: ["req.Method == 'A' && req.Method == 'B'"], ${LOG}}`,
    ),
    'for an identical rule, which `logic/duplicate-rule` reports': rules(
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
      `{expressions: ["req.Method == 'A'"], ${DENY}}`,
    ),
    'for random values': {
      policy: `on_http_request:\n  - {expressions: ["rand.int(0, 9) == 1"], ${DENY}}\n  - {expressions: ["rand.int(0, 9) == 1"], ${DENY}}\n`,
      profile: 'modern',
    },
  },
});
