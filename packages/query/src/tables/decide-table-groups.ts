/** Decides the groups of records with the same answers, as `duckdb/decide-groups.ts` does, without writing to the engine. */
import type { LeafCombination } from '@tollgate/simulator';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import type { LookupRow } from '../engines/engine.ts';
import { type Decided, decisiveInputs, Growth, judgeByValue, moveToRow, RowInputs } from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { columnOf } from '../recordings/source.ts';
import { type CodedAnswers, requireSame, rowsOf, type TableContext } from './code-answers.ts';

/** Records with the same verdict. */
interface DecidedRecords<Found extends Decided = Decided> {
  readonly verdict: Found;
  readonly times: number;
  /** The number of those with a time. */
  readonly timed: number;
  readonly status: number | undefined;
  readonly mayHaveAllHeaders: Readonly<Record<'request' | 'response', boolean>>;
  /** The words of the group. */
  readonly words: readonly number[];
  /** The encoded values that divide the group, if it is divided. */
  readonly values: readonly string[] | undefined;
}

/** All groups of a table. */
export interface DecidedTable<Found extends Decided = Decided> {
  readonly groups: readonly DecidedRecords<Found>[];
  /** The inputs whose values divide some groups. */
  readonly dividedBy: readonly number[];
  /** The first and last time in ms, and the number of records with one. */
  readonly times: { readonly from: number; readonly to: number; readonly count: number } | undefined;
  /** Records without a value in any column that was read. */
  readonly empty: number;
}

/** More groups that differ in the values of their records are not worth it. */
const MAX_BY_VALUE = 200_000;

/** The location of every record: rows of a table have no numbers. */
function placeOf({ source }: TableContext): RecordLocation {
  return { file: source.table, number: 0, unit: 'table' };
}

/** A group of records with the same answers. */
type AnsweredRecords = Omit<DecidedRecords, 'verdict'> & { readonly state: number };

/** Groups the records by their answers, and decides one of each group; where its values matter, one of each combination of these. */
export async function decideTableGroups<Found extends Decided>(
  context: TableContext<Found>,
  coded: CodedAnswers,
): Promise<DecidedTable<Found>> {
  const combination = context.leaves.combination();
  const { groups, ...totals } = await groupsOf(context, coded, combination);
  const verdicts = await verdictsOf(context, coded, { groups, combination });
  const decided: DecidedRecords<Found>[] = [];
  const others: AnsweredRecords[] = [];
  for (const group of groups) {
    const verdict = verdicts.get(group)!;
    if (verdict === 'varied' || verdict.number === undefined) others.push(group);
    else decided.push({ ...group, verdict });
  }
  const divided = others.length === 0 ? { records: [], inputs: [] } : await divide(context, coded, others);
  return { groups: [...decided, ...divided.records], dividedBy: divided.inputs, ...totals };
}

interface Answered extends Pick<DecidedTable, 'times' | 'empty'> {
  readonly groups: readonly AnsweredRecords[];
}

