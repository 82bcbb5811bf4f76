import type { Outcome, OutcomeKind } from '../../effects/model/effect.ts';

const ORDER: readonly OutcomeKind[] = [
  'passed',
  'forwarded',
  'replaced',
  'answered',
  'redirected',
  'denied',
  'refused',
  'closed',
  'failed',
];

/** Returns a key under which equal outcomes are counted together. */
export function outcomeKey({ kind, status, action }: Outcome): string {
  return `${kind} ${status} ${action}`;
}

/** The order in which outcomes are shown: passed first, failed last. */
export function compareOutcomes(a: Outcome, b: Outcome): number {
  return (
    ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
    (a.status ?? 0) - (b.status ?? 0) ||
    (outcomeKey(a) < outcomeKey(b) ? -1 : 1)
  );
}
