import type { Severity } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { createPolicyAnalyser } from './policy-analyser.ts';
import { requestSource } from './policy-in-request.ts';
import type { PolicyLint } from './policy-lint.ts';

const RESERVED = { actions: [{ type: 'remove-headers', config: { headers: ['user-agent'] } }] };
/** A value that no TLS version has. */
const UNWISE = { expressions: ["conn.tls.version == '9'"], actions: [{ type: 'deny' }] };

function findings(lint: PolicyLint, rule: object, severity: Severity, errorsOnly = false): readonly string[] {
  const source = requestSource(JSON.stringify({ on_http_request: [rule] }));
  return createPolicyAnalyser(lint)({ source, traffic: 'http', form: 'text', errorsOnly })
    .filter(one => one.severity === severity)
    .map(({ code }) => code);
}

describe('the analysis of a policy', () => {
  it.each(['off', 'warn', 'error'] as const)('reports documented refusals as errors under `%s`', lint => {
    expect(findings(lint, RESERVED, 'error')).toEqual(['header/reserved']);
    expect(findings(lint, RESERVED, 'error', true)).toEqual(['header/reserved']);
  });

  it('reports opinions of lint rules as the setting says', () => {
    expect(findings('off', UNWISE, 'warning')).not.toContain('tls/version-unknown');
    expect(findings('warn', UNWISE, 'warning')).toContain('tls/version-unknown');
    expect(findings('warn', UNWISE, 'error', true)).toEqual([]);
    expect(findings('error', UNWISE, 'error', true)).toContain('tls/version-unknown');
  });
});
