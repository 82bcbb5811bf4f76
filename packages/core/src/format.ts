import { formatPolicy } from '@tollgate/policy';
import { PolicyError } from './errors.ts';
import { findingsIn } from './finding.ts';
import { type PolicyOptions, policySource } from './policy-options.ts';

/** The options of {@link format}. */
export interface FormatOptions extends PolicyOptions {
  /** Maximum line length in UTF-16 code units; 100 by default. */
  readonly lineWidth?: number;
}

/** Returns a policy in canonical layout, as `tollgate fmt` does. Throws a {@link PolicyError} if it cannot be parsed. */
export function format(policy: string, options: FormatOptions = {}): string {
  const { source, target, part } = policySource(policy, options);
  const width = options.lineWidth ?? 100;
  const { text, diagnostics } = formatPolicy(source, { ...target, width, ...(part && { part }) });
  if (text === undefined) throw new PolicyError(findingsIn(source, diagnostics));
  return text;
}
