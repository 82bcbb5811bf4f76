import { SEVERITIES } from '@tollgate/diagnostics';

/**
 * Returns why a value reported by a user's lint rule is not a finding. Without this check, reporters would fail far from the cause.
 *
 * @param length length of the document in UTF-16 units
 */
export function findingFault(finding: unknown, length: number): string | undefined {
  if (!isRecord(finding)) return 'expected a finding';
  const { message, range, severity, related = [], fixes = [] } = finding;
  if (typeof message !== 'string' || message === '') return '`message` of a finding must be a non-empty string';
  if (!isRange(range, length)) return '`range` of a finding must be inside the document';
  if (severity !== undefined && !SEVERITIES.some(one => one === severity))
    return '`severity` of a finding must be a severity';
  if (!Array.isArray(related) || !related.every(one => isRecord(one) && isRange(one.range, length)))
    return '`related` of a finding must be a list of ranges inside the document';
  if (!Array.isArray(fixes) || !fixes.every(fix => isFix(fix, length)))
    return '`fixes` of a finding must be a list of fixes with edits inside the document';
  return undefined;
}

/** Returns the same for a lint rule that compares files; the finding must belong to one of them. */
export function workspaceFault(uri: unknown, finding: unknown, uris: ReadonlySet<string>): string | undefined {
  if (typeof uri !== 'string' || !uris.has(uri)) return 'a finding must be in one of the compared files';
  if (
    isRecord(finding) &&
    Array.isArray(finding.related) &&
    !finding.related.every(one => isRecord(one) && uris.has(String(one.uri)))
  )
    return '`related` of a finding must be a list of ranges in the compared files';
  return findingFault(finding, Number.MAX_SAFE_INTEGER);
}

function isFix(fix: unknown, length: number): boolean {
  if (!isRecord(fix) || typeof fix.title !== 'string' || !Array.isArray(fix.edits)) return false;
  return fix.edits.every(one => isRecord(one) && typeof one.newText === 'string' && isRange(one.range, length));
}

function isRange(range: unknown, length: number): boolean {
  if (!isRecord(range)) return false;
  const { start, end } = range;
  if (!Number.isInteger(start) || !Number.isInteger(end)) return false;
  return 0 <= Number(start) && Number(start) <= Number(end) && Number(end) <= length;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