async function groupsOf(
  context: TableContext,
  { coded, words, decode, records, requireSameClasses }: CodedAnswers,
  { stateOf }: Pick<LeafCombination, 'stateOf'>,
): Promise<Answered> {
  const { session, loaded, leaves } = context;
  const isEmpty = loaded.map(input => `${columnOf(input)} = '-'`).join(' and ') || '1 = 1';
  const list = [...words, 'count(*)', 'min(t)', 'max(t)', 'count(t)', `sum(case when ${isEmpty} then 1 else 0 end)`];
  const rows = await rowsOf(
    session,
    `${coded} select ${list.join(', ')} from coded group by ${words.join(', ')} order by ${words.join(', ')}`,
  );
  const count = leaves.leaves.length;
  const groups = rows.map((row): AnsweredRecords => {
    const values = row.slice(0, words.length).map(Number);
    const answers = decode(values);
    const [status = 0, headers = 0] = answers.slice(count);
    return {
      ...{ words: values, values: undefined, state: stateOf(answers) },
      ...{ times: Number(row[words.length]), timed: Number(row[words.length + 3]) },
      status: status === 0 ? undefined : status,
      mayHaveAllHeaders: { request: headers % 2 === 1, response: headers >= 2 },
    };
  });
  const column = (at: number) => rows.map(row => row[words.length + at] ?? null);
  const numbers = (at: number) => column(at).flatMap(value => (value === null ? [] : [Number(value)]));
  const timed = sum(numbers(3));
  requireSame(records, sum(groups.map(({ times }) => times)));
  requireSameClasses(groups);
  return {
    groups: groups.filter(({ times }) => times > 0),
    times: timed === 0 ? undefined : { from: Math.min(...numbers(1)), to: Math.max(...numbers(2)), count: timed },
    empty: sum(numbers(4)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

interface OpenGroups<Found> {
  readonly groups: readonly AnsweredRecords[];
  readonly combination: LeafCombination<Found>;
}

/** Returns the verdicts on groups. Few records have to be decided for them. */
async function verdictsOf<Found extends Decided>(
  context: TableContext<Found>,
  coded: CodedAnswers,
  { groups, combination: { verdictOf } }: OpenGroups<Found>,
): Promise<ReadonlyMap<AnsweredRecords, Found | 'varied'>> {
  const verdicts = new Map<AnsweredRecords, Found | 'varied'>();
  for (;;) {
    const needed = new Map<string, AnsweredRecords>();
    for (const group of groups) {
      if (verdicts.has(group)) continue;
      const found = verdictOf(group.state);
      if (found !== 'varied' && 'need' in found) {
        if (!needed.has(found.need)) needed.set(found.need, group);
      } else verdicts.set(group, found);
    }
    if (needed.size === 0) return verdicts;
    for await (const { group, exchange } of examplesOf(context, coded, [...needed.values()])) {
      const verdict = context.record.watch(new Set(), () => verdictOf(group.state, exchange), new Set());
      verdicts.set(group, verdict as Found | 'varied');
    }
  }
}

interface Example {
  readonly group: AnsweredRecords;
  readonly exchange: Exchange;
}

/** Yields a record of each group. */
async function* examplesOf(
  context: TableContext,
  { coded, words }: CodedAnswers,
  groups: readonly AnsweredRecords[],
): AsyncGenerator<Example> {
  const { session, loaded } = context;
  const byWords = new Map(groups.map(group => [group.words.join(), group]));
  const list = words.map(word => `coded.${word}`).join(', ');
  const query = `${coded} select ${list}, ${leastRecord(context)} from coded join ${groupsSql(context, words, groups)} group by ${list}`;
  const rows = new RowInputs(loaded);
  const found = await rowsOf(session, query);
  requireSame(groups.length, found.length);
  for (const row of found) {
    const group = byWords.get(row.slice(0, words.length).join())!;
    moveToRow(context, { inputs: rows, values: JSON.parse(row[words.length]!) }, new Set());
    yield { group, exchange: context.exchangeAt(placeOf(context)) };
  }
}

/** Returns one of some records as a list of its encoded inputs. */
function leastRecord({ session: { dialect }, loaded }: TableContext): string {
  return dialect.leastList(loaded.length === 0 ? [`'-'`] : loaded.map(input => `coded.${columnOf(input)}`));
}

/** Returns the join with some groups. */
function groupsSql(
  { session: { dialect } }: TableContext,
  words: readonly string[],
  groups: readonly AnsweredRecords[],
): string {
  const columns = words.map(name => ({ name, type: 'integer' }) as const);
  const rows = groups.map((group): LookupRow => group.words);
  return `${dialect.lookup('o', columns, rows)} on ${words.map(word => `o.${word} = coded.${word}`).join(' and ')}`;
}

/** Decides the exchange to which the record was moved. */
function decideExchange<Found extends Decided>(context: TableContext<Found>, exchange: Exchange): Found {
  const verdict = judgeByValue(context, exchange, new Set());
  const { judgeReads, loaded, constant } = context;
  const isKnown = (input: number) => loaded.includes(input) || constant.has(input);
  if (![...judgeReads].every(isKnown)) throw new Growth();
  return verdict;
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
  { coded, words }: CodedAnswers,
  { others, inputs }: Dividing,
): Promise<readonly DecidedRecords<Found>[] | undefined> {
  const { session, loaded } = context;
  const by = [...words, ...inputs.map(columnOf)].map(name => `coded.${name}`).join(', ');
  const query = `${coded} select ${by}, count(*), count(coded.t), ${leastRecord(context)} from coded join ${groupsSql(context, words, others)} group by ${by}`;
  const byWords = new Map(others.map(group => [group.words.join(), group]));
  const rows = new RowInputs(loaded);
  const decided: DecidedRecords<Found>[] = [];
  for await (const batch of session.batches(query))
    for (const row of batch) {
      if (decided.length === MAX_BY_VALUE)
        throw new UnsupportedQueryError('actions depend on values of too many exchanges');
      const group = byWords.get(row.slice(0, words.length).join())!;
      const [times, timed, least] = row.slice(words.length + inputs.length);
      moveToRow(context, { inputs: rows, values: JSON.parse(least!) }, new Set());
      const verdict = decideExchange(context, context.exchangeAt(placeOf(context)));
      if (decisiveInputs(context, context.judgeReads).length > inputs.length) return undefined;
      const values = row.slice(words.length, words.length + inputs.length).map(String);
      decided.push({ ...group, verdict, times: Number(times), timed: Number(timed), values });
    }
  const seen = Map.groupBy(decided, ({ words }) => words.join());
  for (const { words: own, times } of others)
    requireSame(times, sum((seen.get(own.join()) ?? []).map(part => part.times)));
  return decided;
}
