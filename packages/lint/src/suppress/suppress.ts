import type { Diagnostic, SuppressedDiagnostic } from '@tollgate/diagnostics';
import { CODES_BY_ID } from '../config/analysis-codes.ts';
import type { Suppression, UsedSuppression } from './suppression.ts';

/** What counts, what does not, and what the suppressions did. */
export interface SuppressionOutcome {
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly suppressions: readonly UsedSuppression[];
}

/**
 * Takes the findings away that suppressions name. Errors of the analysis stay: the service would refuse the policy all the same.
 *
 * @param isAnalysis tells diagnostics of the analysis from those of lint rules
 * @param today `2027-01-01`; a suppression holds until the end of its last day. Without it, none has expired.
 */
export function suppress(
  diagnostics: readonly Diagnostic[],
  suppressions: readonly Suppression[],
  { isAnalysis, today }: { readonly isAnalysis: (one: Diagnostic) => boolean; readonly today: string | undefined },
): SuppressionOutcome {
  if (suppressions.length === 0) return { kept: diagnostics, suppressed: [], suppressions: [] };
  const used = new Set<Suppression['names'][number]>();
  const live = suppressions.filter(one => !isExpired(one, today));
  const kept: Diagnostic[] = [];
  const suppressed: SuppressedDiagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const by = isFatal(diagnostic, isAnalysis) ? undefined : suppressionOf(diagnostic, live, used);
    if (!by) kept.push(diagnostic);
    else suppressed.push({ diagnostic, by: 'comment', ...(by.reason !== undefined && { reason: by.reason }) });
  }
  const outcomes = suppressions.map(one => ({
    ...one,
    isExpired: isExpired(one, today),
    unused: one.names.filter(name => !used.has(name)),
  }));
  return { kept, suppressed, suppressions: outcomes };
}

function isFatal(diagnostic: Diagnostic, isAnalysis: (one: Diagnostic) => boolean): boolean {
  return diagnostic.severity === 'error' && isAnalysis(diagnostic);
}

function isExpired({ until }: Suppression, today: string | undefined): boolean {
  return until !== undefined && today !== undefined && until.date < today;
}

/** The first suppression that names the finding; every name that does counts as used. */
function suppressionOf(
  diagnostic: Diagnostic,
  live: readonly Suppression[],
  used: Set<Suppression['names'][number]>,
): Suppression | undefined {
  let found: Suppression | undefined;
  for (const one of live) {
    if (diagnostic.range.start < one.scope.start || diagnostic.range.start > one.scope.end) continue;
    for (const name of one.names) {
      if (!isMeant(name.name, diagnostic.code)) continue;
      used.add(name);
      found ??= one;
    }
  }
  return found;
}

/** Whether a name stands for a code: it is the same, `category/*`, or an id that the analysis implements. */
export function isMeant(name: string, code: string): boolean {
  if (name === code) return true;
  if (name.endsWith('/*')) return code.startsWith(name.slice(0, -1));
  return CODES_BY_ID[name]?.some(one => isMeant(one, code)) ?? false;
}
