/** Decides the groups of records with the same answers, as `duckdb/decide-groups.ts` does, without writing to the engine. */
import type { LeafCombination } from '@tollgate/simulator';
import type { RecordLocation } from '@tollgate/traffic';
import type { Dialect, EngineRow, EqualIntervals, LookupRow } from '../engines/engine.ts';
import { decideExchange, type GroupExample, MAX_BY_VALUE, verdictsOf } from '../questions/decide-states.ts';
import { type Decided, decisiveInputs, moveToRow, RowInputs } from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { columnOf } from '../recordings/source.ts';
import type { CodedAnswers } from './code-answers.ts';
import { chunksOf } from './query-parts.ts';
import { isComparable } from './question-groups.ts';
import { rawColumnOf, requireSame, rowsOf, startSql, type TableContext } from './records-sql.ts';

/** Records with the same verdict. */
export interface DecidedRecords<Found extends Decided = Decided> {
  readonly verdict: Found;
  readonly times: number;
  /** The number of records by the start of their interval; null for those without a time. */
  readonly intervals: ReadonlyMap<number | null, number>;
  readonly status: number | undefined;
  readonly mayHaveAllHeaders: Readonly<Record<'request' | 'response', boolean>>;
  /** The answer to the question that selects records, if there is one. */
  readonly selection: number | undefined;
  /** The words of the group. */
  readonly words: readonly number[];
  /** The parts of the records that some are in. */
  readonly parts: ReadonlySet<number>;
  /** The encoded values that divide the group, if it is divided. */
  readonly values: readonly string[] | undefined;
}

/** All groups of a table. */
export interface DecidedTable<Found extends Decided = Decided> {
  readonly groups: readonly DecidedRecords<Found>[];
  /** Groups that are not selected. */
  readonly leftOut: readonly DecidedRecords<Found>[];
  /** The number of records. */
  readonly records: number;
  /** The inputs whose values divide some groups. */
  readonly dividedBy: readonly number[];
  /** Records without a value in any column that was read. */
  readonly empty: number;
}

/** The location of every record: rows of a table have no numbers. */
function placeOf({ source }: TableContext): RecordLocation {
  return { file: source.table, number: 0, unit: 'table' };
}

/** A group of records with the same answers. */
type AnsweredRecords = Omit<DecidedRecords, 'verdict'> & {
  readonly state: number;
  /** The encoded inputs of one of them, if the engine has returned some. */
  readonly example: readonly string[] | undefined;
  /** The least hash of one of them, otherwise. */
  readonly hash: bigint | undefined;
};

/** Groups the records by their answers, and decides one of each group; where its values matter, one of each combination of these. */
export async function decideTableGroups<Found extends Decided>(
  context: TableContext<Found>,
  coded: CodedAnswers,
): Promise<DecidedTable<Found>> {
  const combination = context.leaves.combination();
  const { groups, ...totals } = await groupsOf(context, coded, combination);
  const examples = (some: readonly AnsweredRecords[]) => examplesOf(context, coded, some);
  const verdicts = await verdictsOf(context, { groups, combination, examplesOf: examples });
  const decided: DecidedRecords<Found>[] = [];
  const others: AnsweredRecords[] = [];
  for (const group of groups) {
    const verdict = verdicts.get(group.state)!;
    if (verdict === 'varied' || verdict.number === undefined) others.push(group);
    else decided.push({ ...group, verdict });
  }
  const divided = others.length === 0 ? { records: [], inputs: [] } : await divide(context, coded, others);
  return { groups: [...decided, ...divided.records], leftOut: [], dividedBy: divided.inputs, ...totals };
}

interface Answered extends Pick<DecidedTable, 'records' | 'empty'> {
  readonly groups: readonly AnsweredRecords[];
}

async function groupsOf(
  context: TableContext,
  coded: CodedAnswers,
  { stateOf }: Pick<LeafCombination, 'stateOf'>,
): Promise<Answered> {
  const { leaves, intervals } = context;
  const count = leaves.leaves.length;
  const { grouped } = context.session.dialect;
  const found = grouped ? await readGrouped(context, coded, grouped) : await readByInterval(context, coded);
  // Before anything is decoded: answers to values that nobody read are not known.
  coded.requireSameClasses(found.map(({ words, counts }) => ({ words, times: sum([...counts.values()]) })));
  const groups = found.map(({ words, parts, counts, example, hash }): AnsweredRecords => {
    const answers = coded.decode(words);
    const [status = 0, headers = 0, selection] = answers.slice(count);
    return {
      ...{ words, parts, values: undefined, state: stateOf(answers.slice(0, count)), selection, example, hash },
      ...{ times: sum([...counts.values()]), intervals: counts },
      status: status === 0 ? undefined : status,
      mayHaveAllHeaders: { request: headers % 2 === 1, response: headers >= 2 },
    };
  });
  const records = sum(groups.map(({ times }) => times));
  if (coded.records !== undefined) requireSame(coded.records, records);
  if (intervals?.timed !== undefined)
    requireSame(intervals.timed, records - sum(groups.map(group => group.intervals.get(null) ?? 0)));
  const empty = sum(found.map(group => group.empty));
  return { records, groups: groups.filter(({ times }) => times > 0), empty };
}

