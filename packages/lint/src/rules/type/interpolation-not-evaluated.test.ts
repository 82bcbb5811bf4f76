import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { INTERPOLATION_NOT_EVALUATED } from './interpolation-not-evaluated.ts';

const rule = (action: string, phase = 'inbound') => `${phase}: [{actions: [${action}]}]`;

const MODERN = { phase: 'on_http_request', action: '{type: log}' } as const;

testRule(it, INTERPOLATION_NOT_EVALUATED, {
  fires: {
    'at the interpolation': {
      policy: rule('{type: custom-response, config: {status_code: 200, content: "who: «${req.Host}»"}}'),
      message: '`${req.Host}` is not evaluated here and is sent literally; remove it',
    },
    'in a string of a condition': {
      policy: when("req.url.path == «'/users/${req.host}/x'»", MODERN),
      profile: 'modern',
      message: "strings in expressions are not interpolated; write `'/users/' + req.host + '/x'`",
      suggested: when("req.url.path == '/users/' + req.host + '/x'", MODERN),
    },
    'for values that are no strings': {
      policy: when("req.host == «'${res.status_code}.${req.host}'»", { ...MODERN, phase: 'on_http_response' }),
      profile: 'modern',
      suggested: when("req.host == string(res.status_code) + '.' + req.host", { ...MODERN, phase: 'on_http_response' }),
    },
  },
  silent: {
    'for a string of a condition that has no expression in braces': {
      policy: when("req.url.path.contains('${jndi:ldap://x}') || req.url.path.contains('${7*7}')", MODERN),
      profile: 'modern',
    },
    'for a key that is interpolated': {
      policy: rule('{type: log, config: {metadata: {a: "${req.host}"}}}', 'on_http_request'),
      profile: 'modern',
    },
    'for other uses of `$` and braces': rule(
      '{type: custom-response, config: {status_code: 200, content: "costs $5 {net}"}}',
    ),
  },
});
