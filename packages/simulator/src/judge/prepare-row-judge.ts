import { ConditionColumn } from '../preparation/condition-column.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import { RowJudge, type RowJudging } from './row-judge.ts';

/** Beyond it, going through the bits of all rules takes longer than looking up those that may match. */
const MOST_RULES = 256;

/** Undefined for policies that are judged exchange by exchange. */
export function prepareRowJudge(
  phases: readonly PreparedPhase[],
  judging: Pick<RowJudging, 'cuts' | 'movingState' | 'judge'>,
): RowJudge | undefined {
  const ruleCount = judging.cuts.length;
  if (ruleCount === 0 || ruleCount > MOST_RULES) return undefined;
  const columns: ConditionColumn[] = [];
  let first = 0;
  for (const { rules, conjuncts } of phases) {
    const prepared = conjuncts();
    if (prepared === undefined) return undefined;
    for (const one of prepared) columns.push(new ConditionColumn(one, first, (ruleCount + 31) >> 5));
    first += rules.length;
  }
  return new RowJudge({ ...judging, columns, ruleCount });
}
