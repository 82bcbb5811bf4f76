/** Lists the keys of records by series: in the engine where it knows the keys, so that only the most frequent ones are read. */
import type { ImpactDimension, KeySummary } from '@tollgate/simulator';
import type { LookupRow } from '../engines/engine.ts';
import type { Question } from '../questions/questions.ts';
import { decisiveInputs, moveToRow, NOWHERE, RowInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import { type CodedAnswers, isOfSet } from './code-answers.ts';
import type { Kinds } from './kinds-of-records.ts';
import { chunksOf } from './query-parts.ts';
import { SPECIAL, UNKNOWN_KEY, UNREAD_KEY } from './question-groups.ts';
import { requireSame, TableChanged, type TableContext, withRecords } from './records-sql.ts';
import type { PlainColumn } from './scanned-conditions.ts';

export interface KeyRequest<Dimension extends ImpactDimension> extends Pick<CodedAnswers, 'keySql'> {
  readonly kinds: Kinds;
  readonly dimensions: readonly Dimension[];
  readonly seriesCount: number;
  /** The number of keys to list. */
  readonly top: number;
}

/** Lists the most frequent keys of each series: those that the engine knows with one query, and all others with another. */
export async function listTableKeys<Dimension extends ImpactDimension>(
  context: TableContext,
  request: KeyRequest<Dimension>,
): Promise<readonly Readonly<Record<Dimension, KeySummary>>[]> {
  const { dimensions, seriesCount, top } = request;
  const questions = context.questions.filter(({ dimension }) => dimensions.some(one => one === dimension));
  // Counts of parts have to be added up before the most frequent keys are known.
  const isWhole = request.kinds.parts.length === 1;
  const found: Partial<Record<ImpactDimension, readonly KeySummary[]>> = {};
  const inEngine: KnownKeys[] = [];
  const read: ReadKeys[] = [];
  for (const [key, group] of Map.groupBy(questions, ({ reads }) => decisiveInputs(context, reads).join())) {
    const known = isWhole
      ? ((await knownKeys(context, context.plain.get(key), { questions: group, room: request.kinds.room })) ??
        lookedUpKeys(context, request, group))
      : undefined;
    if (known === undefined) read.push(new ReadKeys(context, group, seriesCount));
    else inEngine.push(...known);
  }
  await countKeys(context, request, read);
  for (const group of read)
    for (const [at, { dimension }] of group.questions.entries())
      found[dimension!] = group.found[at]!.map(one => ({
        ...{ top: mostFrequent(one.keys, top), distinct: one.keys.size, unknown: one.unknown },
      }));
  const ranked = await rankKeys(context, request, inEngine);
  // Values came up that nobody expected.
  if (ranked === undefined) return listTableKeys(context, request);
  for (const [at, { dimension }] of inEngine.entries()) found[dimension] = ranked[at]!;
  return Array.from({ length: seriesCount }, (_, series) => {
    const entries = dimensions.map(dimension => [dimension, found[dimension]![series]!]);
    return Object.fromEntries(entries) as Record<Dimension, KeySummary>;
  });
}

/** Keys that the engine knows. */
interface KnownKeys {
  readonly dimension: ImpactDimension;
  /** In terms of `results`: `=` and the key, or `-` if that is unknown; never empty, because columns that a grouping set lacks are. */
  readonly sql: string;
  readonly join: string;
  /** Called if values turn up whose keys the engine does not know. */
  readonly readOthers: () => void;
}

/** Returns how the engine knows the keys in a column; undefined if it cannot list them as they are listed here. */
async function knownKeys(
  context: TableContext,
  plain: PlainColumn | undefined,
  { questions, room }: { readonly questions: readonly Question[]; readonly room: number },
): Promise<readonly KnownKeys[] | undefined> {
  const { ranked, lookup } = context.session.dialect;
  if (plain === undefined || ranked === undefined) return undefined;
  const keys = questions.map(({ dimension }) => plain.keyOf(dimension!));
  if (!keys.every(key => key !== undefined)) return undefined;
  const others = await otherKeys(context, plain, questions);
  if (others.some(row => row.slice(1).some(key => SPECIAL.test(String(key))))) return undefined;
  const alias = plain.flag;
  const columns = ['v', ...questions.map((_, at) => `k${at}`)].map(name => ({ name, type: 'text' }) as const);
  // Two columns may be listed.
  if (chunksOf(context, { columns, rows: others, most: room / 2 }).length > 1) return undefined;
  const join = `left join ${lookup(`o_${alias}`, columns, others)} on o_${alias}.v = results.${columnOf(plain.input)}`;
  return questions.map(({ dimension }, at) => {
    const unread = plain.othersAreRead ? UNKNOWN_KEY : UNREAD_KEY;
    const other = others.length === 0 ? `'${unread}'` : `o_${alias}.k${at}`;
    return {
      ...{ dimension: dimension!, readOthers: () => plain.readOthers() },
      sql: `case when ${keys[at]!.isPlain} then concat('=', ${keys[at]!.sql}) else ${other} end`,
      join: others.length === 0 || at > 0 ? '' : join,
    };
  });
}

/** Returns how lookups of values that were read find the keys; undefined if they cannot. */
function lookedUpKeys(
  { session: { dialect } }: TableContext,
  { keySql, kinds: { room } }: Pick<KeyRequest<ImpactDimension>, 'keySql' | 'kinds'>,
  questions: readonly Question[],
): readonly KnownKeys[] | undefined {
  if (dialect.ranked === undefined) return undefined;
  const found = questions.map(question => ({ dimension: question.dimension!, sql: keySql(question) }));
  const readOthers = () => {
    throw new TableChanged();
  };
  const isShort = ({ sql = '' }) => Buffer.byteLength(sql) <= room / (2 * questions.length);
  return found.every(isShort) && found.every(({ sql }) => sql !== undefined)
    ? found.map(({ dimension, sql }) => ({ dimension, sql: sql!, join: '', readOthers }))
    : undefined;
}

/** Returns the keys of values that are not plain, after the values. */
async function otherKeys(
  context: TableContext,
  plain: PlainColumn,
  questions: readonly Question[],
): Promise<readonly LookupRow[]> {
  if (!plain.othersAreRead) return [];
  const { session, record } = context;
  const inputs = new RowInputs([plain.input]);
  const isOther = questions.map(({ dimension }) => `not (${plain.keyOf(dimension!)!.isPlain})`).join(' or ');
  const column = columnOf(plain.input);
  const query = `${withRecords(context)} select ${column} from records where ${isOther} group by ${column}`;
  const found: LookupRow[] = [];
  for await (const rows of session.batches(query))
    for (const row of rows) {
      moveToRow(context, { inputs, values: row });
      const keys = questions.map(({ reads, ask }) => record.watch(reads, () => ask(context.exchangeAt(NOWHERE))));
      found.push([...row.map(String), ...keys.map(key => (typeof key === 'string' ? `=${key}` : UNKNOWN_KEY))]);
    }
  return found;
}

/** Counts keys in the engine, in one scan, and returns the most frequent ones by dimension and series; undefined if it needs values that are not plain. */
async function rankKeys(
  { session: { dialect, batches } }: TableContext,
  { kinds: { parts, kinds, counts }, seriesCount, top }: KeyRequest<ImpactDimension>,
  keys: readonly KnownKeys[],
): Promise<readonly (readonly KeySummary[])[] | undefined> {
  const found = keys.map(() =>
    Array.from({ length: seriesCount }, (): KeySummary => ({ top: [], distinct: 0, unknown: 0 })),
  );
  const { ranked } = dialect;
  const ofKinds = kinds.flatMap(({ listed }, kind) => listed.map((series): LookupRow => [kind + 1, series]));
  if (ranked === undefined || keys.length === 0 || ofKinds.length === 0) return found;
  const names = keys.map((_, at) => `k${at}`);
  const list = keys.map(({ sql }, at) => `${sql} as k${at}`).join(', ');
  const shown = [...new Set(ofKinds.map(([kind]) => kind))].join(', ');
  const sets = names.map(name => `(kind, ${name})`).join(', ');
  const keyed = `keyed as (select kind, ${list} from results ${keys.map(({ join }) => join).join(' ')} where kind in (${shown}))`;
  const counted = `counted as (select kind, ${names.join(', ')}, count(*) as n from keyed group by grouping sets (${sets}))`;
  const dimension = names.map((name, at) => `when ${name} <> '' then ${at}`).join(' ');
  const columns = (['kind', 'series'] as const).map(name => ({ name, type: 'integer' }) as const);
  const bySeries = `select case ${dimension} end as d, s.series as series, concat(${names.map(name => `coalesce(${name}, '')`).join(', ')}, '') as k, sum(n) as n
    from counted join ${dialect.lookup('s', columns, ofKinds)} on s.kind = counted.kind group by 1, 2, 3`;
  const isKnown = `k not in ('${UNKNOWN_KEY}', '${UNREAD_KEY}')`;
  const figures = [
    'sum(n)',
    `sum(case when ${isKnown} then 0 else n end)`,
    `sum(case when ${isKnown} then 1 else 0 end)`,
    `sum(case when k = '${UNREAD_KEY}' then 1 else 0 end)`,
    ranked.pairs('n', 'k', { most: Math.max(1, top), condition: isKnown, rank: 'place' }),
  ];
  const order = `case when ${isKnown} then 0 else 1 end, n desc, k`;
  const numbered = `select *, row_number() over (partition by d, series order by ${order}) as place from (${bySeries}) counts`;
  const listed = ranked.needsRank ? numbered : bySeries;
  const query = `${parts[0]!()}, ${keyed}, ${counted} select d, series, ${figures.join(', ')} from (${listed}) listed group by d, series`;
  const totals = Array.from({ length: seriesCount }, () => 0);
  for (const [kind, { listed }] of kinds.entries()) for (const series of listed) totals[series]! += counts[kind]!;
  const seen = keys.map(() => totals.map(() => 0));
  let isComplete = true;
  for await (const rows of batches(query))
    for (const row of rows) {
      const [at, series, total, unknown, distinct, unread] = row.slice(0, 6).map(Number);
      if (unread! > 0) {
        keys[at!]!.readOthers();
        isComplete = false;
      }
      const pairs: readonly (readonly [number | string, string])[] = JSON.parse(row[6]!);
      const frequent = pairs.slice(0, top).map(([negative, key]) => {
        const count = -Number(negative);
        return { text: key.slice(1), count: { least: count, most: count } };
      });
      seen[at!]![series!] = total!;
      found[at!]![series!] = { top: frequent, distinct: distinct!, unknown: unknown! };
    }
  for (const own of seen) for (const [series, total] of totals.entries()) requireSame(total, own[series]!);
  return isComplete ? found : undefined;
}

interface SeriesKeys {
  readonly keys: Map<string, number>;
  unknown: number;
}

/** Keys that are evaluated here: those of questions that read the same inputs. */
class ReadKeys {
  readonly questions: readonly Question[];
  readonly columns: readonly string[];
  /** By question and series. */
  readonly found: readonly (readonly SeriesKeys[])[];
  readonly #context: TableContext;
  readonly #inputs: RowInputs;

  constructor(context: TableContext, questions: readonly Question[], seriesCount: number) {
    this.#context = context;
    this.questions = questions;
    this.#inputs = new RowInputs(decisiveInputs(context, questions[0]!.reads));
    this.columns = this.#inputs.inputs.map(columnOf);
    this.found = questions.map(() =>
      Array.from({ length: seriesCount }, (): SeriesKeys => ({ keys: new Map(), unknown: 0 })),
    );
  }

  add(series: readonly number[], values: readonly (string | null)[], times: number): void {
    const { exchangeAt, record } = this.#context;
    moveToRow(this.#context, { inputs: this.#inputs, values });
    for (const [at, { reads, ask }] of this.questions.entries()) {
      const key = record.watch(reads, () => ask(exchangeAt(NOWHERE)));
      for (const one of series) addKey(this.found[at]![one]!, key, times);
    }
  }
}

/** Counts keys in one scan. */
async function countKeys(
  { session }: TableContext,
  { kinds: { parts, kinds, counts } }: KeyRequest<ImpactDimension>,
  all: readonly ReadKeys[],
): Promise<void> {
  const shown = kinds.flatMap(({ listed }, kind) => (listed.length > 0 ? [kind] : []));
  const sets = all.filter(({ columns }) => columns.length > 0);
  for (const one of all)
    if (!sets.includes(one)) for (const kind of shown) one.add(kinds[kind]!.listed, [], counts[kind]!);
  if (shown.length === 0 || sets.length === 0) return;
  const columns = [...new Set(sets.flatMap(set => set.columns))];
  const by = sets.map(set => ['kind', ...set.columns].join(', '));
  const grouping = by.length === 1 ? by[0]! : `grouping sets (${by.map(one => `(${one})`).join(', ')})`;
  const list = ['count(*)', ...columns, 'kind'].join(', ');
  const counted = `select ${list} from results where kind in (${shown.map(kind => kind + 1).join(', ')}) group by ${grouping}`;
  const places = sets.map(set => set.columns.map(column => columns.indexOf(column) + 1));
  const seen = sets.map(() => counts.map(() => 0));
  for (const results of parts)
    for await (const rows of session.batches(`${results()} ${counted}`))
      for (const row of rows) {
        const [times, kind] = [Number(row[0]), Number(row.at(-1)) - 1];
        const at = places.findIndex(own => isOfSet(row.slice(0, -1), own));
        seen[at]![kind]! += times;
        sets[at]!.add(
          kinds[kind]!.listed,
          places[at]!.map(place => row[place]!),
          times,
        );
      }
  for (const own of seen) for (const kind of shown) requireSame(counts[kind]!, own[kind]!);
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