/** Records with the same values of the words. */
interface FoundGroup {
  readonly words: readonly number[];
  readonly parts: Set<number>;
  /** The number of records by interval. */
  readonly counts: Map<number | null, number>;
  empty: number;
  readonly example: readonly string[] | undefined;
  hash: bigint | undefined;
}

/** The interval of a record, in SQL. If groups are not counted by interval, only whether there is one. */
function intervalSql({ intervals }: TableContext): string {
  if (intervals === undefined || intervals.timed === 0) return 'coded.t';
  return intervals.areByGroup ? startSql('coded.t', intervals.width) : 'coded.t - coded.t';
}

/**
 * Returns a hash of a record, in SQL: the record of a group with the least one is found again in a scan that evaluates no condition for others.
 */
function hashSql({ session: { dialect }, loaded, source }: TableContext): string {
  const isRaw = (input: number) => dialect.groupsRaw === true && isComparable(source, input);
  const columns = loaded.map(input => `coded.${isRaw(input) ? rawColumnOf(input) : columnOf(input)}`);
  return columns.length === 0 ? '0' : dialect.hash(columns);
}

/** Reads a row for each group and interval. */
async function readByInterval(context: TableContext, { parts, words }: CodedAnswers): Promise<readonly FoundGroup[]> {
  const found = new Map<string, FoundGroup>();
  const by = [...words.map((_, at) => at + 1), words.length + 1].join(', ');
  // As a string, because clients may not represent all integers.
  const hash = context.session.dialect.asText(`min(${hashSql(context)})`, 'number');
  const list = [...words, `${intervalSql(context)} as start`, 'count(*) as n', 'sum(e) as empty', `${hash} as hash`];
  for (const [part, coded] of parts.entries())
    for await (const rows of context.session.batches(`${coded()} select ${list.join(', ')} from coded group by ${by}`))
      for (const row of rows) {
        const own = row.slice(0, words.length).map(Number);
        const [start, times, empty, hash] = row.slice(words.length);
        const counts = new Map([[start == null ? null : Number(start), Number(times)]]);
        const group = { words: own, parts: new Set([part]), counts, empty: Number(empty), example: undefined };
        addGroup(found, { ...group, hash: BigInt(hash!) });
      }
  return [...found.values()];
}

/** Adds records to those with the same words. */
function addGroup(found: Map<string, FoundGroup>, one: FoundGroup): void {
  const key = one.words.join();
  const known = found.get(key);
  if (known === undefined) return void found.set(key, one);
  for (const [start, times] of one.counts) known.counts.set(start, (known.counts.get(start) ?? 0) + times);
  for (const part of one.parts) known.parts.add(part);
  known.empty += one.empty;
  if (one.hash !== undefined && one.hash < known.hash!) known.hash = one.hash;
}

/** With more, groups that hold a number for each interval take too much memory. */
const MAX_COUNTED = 1000;

