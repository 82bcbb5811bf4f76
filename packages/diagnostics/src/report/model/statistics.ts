import type { Diagnostic, Severity } from '../../diagnostic.ts';
import { SEVERITIES } from './report.ts';

/** The number of findings of a code. */
export interface CodeCount {
  readonly code: string;
  /** The highest reported severity. */
  readonly severity: Severity;
  readonly count: number;
  /** Number of findings with a safe fix. */
  readonly fixable: number;
  readonly files: number;
}

/** Returns counts by code, most frequent first. */
export function countByCode(diagnostics: readonly Diagnostic[]): readonly CodeCount[] {
  const byCode = Map.groupBy(diagnostics, diagnostic => diagnostic.code);
  return [...byCode]
    .map(([code, found]) => ({
      code,
      severity: SEVERITIES.find(severity => found.some(one => one.severity === severity))!,
      count: found.length,
      fixable: found.filter(one => one.fixes?.some(fix => fix.applicability === 'safe')).length,
      files: new Set(found.map(one => one.uri)).size,
    }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}
