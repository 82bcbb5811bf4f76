import type { Diagnostic } from '@tollgate/diagnostics';
import { shiftDiagnostic } from '@tollgate/policy';
import type { Replaced } from '../protocol/ranges.ts';

/** Moves findings with an edit, and drops those of the edited part. */
export function moveFindings(found: readonly Diagnostic[], { range, length }: Replaced): readonly Diagnostic[] {
  const shift = { from: range.end, by: length - (range.end - range.start) };
  return found
    .filter(one => one.range.end < range.start || one.range.start > range.end)
    .map(one => (one.range.start < range.start ? one : shiftDiagnostic(one, shift)));
}
