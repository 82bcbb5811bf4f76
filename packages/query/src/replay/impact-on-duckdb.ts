import { type ComparedPolicy, type ImpactOptions, type ImpactSummary, ImpactTally } from '@tollgate/simulator';
import type { RecordLocation } from '@tollgate/traffic';
import { IMPACT_DIMENSIONS } from '../plan/questions.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { LoadedFiles } from '../sources/source.ts';
import type { EngineResult } from './engine-result.ts';
import { listKeys } from './list-keys.ts';
import { impactTally, kindIn, pairPolicies, reasonAgainstImpact } from './paired-policies.ts';
import { type DuckdbOptions, runOnDuckdb } from './run-on-duckdb.ts';
import { type Kind, writeResults } from './write-results.ts';

/**
 * Decides recorded traffic with two policies on DuckDB. The leaves of both are evaluated over the same distinct values. The summary equals that of
 * `impact`, except that counts of keys are always exact. Where that cannot be guaranteed, the result says why.
 */
export async function impactOnDuckdb(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  { top, guard, ...traffic }: ImpactOptions,
  settings: DuckdbOptions = {},
): Promise<EngineResult<ImpactSummary>> {
  const reason = reasonAgainstImpact([was, becomes], { ...traffic, guard });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnDuckdb(traffic, settings, () => ({
    ...pairPolicies(was, becomes),
    figuresOf: async (context, { answers, groups, files }) => {
      const tally = impactTally(was, becomes);
      const kinds = await writeResults(context, {
        ...{ answers, groups },
        kindOf: ({ verdict, parts }) => {
          const times = parts.reduce((sum, part) => sum + part.times, 0);
          return kindIn(tally, verdict, times);
        },
      });
      const { transitionCount: seriesCount } = tally;
      const listing = { keys: answers.keys, dimensions: IMPACT_DIMENSIONS, kinds, seriesCount, top };
      const keys = await listKeys(context, listing);
      const first = await firstOf(context, { kinds, seriesCount, files });
      return tally.figures(
        top,
        keys.map((ofTransition, at) => ({ keys: ofTransition, first: first[at]! })),
      );
    },
  }));
}

interface FirstRequest {
  readonly kinds: readonly Kind[];
  readonly seriesCount: number;
  readonly files: LoadedFiles;
}

/** Returns the locations of the first exchanges of each series. */
async function firstOf(
  { session }: RunContext,
  { kinds, seriesCount, files }: FirstRequest,
): Promise<readonly (readonly RecordLocation[])[]> {
  const rows = Array.from({ length: seriesCount }, (): number[] => []);
  const query = `select kind, rid::double from results
    qualify row_number() over (partition by kind order by rid) <= ${ImpactTally.examples}`;
  for (const [kind, row] of await session.rows(query))
    for (const series of kinds[Number(kind)]!.listed) rows[series]!.push(Number(row));
  return rows.map(all =>
    all
      .sort((a, b) => a - b)
      .slice(0, ImpactTally.examples)
      .map(row => files.locationOf(row)),
  );
}
