import type { Diagnostic } from '@tollgate/diagnostics';

/** As many as the analysis reports of its own. */
const MOST = 200;

/** Returns at most {@link MOST} errors and as many others, in their order. If there are more, the last one says so. */
export function mostImportant(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const counts = { errors: 0, others: 0 };
  const kept = found.filter(({ severity }) => {
    const kind = severity === 'error' ? 'errors' : 'others';
    counts[kind] += 1;
    return counts[kind] <= MOST;
  });
  const last = kept.at(-1);
  if (!last || kept.length === found.length) return kept;
  const message = `${found.length - kept.length} more findings; they are not shown`;
  const args = { limit: 'maxDiagnostics', value: MOST };
  return [...kept, { ...last, code: 'limit/diagnostics', severity: 'info', message, args, related: [], fixes: [] }];
}
