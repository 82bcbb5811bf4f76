import type { Diagnostic } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { policyFault } from './policy-faults.ts';
import { requestSource } from './policy-in-request.ts';

const TEXT = '{\n  "inbound": ["x"]\n}';

function fault(code: string, message: string): readonly [number, string] {
  const diagnostic: Diagnostic = {
    code,
    message,
    severity: 'error',
    uri: 'body',
    range: { start: 16, end: 19 },
    args: {},
  };
  const made = policyFault(diagnostic, requestSource(TEXT), ['inbound', 0]);
  return [made.code, made.message];
}

describe('the fault of a policy', () => {
  it.each([
    ['policy/unknown-action', 2201, "The action type at 'inbound[0]' does not exist: 2:15 policy/unknown-action: m"],
    ['config/bad-url', 2226, "The value at 'inbound[0]' is not a URL: 2:15 config/bad-url: m"],
    ['config/wrong-type', 2203, "The configuration at 'inbound[0]' is not valid: 2:15 config/wrong-type: m"],
    [
      'name/undeclared-reference',
      2200,
      "The expression at 'inbound[0]' is not valid: 2:15 name/undeclared-reference: m",
    ],
    ['tls/version-unknown', 9026, 'The policy is not valid: 2:15 tls/version-unknown: m'],
  ])('of `%s` has its own number and ends with position and diagnostic', (code, number, message) => {
    expect(fault(code, 'm')).toEqual([number, message]);
  });
});
