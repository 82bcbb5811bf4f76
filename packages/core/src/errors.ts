import type { Finding } from './finding.ts';

/** Thrown if a policy or its tests have errors and therefore cannot run. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  /** Every finding, including the errors. */
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    const errors = findings.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(first ? `${first.file}:${first.line}:${first.column}: ${first.message}${more}` : 'the policy has no rules');
    this.findings = findings;
  }
}

/** Thrown for an invalid option or request. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}
