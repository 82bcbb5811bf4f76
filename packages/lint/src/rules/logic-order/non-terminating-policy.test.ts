import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { NON_TERMINATING_POLICY } from './non-terminating-policy.ts';

const options = { required: true };
const DENY = 'actions: [{type: deny}]';

testRule(it, NON_TERMINATING_POLICY, {
  fires: {
    'with an example of an unhandled request': {
      policy: `«inbound»:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method.startsWith('B')"], ${DENY}}
`,
      message: 'no rule handles GET https://example.com/ from 198.51.100.7; add a last rule without conditions',
      options,
    },
    'when no rule ends evaluation': {
      policy: '«inbound»:\n  - {actions: [{type: log, config: {metadata: {a: b}}}]}\n',
      message: 'no rule handles GET https://example.com/ from 198.51.100.7; add a last rule without conditions',
      options,
    },
    'when a condition may fail': {
      policy: `«inbound»:
  - {expressions: ["req.Headers['X'][0] == 'a'"], ${DENY}}
  - {expressions: ["req.Headers['X'][0] != 'a'"], ${DENY}}
`,
      options,
    },
  },
  silent: {
    'for policies with an upstream': `inbound:\n  - {expressions: ["req.Method == 'A'"], ${DENY}}\n`,
    'for requests that cannot exist': {
      policy: `inbound:
  - {expressions: ["req.Path != '/a'"], ${DENY}}
  - {expressions: ["req.URL != ''"], ${DENY}}
`,
      options,
    },
    'when the rules together handle everything': {
      policy: `inbound:
  - {expressions: ["req.Method == 'A'"], ${DENY}}
  - {expressions: ["req.Method != 'A'"], ${DENY}}
`,
      options,
    },
    'when an earlier rule changes an input of a later one': {
      policy: `inbound:
  - {actions: [{type: add-headers, config: {headers: {X: '1'}}}]}
  - {expressions: ["req.Path != '/a'"], ${DENY}}
  - {expressions: ["req.Headers['X'][0] == '1'"], ${DENY}}
`,
      options,
    },
    'when it depends on an action': {
      policy: `inbound:
  - {actions: [{type: redirect, config: {from: a, to: b}}]}
`,
      options,
    },
    'for the response phase': {
      policy: `outbound:
  - {expressions: ["req.Method == 'A'"], actions: [{type: custom-response}]}
`,
      options,
    },
  },
});
