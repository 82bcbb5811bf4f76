import type { Diagnostic } from '@tollgate/diagnostics';

/** Returns a function that drops what it has seen: errors in the YAML around several policies are found with each of them. */
export function createOnce(): (found: readonly Diagnostic[]) => readonly Diagnostic[] {
  const seen = new Set<string>();
  return found =>
    found.filter(({ uri, code, range, message }) => {
      const key = `${uri} ${code} ${range.start} ${range.end} ${message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}
