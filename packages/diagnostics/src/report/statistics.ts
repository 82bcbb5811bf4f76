import type { Diagnostic, Severity } from '../diagnostic.ts';
import { SEVERITIES } from './report.ts';

/** How often a code was reported. */
export interface CodeCount {
  readonly code: string;
  /** The worst that it was reported with. */
  readonly severity: Severity;
  readonly count: number;
  /** Of these, those that a safe fix mends. */
  readonly fixable: number;
  readonly files: number;
}

/** Counts by code, the most frequent first. */
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
