import { formatDocument } from './documents.ts';
import { PolicyError } from './errors.ts';
import { findingsIn } from './finding.ts';
import { type PolicyOptions, policyDocument } from './policy-options.ts';

/** The options of {@link format}. */
export interface FormatOptions extends PolicyOptions {
  /** Maximum line length in UTF-16 code units; 100 by default. */
  readonly lineWidth?: number;
}

/** Returns a policy in canonical layout, as `tollgate fmt` does. Throws a {@link PolicyError} if it cannot be parsed. */
export function format(policy: string, options: FormatOptions = {}): string {
  const document = policyDocument(policy, options);
  const { text, diagnostics } = formatDocument(document, options.lineWidth);
  if (text === undefined) throw new PolicyError(findingsIn(document.source, diagnostics));
  return text;
}
