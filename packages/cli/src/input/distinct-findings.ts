import type { Diagnostic } from '@tollgate/diagnostics';

/**
 * Returns the findings of all files without repetitions: errors in the YAML around several policies are found with each of them, and one note
 * about a detected profile is enough for a run.
 */
export function distinctFindings(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return found.filter(({ uri, code, range, message }) => {
    const key = code === 'profile/detected' ? code : `${uri} ${code} ${range.start} ${range.end} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