/** Reads a row for each group, with its intervals and one of its records. */
async function readGrouped(
  context: TableContext,
  { parts, words }: CodedAnswers,
  grouped: NonNullable<Dialect['grouped']>,
): Promise<readonly FoundGroup[]> {
  const { session, loaded, source, intervals } = context;
  const { any, columnIn, json, byInterval, isOfStrings } = grouped;
  const inputs = loaded.map(isOfStrings ? columnOf : rawColumnOf);
  const record = any(inputs.length === 0 ? ['0'] : inputs);
  const given = intervals?.areByGroup ? intervals : { first: 0, width: 1, count: 1 };
  const isCounted = byInterval !== undefined && (intervals?.timed ?? 0) > 0 && given.count <= MAX_COUNTED;
  const sql = isCounted
    ? countedSql(byInterval, { words, record, time: intervals?.areByGroup ? 'coded.t' : intervalSql(context), given })
    : pairedSql(grouped, { words, record, time: intervalSql(context), given });
  const values = loaded.map((input, at) => {
    const value = columnIn(sql.one, at);
    return isOfStrings ? value : source.encode(input, value);
  });
  const shown = [...words, ...sql.shown, values.length === 0 ? `'[]'` : json(values)];
  const found = new Map<string, FoundGroup>();
  const groupOf = (row: EngineRow, part: number): FoundGroup => {
    const [counts, all, timed, empty, example] = row.slice(words.length);
    const pairs: readonly (readonly [number | string | null, number | string])[] = JSON.parse(counts!);
    const times = new Map(
      pairs.map(([at, count]) => [at === null ? null : given.first + Number(at) * given.width, Number(count)]),
    );
    // Records out of the range are others than before.
    if (isCounted) requireSame(Number(timed), sum([...times.values()]));
    if (isCounted && all !== timed) times.set(null, Number(all) - Number(timed));
    const own = row.slice(0, words.length).map(Number);
    const parts = new Set([part]);
    return { words: own, parts, counts: times, empty: Number(empty), example: JSON.parse(example!), hash: undefined };
  };
  for (const [part, coded] of parts.entries()) {
    const query = `${coded()}, ${sql.groups} select ${shown.join(', ')} from groups`;
    for (const row of await rowsOf(session, query)) addGroup(found, groupOf(row, part));
  }
  return [...found.values()];
}

/** What each group is asked for. */
interface Grouping {
  readonly words: readonly string[];
  /** One of its records. */
  readonly record: string;
  readonly time: string;
  readonly given: EqualIntervals;
}

/** A common table expression of groups, what is shown of each, and where its record is. */
interface GroupedSql {
  readonly groups: string;
  readonly shown: readonly string[];
  readonly one: string;
}

/** Each group counts its intervals. */
function countedSql(
  { counts, pairs }: NonNullable<NonNullable<Dialect['grouped']>['byInterval']>,
  { words, record, time, given }: Grouping,
): GroupedSql {
  const list = [
    ...words,
    `${counts(time, given)} as counts`,
    ...['count(*) as times', `count(${time}) as timed`, 'sum(e) as empty', `${record} as one`],
  ];
  const groups = `groups as (select ${list.join(', ')} from coded group by ${words.join(', ')})`;
  return { groups, shown: [pairs('counts'), 'times', 'timed', 'empty'], one: 'one' };
}

