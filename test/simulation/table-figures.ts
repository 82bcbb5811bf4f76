import type { ImpactSummary, ReplaySummary } from '@tollgate/simulator';

/** Without what the location of examples and the name of the input are, and what was scanned. */
export function comparable({ files, skipped, scannedBytes: _, ...summary }: ReplaySummary) {
  const counts = files.map(({ exchanges, skipped: none }) => ({ exchanges, skipped: none }));
  const reasons = skipped.map(({ reason, count }) => ({ reason, count }));
  const rules = summary.rules.map(rule => ({
    ...rule,
    errors: rule.errors.map(({ text, count }) => ({ text, count })),
    needs: rule.needs.map(({ text, count }) => ({ text, count })),
  }));
  const { needs, ...undetermined } = summary.undetermined;
  const open = { ...undetermined, needs: needs.map(({ text, count }) => ({ text, count })) };
  return { ...summary, counts, reasons, rules, undetermined: open };
}

/** Without examples and the name of the input, and what was scanned. */
export function comparableImpact({ files, skipped, transitions, scannedBytes: _, ...summary }: ImpactSummary) {
  const counts = files.map(({ exchanges, skipped: none }) => ({ exchanges, skipped: none }));
  const reasons = skipped.map(({ reason, count }) => ({ reason, count }));
  return { ...summary, counts, reasons, transitions: transitions.map(({ first, examples, ...one }) => one) };
}
