import type { ImpactSummary, Interval } from '@tollgate/simulator';
import { formatBounds, formatCount } from '../text/format-count.ts';
import { type CheckedLimit, shareText } from './impact-result.ts';

/** What an impact must not exceed. */
export interface ImpactLimits {
  readonly maxNewlyDenied?: AllowedCount;
  /** Expressions on exchanges that must not change. */
  readonly neverTouch?: readonly string[];
}

/** A number of exchanges, or a share of all. */
export type AllowedCount =
  | { readonly text: string; readonly percent: number }
  | { readonly text: string; readonly count: number };

/** Compares an impact with limits. What may happen counts, because the recording does not show that it does not. */
export function checkLimits(
  { exchanges, newlyDenied, touched }: ImpactSummary,
  { maxNewlyDenied, neverTouch = [] }: ImpactLimits,
): readonly CheckedLimit[] {
  const limits: CheckedLimit[] = [];
  const isOne = ({ least, most }: Interval) => least === 1 && most === 1;
  if (maxNewlyDenied !== undefined) {
    const allowed = 'count' in maxNewlyDenied ? maxNewlyDenied.count : (maxNewlyDenied.percent * exchanges) / 100;
    limits.push({
      option: `--max-newly-denied ${maxNewlyDenied.text}`,
      found: newlyDenied,
      isExceeded: newlyDenied.most > allowed,
      message: `${formatBounds(newlyDenied)} of ${formatCount(exchanges)} exchanges (${shareText(newlyDenied, exchanges)}) ${isOne(newlyDenied) ? 'is' : 'are'} newly denied`,
    });
  }
  if (touched !== undefined)
    limits.push({
      option: neverTouch.map(expression => `--never-touch ${JSON.stringify(expression)}`).join(' '),
      found: touched.count,
      isExceeded: touched.count.most > 0,
      message: `${formatBounds(touched.count)} protected ${isOne(touched.count) ? 'exchange changes' : 'exchanges change'}`,
    });
  return limits;
}
