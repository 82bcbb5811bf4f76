import { type Diagnostic, ownValue, type Range, type SuppressedDiagnostic } from '@tollgate/diagnostics';
import { CODES_BY_ID } from '../config/analysis-codes.ts';
import { firstFrom } from '../primitives/sorted-ranges.ts';
import type { Suppression, UsedSuppression } from '../rule-api/suppression.ts';

/** The findings that are kept, those that are suppressed, and what each suppression did. */
interface SuppressionOutcome {
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly suppressions: readonly UsedSuppression[];
}

/**
 * Applies suppressions to findings. Errors of the analysis stay, because the service would refuse the policy anyway.
 *
 * @param isAnalysis returns true for diagnostics of the analysis
 *
 * @param today `2027-01-01`; a suppression is valid until the end of its last day. Without it, none has expired.
 */
export function suppress(
  diagnostics: readonly Diagnostic[],
  suppressions: readonly Suppression[],
  { isAnalysis, today }: { readonly isAnalysis: (one: Diagnostic) => boolean; readonly today: string | undefined },
): SuppressionOutcome {
  if (suppressions.length === 0) return { kept: diagnostics, suppressed: [], suppressions: [] };
  const live = suppressions.filter(one => !isExpired(one, today));
  const { by: suppressedBy, used } = match(
    diagnostics.filter(one => !isFatal(one, isAnalysis)),
    live,
  );
  const kept: Diagnostic[] = [];
  const suppressed: SuppressedDiagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const by = suppressedBy.get(diagnostic);
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

interface Matches {
  /** The first suppression that names a finding. */
  readonly by: ReadonlyMap<Diagnostic, Suppression>;
  /** Every name that applies to a finding. */
  readonly used: ReadonlySet<Suppression['names'][number]>;
}

/** Findings and suppressions may be numerous: a suppressed finding is not examined again. */
function match(findings: readonly Diagnostic[], live: readonly Suppression[]): Matches {
  const places = [...Map.groupBy(findings, one => one.code)].map(([code, own]) => new Places(code, own));
  const placesOf = new Map<string, readonly Places[]>();
  const by = new Map<Diagnostic, Suppression>();
  const used = new Set<Suppression['names'][number]>();
  for (const suppression of live) {
    for (const name of suppression.names) {
      const meant = placesOf.get(name.name) ?? places.filter(({ code }) => isMeant(name.name, code));
      placesOf.set(name.name, meant);
      for (const one of meant) {
        const { isAny, fresh } = one.take(suppression.scope);
        if (isAny) used.add(name);
        for (const finding of fresh) by.set(finding, suppression);
      }
    }
  }
  return { by, used };
}

/** The findings of one code by start offset, each of which is taken once. */
class Places {
  readonly code: string;
  readonly #sorted: readonly Diagnostic[];
  readonly #ranges: readonly Range[];
  /** By index, an index at or after it that may not be taken yet. */
  readonly #next: number[];

  constructor(code: string, findings: readonly Diagnostic[]) {
    this.code = code;
    this.#sorted = findings.toSorted((a, b) => a.range.start - b.range.start);
    this.#ranges = this.#sorted.map(one => one.range);
    this.#next = Array.from({ length: findings.length + 1 }, (_, at) => at);
  }

  /** Returns whether any finding starts in the range, and those that were not taken before. */
  take({ start, end }: Range): { readonly isAny: boolean; readonly fresh: readonly Diagnostic[] } {
    const first = firstFrom(this.#ranges, start);
    const isAny = (this.#sorted[first]?.range.start ?? Number.POSITIVE_INFINITY) <= end;
    const fresh: Diagnostic[] = [];
    for (let at = this.#free(first); isAny && at < this.#sorted.length; at = this.#free(at)) {
      if (this.#sorted[at]!.range.start > end) break;
      fresh.push(this.#sorted[at]!);
      this.#next[at] = at + 1;
    }
    return { isAny, fresh };
  }

  /** Returns the first index from this one on that was not taken. */
  #free(from: number): number {
    let at = from;
    while (this.#next[at] !== at) {
      this.#next[at] = this.#next[this.#next[at]!]!;
      at = this.#next[at]!;
    }
    return at;
  }
}

/** Returns true if a name selects a code: it equals the code, is its `category/*`, or an alternative name of it. */
export function isMeant(name: string, code: string): boolean {
  if (name === code) return true;
  if (name.endsWith('/*')) return code.startsWith(name.slice(0, -1));
  return ownValue(CODES_BY_ID, name)?.some(one => isMeant(one, code)) ?? false;
}
