import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { UNGUARDED_INDEX } from './unguarded-index.ts';

const two = (first: string, second: string) => `inbound:
  - expressions:
      - "${first}"
      - "${second}"
    actions: [{type: deny}]
`;

/** Reads whose failure has the intended effect are reported only then. */
const EVERYWHERE = { options: { everywhere: true } } as const;

testRule(it, UNGUARDED_INDEX, {
  fires: {
    'and suggests a test that lets requests without the header match': {
      policy: when("req.Method == 'PUT' || «req.Headers['X-A']»[0] != 'b'"),
      suggested: when("req.Method == 'PUT' || !('X-A' in req.Headers) || req.Headers['X-A'][0] != 'b'"),
    },
    'and suggests a test that keeps requests without the header from matching': {
      ...EVERYWHERE,
      policy: when("«req.Headers['X-A']».exists(v, v == 'b')"),
      suggested: when("'X-A' in req.Headers && req.Headers['X-A'].exists(v, v == 'b')"),
    },
    'when the header must not have a value': {
      policy: when("«req.Headers['X-A']»[0] != 'b' || !(«req.Headers['X-B']»[0] == 'c')"),
      message:
        "condition fails with an error for requests without `X-A`, which this rule may then let pass; test `'X-A' in req.Headers` first",
    },
    'when an empty value is refused, so that a missing one is meant too': {
      policy: when("«req.Headers['X-A']»[0] == ''"),
      suggested: when("!('X-A' in req.Headers) || req.Headers['X-A'][0] == ''"),
      message:
        "condition fails with an error for requests without `X-A`, so this rule lets them pass; test `'X-A' in req.Headers` first",
    },
    'when a list with an empty value is refused': {
      policy: when("req.Path == '/a' && [''] == «req.Headers['X-A']»"),
      suggested: when("req.Path == '/a' && (!('X-A' in req.Headers) || [''] == req.Headers['X-A'])"),
    },
    'when the header must have a value': { ...EVERYWHERE, policy: when("'b' in «req.Headers['X-A']»") },
    'when the test is for another header': {
      ...EVERYWHERE,
      policy: when("'X-B' in req.Headers && «req.Headers['X-A']»[0] == 'b'"),
    },
    'on the wrong side of `||`': {
      ...EVERYWHERE,
      policy: when("'X-A' in req.Headers || «req.Headers['X-A']»[0] == 'b'"),
    },
    'with the name in the spelling of the profile': {
      policy: when("«req.headers['X-A']»[0] != 'b'", { phase: 'on_http_request' }),
      profile: 'modern',
      message:
        "condition fails with an error for requests without `X-A`, so this rule lets them pass; test `'x-a' in req.headers` first",
      suggested: when("!('x-a' in req.headers) || req.headers['x-a'][0] != 'b'", { phase: 'on_http_request' }),
    },
    'for a response in the modern profile': {
      policy: when("size(«res.headers['x-a']») > 1", { phase: 'on_http_response', action: '{type: log}' }),
      profile: 'modern',
    },
  },
  silent: {
    'where only a header that exists can match': when("req.Headers['X-A'].exists(v, v == 'b')"),
    'in a rate limit key': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 5, rate: 60s, bucket_key: ["req.headers['x-a']"]}}`,
      }),
      profile: 'modern',
    },
    'next to a test, in either order': when(
      "'X-A' in req.Headers && req.Headers['X-A'][0] == 'b' || req.Headers['X-B'][0] == 'c' && 'X-B' in req.Headers",
    ),
    'next to a negated test, joined by `||`': when("!('X-A' in req.Headers) || req.Headers['X-A'][0] != 'b'"),
    'after a test in a conditional': when("'X-A' in req.Headers ? req.Headers['X-A'][0] != 'b' : true"),
    'after a function that tests for it': when("hasReqHeader('X-A') && req.Headers['X-A'][0] != 'b'"),
    'after another expression of the rule that tests for it': two(
      "'X-A' in req.Headers",
      "req.Headers['X-A'][0] != 'b'",
    ),
    'deep inside a guarded operand': when("'X-A' in req.Headers && !(req.Headers['X-A'].exists(v, v == 'b'))"),
    'for a test of presence alone': when("!('X-A' in req.Headers)"),
  },
});
