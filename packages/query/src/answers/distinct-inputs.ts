import type { RunContext } from '../plan/run-context.ts';
import { columnOf } from '../sources/source.ts';

/** Values that occur once in so many rows are evaluated as often as in process. */
const MOST_DISTINCT = 0.9;

/** Returns those of the lists of inputs for which nearly each of the first rows has its own values. Few rows say little: of 450 usual exchanges, most have a URL of their own. */
export async function distinctInputs(
  { session, manyValues }: Pick<RunContext, 'session' | 'manyValues'>,
  lists: readonly (readonly number[])[],
): Promise<ReadonlySet<readonly number[]>> {
  const told = lists.filter(inputs => inputs.length > 0);
  if (told.length === 0) return new Set();
  const counts = told.map(inputs => `count(distinct row(${inputs.map(columnOf).join(', ')}))`);
  const [[rows, ...distinct] = []] = await session.rows(
    `select count(*), ${counts.join(', ')} from (select * from raw limit ${manyValues})`,
  );
  return new Set(
    told.filter((_, at) => Number(rows) === manyValues && Number(distinct[at]) > MOST_DISTINCT * manyValues),
  );
}
