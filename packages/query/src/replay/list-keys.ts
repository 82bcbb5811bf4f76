import type { ImpactDimension, KeySummary } from '@tollgate/simulator';
import type { CodedAnswers } from '../answers/answer-questions.ts';
import type { RunContext } from '../plan/run-context.ts';
import { KeyCounts } from './key-counts.ts';
import type { Kind } from './write-results.ts';

interface KeyRequest<Dimension extends ImpactDimension> {
  readonly keys: CodedAnswers['keys'];
  readonly dimensions: readonly Dimension[];
  readonly kinds: readonly Kind[];
  readonly seriesCount: number;
  /** The number of keys to list. */
  readonly top: number;
}

/** Lists the most frequent keys of each series, from the table `results`. */
export async function listKeys<Dimension extends ImpactDimension>(
  { session }: RunContext,
  { keys, dimensions, kinds, seriesCount, top }: KeyRequest<Dimension>,
): Promise<readonly Readonly<Record<Dimension, KeySummary>>[]> {
  const listed = kinds.map(kind => kind.listed);
  const summaries = new Map<ImpactDimension, readonly KeySummary[]>();
  for (const { dimension, column, textsOf } of keys) {
    const counts = new KeyCounts(listed, seriesCount, top);
    const query = `select ${column}::double, kind, count(*)::double from results group by ${column}, kind order by ${column}`;
    for await (const [numbers = [], ofKinds = [], times = []] of session.batches(query))
      for (let row = 0; row < numbers.length; row++)
        counts.add(numbers[row] as number | null, ofKinds[row] as number, times[row] as number);
    summaries.set(dimension, await counts.summaries(textsOf));
  }
  return Array.from({ length: seriesCount }, (_, series) => {
    const entries = dimensions.map(dimension => [dimension, summaries.get(dimension)![series]!]);
    return Object.fromEntries(entries) as Record<Dimension, KeySummary>;
  });
}
