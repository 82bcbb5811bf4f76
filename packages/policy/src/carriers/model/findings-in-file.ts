import type { Diagnostic, Range } from '@tollgate/diagnostics';
import { hasStandIns, standInRanges } from '../placeholders/stand-in.ts';
import type { EmbeddedPolicy } from './embedded-policy.ts';
import { diagnosticInFile } from './map-to-file.ts';

/** What may be found outside of a policy, in the YAML or JSON around it. */
const AROUND = /^(?:yaml|json)\//;

/**
 * Returns the findings in a policy as findings in its file. Remarks about the YAML or JSON around a policy are left out, since they do
 * not concern it; errors are kept, since they may change where the policy is. What depends on a placeholder is left out, too.
 */
export function findingsInFile(policy: EmbeddedPolicy, found: readonly Diagnostic[]): readonly Diagnostic[] {
  const {
    part,
    range: { start, end },
  } = policy;
  const concerns = ({ code, severity, range }: Diagnostic) =>
    part === undefined || severity === 'error' || !AROUND.test(code) || (range.end >= start && range.start <= end);
  return withoutPlaceholders(policy, found)
    .filter(concerns)
    .map(one => diagnosticInFile(policy, one));
}

/** Returns the findings that do not concern a placeholder, whose value is unknown. */
export function withoutPlaceholders(
  { source }: Pick<EmbeddedPolicy, 'source'>,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!hasStandIns(source.text)) return found;
  const unknown = standInRanges(source.text);
  const touches = ({ start, end }: Range) =>
    unknown.some(one => one.start < Math.max(end, start + 1) && start < one.end);
  return found.filter(({ range }) => !touches(range));
}
