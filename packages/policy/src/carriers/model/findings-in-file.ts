import type { Diagnostic } from '@tollgate/diagnostics';
import type { EmbeddedPolicy } from './embedded-policy.ts';
import { diagnosticInFile } from './map-to-file.ts';

/** What may be found outside of a policy, in the YAML or JSON around it. */
const AROUND = /^(?:yaml|json)\//;

/**
 * Returns the findings in a policy as findings in its file. Remarks about the YAML or JSON around a policy are left out, since they do
 * not concern it; errors are kept, since they may change where the policy is.
 */
export function findingsInFile(policy: EmbeddedPolicy, found: readonly Diagnostic[]): readonly Diagnostic[] {
  const {
    part,
    range: { start, end },
  } = policy;
  const concerns = ({ code, severity, range }: Diagnostic) =>
    part === undefined || severity === 'error' || !AROUND.test(code) || (range.end >= start && range.start <= end);
  return found.filter(concerns).map(one => diagnosticInFile(policy, one));
}
