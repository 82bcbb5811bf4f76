import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { createLinter, lintText } from '../../engine/lint-text.ts';
import { activate } from '../../engine/resolve-rules.ts';
import { testRule, when } from '../../engine/test-rule.ts';
import { DENY_SUCCESS_STATUS } from './deny-success-status.ts';

testRule(it, DENY_SUCCESS_STATUS, {
  fires: {
    'for a redirect status': {
      policy: when('true', { action: '{type: deny, config: {status_code: «302»}}' }),
      message: '`deny` responds with 302, which is not an error; use a status of 400 or above, such as 403',
    },
  },
  silent: {
    'for a custom response': when('true', {
      action: '{type: custom-response, config: {status_code: 200, content: fine}}',
    }),
    'for the default status': when('true', { action: '{type: deny}' }),
  },
});

it('leaves a status that the profile does not accept to the analysis', () => {
  const profile = PROFILES.find(({ name }) => name === 'modern')!;
  const text = when("req.method == 'TRACE'", {
    phase: 'on_http_request',
    action: '{type: deny, config: {status_code: 200}}',
  });
  const linter = createLinter([activate(DENY_SUCCESS_STATUS)]);
  const { diagnostics } = lintText(
    new SourceText('policy.yaml', text),
    { profile, endpoint: profile.endpoints[0]! },
    linter,
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(['config/out-of-range']);
});
