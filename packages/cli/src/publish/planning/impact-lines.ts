import { formatBounds, formatCount } from '../../text/format-count.ts';
import type { Impact } from './impact.ts';

/** Transitions that are shown. */
const SHOWN = 8;

/** Returns lines such as `  impact: 12 of 245 decisions change`, `    9 × passed → denied 403`. */
export function impactLines({ exchanges, changed, transitions }: Impact): readonly string[] {
  const head = `  impact: ${formatBounds(changed)} of ${formatCount(exchanges)} decisions change`;
  const shown = transitions
    .slice(0, SHOWN)
    .map(({ was, becomes, count }) => `    ${formatBounds(count)} × ${was} → ${becomes}`);
  const rest = transitions.length > SHOWN ? [`    and ${transitions.length - SHOWN} more kinds of changes`] : [];
  return [head, ...shown, ...rest];
}
