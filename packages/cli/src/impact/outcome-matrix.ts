import type { ImpactSummary, Interval, Outcome } from '@tollgate/simulator';

/** How often each outcome becomes which. */
export interface OutcomeMatrix {
  /** Outcomes of the new policy. */
  readonly columns: readonly Outcome[];
  readonly rows: readonly MatrixRow[];
}

/** An outcome of the old policy. */
interface MatrixRow {
  readonly was: Outcome;
  /** Parallel to the columns; undefined where there is nothing. */
  readonly counts: readonly (MatrixCell | undefined)[];
}

/** Exchanges with one outcome before and after. */
interface MatrixCell {
  readonly count: Interval;
  readonly isSame: boolean;
}

/** Returns the matrix of outcomes; the diagonal is what does not change. */
export function outcomeMatrix({ was, becomes, unchanged, transitions }: ImpactSummary): OutcomeMatrix {
  const columns = becomes.map(({ outcome }) => outcome);
  const rows = was.map(({ outcome: row }) => ({
    was: row,
    counts: columns.map((column): MatrixCell | undefined => {
      const isSame = isEqual(row, column);
      const found = isSame
        ? unchanged.find(one => isEqual(one.outcome, row))
        : transitions.find(one => isEqual(one.was, row) && isEqual(one.becomes, column));
      return found && { count: found.count, isSame };
    }),
  }));
  return { columns, rows };
}

function isEqual(a: Outcome, b: Outcome): boolean {
  return a.kind === b.kind && a.status === b.status && a.action === b.action;
}
