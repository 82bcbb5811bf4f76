import { isInShare, NumberedSample, type SelectionSummary, type TrafficSelection } from '@tollgate/simulator';
import { Unsuited } from '../columns/unsuited.ts';
import type { Session } from '../duckdb/session.ts';
import type { LoadedFiles } from '../sources/source.ts';

/** A selection that does not depend on decisions. */
export type RowSelection = Omit<TrafficSelection, 'where'>;

/** Leaves only the selected rows in the table `coded`. */
export async function selectRows(
  session: Session,
  { since, until, sample }: RowSelection,
  files: LoadedFiles,
): Promise<SelectionSummary> {
  const [[all, untimed] = []] = await session.rows('select count(*), count(*) - count(t) from coded');
  const limits = [since === undefined ? [] : `t >= ${atMs(since)}`, until === undefined ? [] : `t < ${atMs(until)}`];
  const conditions = limits.flat();
  if (conditions.length > 0)
    await session.run(`create or replace table coded as select * from coded where ${conditions.join(' and ')}`);
  if (sample !== undefined) await sampleRows(session, sample, files);
  const [[selected] = []] =
    sample || conditions.length > 0 ? await session.rows('select count(*) from coded') : [[all]];
  return { selected: Number(selected), unknown: conditions.length > 0 ? Number(untimed) : 0 };
}

/** Times in `coded` are rounded down. */
function atMs(time: number): number {
  if (!Number.isSafeInteger(time)) throw new Unsuited('a limit of the selected times is not a number of milliseconds');
  return time;
}

async function sampleRows(
  session: Session,
  sample: NonNullable<RowSelection['sample']>,
  { locationOf }: LoadedFiles,
): Promise<void> {
  const chosen: number[] = [];
  const numbered = 'count' in sample ? new NumberedSample<number>(sample) : undefined;
  for await (const [rows = []] of session.batches('select rid::double from coded order by rid')) {
    for (const row of rows as readonly number[]) {
      if (numbered) numbered.add(locationOf(row), row);
      else if ('percent' in sample && isInShare(locationOf(row), sample)) chosen.push(row);
    }
  }
  await session.run('create or replace table chosen(rid bigint)');
  await session.append('chosen', [numbered?.finish() ?? chosen], 'wide');
  await session.run('create or replace table coded as select * from coded semi join chosen using (rid)');
}
