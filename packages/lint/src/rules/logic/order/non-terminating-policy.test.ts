import { it } from 'vitest';
import { testRule } from '../../../testing/test-rule.ts';
import { NON_TERMINATING_POLICY } from './non-terminating-policy.ts';

const options = { required: true };
const DENY = 'actions: [{type: deny}]';

testRule(it, NON_TERMINATING_POLICY, {
  fires: {
    'naming what is left': {
      policy: `«inbound»:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method.startsWith('B')"], ${DENY}}
`,
      message: 'no rule answers traffic with `req.Method == "GET"`; end with a rule without conditions that does',
      options,
    },
    'where nothing ends anything': {
      policy: '«inbound»:\n  - {actions: [{type: log, config: {metadata: {a: b}}}]}\n',
      message: 'no rule answers other traffic; end with a rule without conditions that does',
      options,
    },
    'where a condition may fail': {
      policy: `«inbound»:
  - {expressions: ["req.Headers['X'][0] == 'a'"], ${DENY}}
  - {expressions: ["req.Headers['X'][0] != 'a'"], ${DENY}}
`,
      options,
    },
  },
  silent: {
    'for policies with an upstream': `inbound:\n  - {expressions: ["req.Method == 'A'"], ${DENY}}\n`,
    'for what no request has': {
      policy: `inbound:
  - {expressions: ["req.Path != '/a'"], ${DENY}}
  - {expressions: ["req.URL != ''"], ${DENY}}
`,
      options,
    },
    'where rules together answer everything': {
      policy: `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method != 'A'"], ${DENY}}
`,
      options,
    },
    'where an earlier rule changes what a later one reads': {
      policy: `inbound:
  - {actions: [{type: add-headers, config: {headers: {X: '1'}}}]}
  - {expressions: ["req.Path != '/a'"], ${DENY}}
  - {expressions: ["req.Headers['X'][0] == '1'"], ${DENY}}
`,
      options,
    },
    'where it hangs on an action': {
      policy: `inbound:
  - {actions: [{type: redirect, config: {from: a, to: b}}]}
`,
      options,
    },
    'for the phase of responses': {
      policy: `outbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: custom-response}]}
`,
      options,
    },
  },
});
