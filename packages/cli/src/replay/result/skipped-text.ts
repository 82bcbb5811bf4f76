import type { SkippedSummary } from '@tollgate/simulator';
import { SKIP_REASONS } from '@tollgate/traffic';
import { formatCount } from '../../text/format-count.ts';
import { formatLocations } from './outcome-text.ts';

/** Returns `skipped 3: no known field (a.log:1, :2, …)`. Rows of a table have no locations. */
export function skippedText({ reason, count, first }: SkippedSummary): string {
  const more = count > first.length ? ', …' : '';
  const places = first.length === 0 ? '' : ` (${formatLocations(first.map(({ place }) => place))}${more})`;
  return `skipped ${formatCount(count)}: ${SKIP_REASONS[reason]}${places}`;
}
