import {
  type CountedBreakdown,
  type GroupTally,
  type KeyDimension,
  type KeySummary,
  MAX_BUCKETS,
  type TimeData,
  WIDTHS,
} from '@tollgate/simulator';
import type { LookupColumn, LookupRow } from '../engines/dialect.ts';
import { Dictionary } from '../plan/dictionary.ts';
import { DIMENSIONS } from '../plan/questions.ts';
import { moveToRow, NOWHERE, RowInputs, tellingInputs } from '../replay/run-context.ts';
import { columnOf } from '../sources/source.ts';
import type { CodedAnswers } from './code-answers.ts';
import { type DecidedTable, requireSame } from './decide-table-groups.ts';
import type { TableContext } from './table-context.ts';

/** What is broken down. */
interface BreakdownRequest {
  readonly coded: CodedAnswers;
  readonly decided: DecidedTable;
  readonly tally: GroupTally;
  readonly ruleCount: number;
  /** The number of keys to list; 0 for none. */
  readonly top: number;
}

/** Counts by time and key. */
export async function breakDownTable(context: TableContext, request: BreakdownRequest): Promise<CountedBreakdown> {
  const kinds = kindsOf(context, request);
  const time = await countTimes(context, request, kinds);
  const keys = request.top > 0 ? await listKeys(context, request, kinds) : undefined;
  return { time, keys };
}

/** The kinds of verdicts, which the figures by time and key tell apart. */
interface Kinds {
  /** Common table expressions, the last of which is `results`: `coded` with the number of the kind, from 1. */
  readonly results: string;
  readonly series: readonly number[];
  /** The rules, and series of outcomes, under which keys are listed. */
  readonly listed: readonly (readonly number[])[];
  /** The number of records of each kind. */
  readonly counts: readonly number[];
}

function kindsOf(context: TableContext, { coded: { coded, words }, decided, tally }: BreakdownRequest): Kinds {
  const known = new Dictionary<string>();
  const series: number[] = [];
  const listed: (readonly number[])[] = [];
  const counts: number[] = [];
  const [plain, byValue]: [LookupRow[], LookupRow[]] = [[], []];
  for (const { verdict, words: own, values, times } of decided.groups) {
    const [keys, one] = [tally.listedUnder(verdict), tally.seriesOf(verdict)];
    const kind = known.numberOf(`${one} ${keys}`);
    series[kind] = one;
    listed[kind] = keys;
    counts[kind] = (counts[kind] ?? 0) + times;
    if (values === undefined) plain.push([...own, kind + 1]);
    else byValue.push([...own, ...values, kind + 1]);
  }
  const { lookup } = context.session.dialect;
  const numbers = words.map(name => ({ name, type: 'integer' }) as const);
  const strings = decided.dividedBy.map(input => ({ name: columnOf(input), type: 'text' }) as const);
  const joined = (alias: string, columns: readonly LookupColumn[], rows: readonly LookupRow[]) => {
    // ClickHouse renames the columns of `coded.*` whose names occur in what it joins.
    const own = columns.map(({ type }, at) => ({ name: `v${at}`, type }));
    const matches = columns.map(({ name }, at) => `${alias}.v${at} = coded.${name}`).join(' and ');
    return `left join ${lookup(alias, [...own, { name: 'kind', type: 'integer' }], rows)} on ${matches}`;
  };
  const joins = [
    ...(plain.length > 0 ? [{ alias: 'kg', sql: joined('kg', numbers, plain) }] : []),
    ...(byValue.length > 0 ? [{ alias: 'ku', sql: joined('ku', [...numbers, ...strings], byValue) }] : []),
  ];
  const kind = joins.map(({ alias }) => `coalesce(${alias}.kind, 0)`).join(' + ') || '0';
  const from = `coded ${joins.map(({ sql }) => sql).join(' ')}`;
  return { results: `${coded}, results as (select coded.*, ${kind} as kind from ${from})`, series, listed, counts };
}

/** Counts by intervals of time, the shortest for which there are few enough. */
async function countTimes(
  context: TableContext,
  { decided: { times }, coded: { records }, ruleCount }: BreakdownRequest,
  kinds: Kinds,
): Promise<TimeData> {
  const untimed = records - (times?.count ?? 0);
  if (times === undefined) return { width: WIDTHS[0]!, buckets: [], untimed };
  const { from, to } = times;
  let step = WIDTHS.findIndex(width => Math.floor(to / width) - Math.floor(from / width) < MAX_BUCKETS);
  if (step < 0) step = WIDTHS.length - 1;
  let counts = await countAt(context, kinds, WIDTHS[Math.max(0, step - 1)]!);
  // Few of the intervals may have exchanges.
  while (step > 0 && bucketsIn(counts) <= MAX_BUCKETS) {
    step--;
    if (step > 0) counts = await countAt(context, kinds, WIDTHS[step - 1]!);
  }
  requireSame(
    times.count,
    counts.reduce((sum, { count }) => sum + count, 0),
  );
  return { width: WIDTHS[step]!, buckets: bucketsOf(counts, WIDTHS[step]!, { kinds, ruleCount }), untimed };
}

