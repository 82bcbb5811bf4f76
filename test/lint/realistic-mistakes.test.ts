import { MODERN } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { createLinter, LINT_RULES, lintText, resolveRules } from '@tollgate/lint';
import { describe, expect, it } from 'vitest';
import { REALISTIC_MISTAKES } from './realistic-mistakes.ts';

// What a newcomer sees who lints without settings: mistakes that let the wrong people in or keep the right ones out are named by default.

const DEFAULT = createLinter(resolveRules(LINT_RULES, undefined, []).active);
const TARGET = { profile: MODERN, endpoint: 'http-endpoint' } as const;

function lint(text: string): readonly Diagnostic[] {
  return lintText(new SourceText('policy.yaml', text), TARGET, DEFAULT).diagnostics;
}

describe('realistic mistakes', () => {
  it.each(REALISTIC_MISTAKES)('are named by default: $title', ({ code, wrong }) => {
    expect(lint(wrong).map(finding => finding.code)).toContain(code);
  });

  it.each(REALISTIC_MISTAKES)('are not seen in the corrected policy: $title', ({ code, right }) => {
    const found = lint(right).filter(({ code: other, severity }) => other === code || severity === 'error');
    expect(found.map(finding => `${finding.code}: ${finding.message}`)).toEqual([]);
  });
});
