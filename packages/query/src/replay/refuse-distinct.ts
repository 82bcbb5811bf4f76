import { Unsuited } from '../columns/unsuited.ts';
import type { Session } from '../duckdb/session.ts';
import { columnOf } from '../sources/source.ts';

/** Rows at the beginning that are looked at. Fewer say little: of 450 usual exchanges, most have a URL of their own. */
const SAMPLE = 20_000;
/** Values that occur once in so many rows are evaluated as often as in process. */
const MOST_DISTINCT = 0.9;

/**
 * Throws {@link Unsuited} if nearly every row has its own values for two of these lists of inputs: then grouping gains nothing, and takes more
 * memory than the engine has.
 */
export async function refuseDistinct(session: Session, lists: readonly (readonly number[])[]): Promise<void> {
  const counts = lists.flatMap(inputs =>
    inputs.length === 0 ? [] : `count(distinct row(${inputs.map(columnOf).join(', ')}))`,
  );
  if (counts.length === 0) return;
  const [[rows, ...distinct] = []] = await session.rows(
    `select count(*), ${counts.join(', ')} from (select * from raw limit ${SAMPLE})`,
  );
  const many = distinct.filter(count => Number(count) > MOST_DISTINCT * SAMPLE).length;
  if (Number(rows) === SAMPLE && many >= 2) throw new Unsuited('most values occur only once');
}