interface TimeCount {
  readonly start: number;
  readonly kind: number;
  readonly count: number;
}

function bucketsIn(counts: readonly TimeCount[]): number {
  return new Set(counts.map(({ start }) => start)).size;
}

async function countAt({ session }: TableContext, { results }: Kinds, width: number): Promise<readonly TimeCount[]> {
  // The remainder has the sign of `t`.
  const start = `t - (t % ${width} + ${width}) % ${width}`;
  const timed = `select ${start} as start, kind from results where t is not null`;
  const found: TimeCount[] = [];
  for await (const rows of session.batches(
    `${results} select start, kind, count(*) from (${timed}) timed group by start, kind`,
  ))
    for (const [at, kind, count] of rows)
      found.push({ start: Number(at), kind: Number(kind) - 1, count: Number(count) });
  return found;
}

interface Series {
  readonly kinds: Kinds;
  readonly ruleCount: number;
}

/** Merges intervals into those of a width that theirs divides. */
function bucketsOf(counts: readonly TimeCount[], width: number, { kinds, ruleCount }: Series): TimeData['buckets'] {
  const buckets = new Map<number, { exchanges: number; readonly series: number[] }>();
  for (const { start, kind, count } of counts) {
    const at = Math.floor(start / width) * width;
    const bucket = buckets.get(at) ?? { exchanges: 0, series: Array.from({ length: ruleCount }, () => 0) };
    buckets.set(at, bucket);
    bucket.exchanges += count;
    addAt(bucket.series, kinds.series[kind]!, count);
    for (const rule of kinds.listed[kind]!) if (rule < ruleCount) addAt(bucket.series, rule, count);
  }
  return [...buckets].sort(([a], [b]) => a - b).map(([start, bucket]) => ({ start, ...bucket }));
}

function addAt(counts: number[], at: number, count: number): void {
  while (counts.length <= at) counts.push(0);
  counts[at]! += count;
}

type RuleKeys = { readonly [dimension in KeyDimension]: KeySummary };

/** Lists the most frequent keys of each rule and outcome. */
async function listKeys(context: TableContext, request: BreakdownRequest, kinds: Kinds): Promise<readonly RuleKeys[]> {
  const summaries: Record<KeyDimension, readonly KeySummary[]> = { clients: [], paths: [], countries: [] };
  for (const dimension of DIMENSIONS) summaries[dimension] = await keysIn(context, request, { kinds, dimension });
  return Array.from({ length: request.tally.seriesCount }, (_, at) => ({
    clients: summaries.clients[at]!,
    paths: summaries.paths[at]!,
    countries: summaries.countries[at]!,
  }));
}

interface KeyRequest {
  readonly kinds: Kinds;
  readonly dimension: KeyDimension;
}

async function keysIn(
  context: TableContext,
  { tally, top }: BreakdownRequest,
  { kinds: { results, listed, counts }, dimension }: KeyRequest,
): Promise<readonly KeySummary[]> {
  const { session, record } = context;
  const found = Array.from({ length: tally.seriesCount }, () => ({ keys: new Map<string, number>(), unknown: 0 }));
  const shown = listed.flatMap((keys, kind) => (keys.length > 0 ? [kind + 1] : []));
  const question = context.questions.find(one => one.dimension === dimension)!;
  const inputs = new RowInputs(tellingInputs(context, question.reads));
  const columns = ['kind', ...inputs.inputs.map(columnOf)].join(', ');
  const seen = counts.map(() => 0);
  const query = `${results} select ${columns}, count(*) from results where kind in (${shown.join(', ')}) group by ${columns}`;
  if (shown.length > 0)
    for await (const rows of session.batches(query))
      for (const row of rows) {
        const [kind, times] = [Number(row[0]) - 1, Number(row.at(-1))];
        moveToRow(context, { inputs, values: row.slice(1, -1) });
        const key = record.watch(question.reads, () => question.ask(context.exchangeAt(NOWHERE)));
        seen[kind]! += times;
        for (const at of listed[kind]!) {
          const one = found[at]!;
          if (typeof key === 'string') one.keys.set(key, (one.keys.get(key) ?? 0) + times);
          else one.unknown += times;
        }
      }
  for (const kind of shown) requireSame(counts[kind - 1]!, seen[kind - 1]!);
  return found.map(({ keys, unknown }) => ({ top: mostFrequent(keys, top), distinct: keys.size, unknown }));
}

/** The most frequent keys first, equal ones in string order. */
function mostFrequent(keys: ReadonlyMap<string, number>, top: number): KeySummary['top'] {
  const sorted = [...keys].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, top).map(([text, count]) => ({ text, count: { least: count, most: count } }));
}
