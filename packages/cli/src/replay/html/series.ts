import type { Outcome, PolicySummary } from '@tollgate/simulator';
import { formatOutcome } from '../result/outcome-text.ts';

/** An outcome in plots: how often it is certain, and its colour. */
export interface Series {
  readonly name: string;
  /** Class names in the style sheet of the page. */
  readonly colour: string;
  readonly count: number;
  /** Counts by interval of the breakdown; undefined without a breakdown. */
  readonly overTime: readonly number[] | undefined;
}

/** Shades of one colour, for outcomes of one kind. */
const SHADES = 4;

/** Returns the outcomes of a policy, followed by the undetermined exchanges. Together they are all exchanges. */
export function seriesOf({ outcomes, undetermined, breakdown }: PolicySummary): readonly Series[] {
  const seen = new Map<string, number>();
  const certain = outcomes.map(({ outcome, count }) => {
    const nth = seen.get(outcome.kind) ?? 0;
    if (count.least > 0) seen.set(outcome.kind, nth + 1);
    const counts = breakdown?.time.outcomes.find(one => isSame(one.outcome, outcome))?.counts;
    const overTime = counts ?? breakdown?.time.starts.map(() => 0);
    return { name: formatOutcome(outcome), colour: colourOf(outcome, nth), count: count.least, overTime };
  });
  const open = {
    name: 'undetermined',
    colour: 'undetermined',
    count: undetermined.exchanges,
    overTime: breakdown?.time.undetermined,
  };
  return [...certain, open].filter(({ count }) => count > 0);
}

function isSame(a: Outcome, b: Outcome): boolean {
  return a.kind === b.kind && a.status === b.status && a.action === b.action;
}

function colourOf({ kind }: Outcome, nth: number): string {
  const shade = nth % SHADES;
  return shade === 0 ? kind : `${kind} shade-${shade}`;
}