/** Records are grouped by interval first. */
function pairedSql(
  { any, columnIn, pairs }: NonNullable<Dialect['grouped']>,
  { words, record, time, given: { first, width } }: Grouping,
): GroupedSql {
  const by = [...words, 'start'].map((_, at) => at + 1).join(', ');
  const list = [...words, `${time} as start`, 'count(*) as n', 'sum(e) as empty', `${record} as one`];
  // Short numbers, because there are many.
  const ofGroup = [
    ...[...words, `${pairs(`(start - ${first}) / ${width}`, 'n')} as counts`],
    ...['sum(empty) as empty', `${any(['one'])} as one`],
  ];
  const groups = `grouped as (select ${list.join(', ')} from coded group by ${by}), groups as (select ${ofGroup.join(', ')} from grouped group by ${words.join(', ')})`;
  return { groups, shown: ['counts', '0', '0', 'empty'], one: columnIn('one', 0) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Yields a record of each group. */
async function* examplesOf(
  context: TableContext,
  coded: CodedAnswers,
  groups: readonly AnsweredRecords[],
): AsyncGenerator<GroupExample<AnsweredRecords>> {
  const { session, loaded } = context;
  const rows = new RowInputs(loaded);
  const exchangeOf = (values: readonly string[]) => {
    moveToRow(context, { inputs: rows, values }, new Set());
    return context.exchangeAt(placeOf(context));
  };
  for (const group of groups) if (group.example) yield { group, exchange: exchangeOf(group.example) };
  const others = groups.filter(({ example }) => example === undefined);
  if (others.length === 0) return;
  const byWords = new Map(others.map(group => [group.words.join(), group]));
  const { words } = coded;
  const list = words.map(word => `coded.${word}`).join(', ');
  for (const some of partsWith(context, coded, others)) {
    const hashes = some.hashes.length === 0 ? '' : ` where ${hashSql(context)} in (${some.hashes.join(', ')})`;
    const query = `${some.coded} select ${list}, ${leastRecord(context)} from coded join ${some.groups}${hashes} group by ${list}`;
    for (const row of await rowsOf(session, query)) {
      const key = row.slice(0, words.length).join();
      const group = byWords.get(key);
      byWords.delete(key);
      if (group !== undefined) yield { group, exchange: exchangeOf(JSON.parse(row[words.length]!)) };
    }
  }
  requireSame(0, byWords.size);
}

/** Returns one of some records as a list of its encoded inputs. */
function leastRecord({ session: { dialect }, loaded }: TableContext): string {
  return dialect.leastList(loaded.length === 0 ? [`'-'`] : loaded.map(input => `coded.${columnOf(input)}`));
}

/** Returns the join with some groups, for each part of the records. */
function partsWith(
  context: TableContext,
  { parts, room, words }: CodedAnswers,
  groups: readonly AnsweredRecords[],
): readonly { readonly coded: string; readonly groups: string; readonly hashes: readonly bigint[] }[] {
  const columns = words.map(name => ({ name, type: 'integer' }) as const);
  const hashes = new Map(groups.map(group => [group.words, group.hash]));
  const rows = groups.map((group): LookupRow => group.words);
  const on = words.map(word => `o.${word} = coded.${word}`).join(' and ');
  // A hash is at most twice as long as the words.
  const chunks = chunksOf(context, { columns, rows, most: room / 3 });
  return parts.flatMap(coded =>
    chunks.map(chunk => ({
      coded: coded(),
      groups: `${context.session.dialect.lookup('o', columns, chunk)} on ${on}`,
      hashes: chunk.flatMap(own => hashes.get(own as readonly number[]) ?? []),
    })),
  );
}

interface Divided<Found extends Decided> {
  readonly records: readonly DecidedRecords<Found>[];
  readonly inputs: readonly number[];
}

async function divide<Found extends Decided>(
  context: TableContext<Found>,
  coded: CodedAnswers,
  others: readonly AnsweredRecords[],
): Promise<Divided<Found>> {
  for await (const { exchange } of examplesOf(context, coded, others)) decideExchange(context, exchange);
  for (;;) {
    const inputs = decisiveInputs(context, context.judgeReads);
    const records = await decideByValue(context, coded, { others, inputs });
    if (records !== undefined) return { records, inputs };
  }
}

interface Dividing {
  readonly others: readonly AnsweredRecords[];
  readonly inputs: readonly number[];
}

/** Returns undefined if a value of some record leads to reading another input. */
async function decideByValue<Found extends Decided>(
  context: TableContext<Found>,
  coded: CodedAnswers,
  { others, inputs }: Dividing,
): Promise<readonly DecidedRecords<Found>[] | undefined> {
  const { session, loaded } = context;
  const { words } = coded;
  const by = [...words, ...inputs.map(columnOf)].map(name => `coded.${name}`);
  const list = [...by, `${intervalSql(context)} as start`, 'count(*)', leastRecord(context)].join(', ');
  const grouping = [...by.keys(), by.length].map(at => at + 1).join(', ');
  const byWords = new Map(others.map(group => [group.words.join(), group]));
  const rows = new RowInputs(loaded);
  const parts = new Map<
    string,
    DecidedRecords<Found> & { times: number; readonly intervals: Map<number | null, number> }
  >();
  for (const some of partsWith(context, coded, others))
    for await (const batch of session.batches(
      `${some.coded} select ${list} from coded join ${some.groups} group by ${grouping}`,
    ))
      for (const row of batch) {
        const key = JSON.stringify(row.slice(0, by.length));
        const [start, times, least] = row.slice(by.length);
        let part = parts.get(key);
        if (part === undefined) {
          if (parts.size === MAX_BY_VALUE)
            throw new UnsupportedQueryError('actions depend on values of too many exchanges');
          const group = byWords.get(row.slice(0, words.length).join())!;
          moveToRow(context, { inputs: rows, values: JSON.parse(least!) }, new Set());
          const verdict = decideExchange(context, context.exchangeAt(placeOf(context)));
          if (decisiveInputs(context, context.judgeReads).length > inputs.length) return undefined;
          const values = row.slice(words.length, by.length).map(String);
          part = { ...group, verdict, times: 0, intervals: new Map(), values };
          parts.set(key, part);
        }
        const at = start == null ? null : Number(start);
        part.times += Number(times);
        part.intervals.set(at, (part.intervals.get(at) ?? 0) + Number(times));
      }
  const decided = [...parts.values()];
  const seen = Map.groupBy(decided, ({ words }) => words.join());
  for (const { words: own, times } of others)
    requireSame(times, sum((seen.get(own.join()) ?? []).map(part => part.times)));
  return decided;
}
