import type { ImpactDimension, KeySummary } from '@tollgate/simulator';
import type { Question } from '../plan/questions.ts';
import { moveToRow, NOWHERE, RowInputs, tellingInputs } from '../plan/run-context.ts';
import { columnOf } from '../sources/source.ts';
import { requireSame } from './decide-table-groups.ts';
import type { TableContext } from './table-context.ts';
import type { Kinds } from './table-kinds.ts';

interface KeyRequest<Dimension extends ImpactDimension> {
  readonly kinds: Kinds;
  readonly dimensions: readonly Dimension[];
  readonly seriesCount: number;
  /** The number of keys to list. */
  readonly top: number;
}

/** Lists the most frequent keys of each series. Dimensions that are read from the same columns take one query. */
export async function listTableKeys<Dimension extends ImpactDimension>(
  context: TableContext,
  request: KeyRequest<Dimension>,
): Promise<readonly Readonly<Record<Dimension, KeySummary>>[]> {
  const { dimensions, seriesCount, top } = request;
  const questions = context.questions.filter(({ dimension }) => dimensions.some(one => one === dimension));
  const found: Partial<Record<ImpactDimension, readonly SeriesKeys[]>> = {};
  for (const group of Map.groupBy(questions, ({ reads }) => tellingInputs(context, reads).join()).values()) {
    const keys = await countKeys(context, request, group);
    for (const [at, { dimension }] of group.entries()) found[dimension!] = keys[at]!;
  }
  const summaryOf = (dimension: Dimension, series: number): KeySummary => {
    const { keys, unknown } = found[dimension]![series]!;
    return { top: mostFrequent(keys, top), distinct: keys.size, unknown };
  };
  return Array.from({ length: seriesCount }, (_, series) => {
    const entries = dimensions.map(dimension => [dimension, summaryOf(dimension, series)]);
    return Object.fromEntries(entries) as Record<Dimension, KeySummary>;
  });
}

interface SeriesKeys {
  readonly keys: Map<string, number>;
  unknown: number;
}

/** Counts the keys of questions that read the same inputs, by series. */
async function countKeys(
  context: TableContext,
  { kinds: { results, kinds, counts }, seriesCount }: KeyRequest<ImpactDimension>,
  questions: readonly Question[],
): Promise<readonly (readonly SeriesKeys[])[]> {
  const { session, record } = context;
  const found = questions.map(() =>
    Array.from({ length: seriesCount }, (): SeriesKeys => ({ keys: new Map(), unknown: 0 })),
  );
  const shown = kinds.flatMap(({ listed }, kind) => (listed.length > 0 ? [kind + 1] : []));
  if (shown.length === 0) return found;
  const inputs = new RowInputs(tellingInputs(context, questions[0]!.reads));
  const columns = ['kind', ...inputs.inputs.map(columnOf)].join(', ');
  const seen = counts.map(() => 0);
  const query = `${results} select ${columns}, count(*) from results where kind in (${shown.join(', ')}) group by ${columns}`;
  for await (const rows of session.batches(query))
    for (const row of rows) {
      const [kind, times] = [Number(row[0]) - 1, Number(row.at(-1))];
      moveToRow(context, { inputs, values: row.slice(1, -1) });
      seen[kind]! += times;
      for (const [at, { reads, ask }] of questions.entries()) {
        const key = record.watch(reads, () => ask(context.exchangeAt(NOWHERE)));
        for (const series of kinds[kind]!.listed) addKey(found[at]![series]!, key, times);
      }
    }
  for (const kind of shown) requireSame(counts[kind - 1]!, seen[kind - 1]!);
  return found;
}

function addKey(one: SeriesKeys, key: string | number | undefined, times: number): void {
  if (typeof key === 'string') one.keys.set(key, (one.keys.get(key) ?? 0) + times);
  else one.unknown += times;
}

/** The most frequent keys first, equal ones in string order. */
function mostFrequent(keys: ReadonlyMap<string, number>, top: number): KeySummary['top'] {
  const sorted = [...keys].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, top).map(([text, count]) => ({ text, count: { least: count, most: count } }));
}
