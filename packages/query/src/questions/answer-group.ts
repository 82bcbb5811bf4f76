/** Answers the questions that read the same inputs, once for each of their distinct values, and writes classes of answers. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DuckDBValue } from '@duckdb/node-api';
import type { Stage } from '@tollgate/compile';
import { singleQuoted } from '@tollgate/diagnostics';
import type { Session } from '../recordings/duckdb-session.ts';
import { columnOf } from '../recordings/source.ts';
import { Dictionary, type Question } from './questions.ts';
import type { Reduction } from './reduction.ts';
import { moveToRow, NOWHERE, RowInputs, type RunContext } from './run-context.ts';
import { Turns } from './turns.ts';

/** The answer to a question. */
type Answer = number | string | undefined;

/** Answers to questions, by class. */
export interface AnswerClasses {
  readonly questions: readonly Question[];
  readonly classes: readonly (readonly Answer[])[];
  /** The column with the index in `classes`. */
  readonly column: string;
}

/** The answers to a question for a list of keys. */
export interface ListedKeys {
  readonly question: Question;
  /** The column with the numbers of keys, which are in the order of their code units; null for an unknown key. */
  readonly column: string;
  /** Returns the keys with these numbers. */
  readonly textsOf: (numbers: readonly number[]) => Promise<readonly string[]>;
}

/** The answers to questions that read the same inputs. */
export interface Answered {
  /** The table with a row for each distinct combination of the inputs. */
  readonly table: string;
  readonly deciding: readonly AnswerClasses[];
  readonly listed: readonly ListedKeys[];
}

/** Questions that read the same inputs. */
export interface QuestionGroup {
  readonly table: string;
  readonly inputs: readonly number[];
  readonly questions: readonly Question[];
  readonly reduction: Reduction | undefined;
}

/** Answers a group of questions, each for the distinct values of its inputs or fewer, and writes the table with the answers. */
export async function answerGroup(context: RunContext, group: QuestionGroup): Promise<Answered> {
  const { session } = context;
  const { table } = group;
  const reduction = await writeValues(context, group);
  const parts =
    reduction === undefined
      ? [await askEach(context, group, group.questions)]
      : await askReduced(context, group, reduction);
  const answers = parts.flatMap(({ columns }) => columns.map(([sql, name]) => `${sql} as ${name}`));
  const selected = [...group.inputs.map(input => `d.${columnOf(input)}`), ...answers];
  const joins = parts.map(({ join }) => join).join(' ');
  await session.run(`create or replace table ${table} as select ${selected.join(', ') || '1'} from d ${joins}`);
  for (const name of ['d', ...parts.flatMap(({ tables }) => tables)]) await session.run(`drop table ${name}`);
  return { table, deciding: parts.flatMap(({ deciding }) => deciding), listed: parts.flatMap(({ listed }) => listed) };
}

/** Writes the table `d`: the values with ids from 1, and how they are reduced if that is worth it. */
async function writeValues(
  { session, manyValues }: RunContext,
  { inputs, reduction }: QuestionGroup,
): Promise<Reduction | undefined> {
  const columns = inputs.map(columnOf);
  const distinct = columns.length === 0 ? 'select 1' : `select distinct ${columns.join(', ')} from raw`;
  const all = ['row_number() over () as id', ...columns];
  await session.run(`create or replace table d as select ${all.join(', ')} from (${distinct})`);
  const [[count] = []] = await session.rows('select count(*) from d');
  if (Number(count) < manyValues || reduction === undefined) return undefined;
  await session.run(`create or replace table d as ${reducedRows(['id', ...columns], reduction)}`);
  return reduction;
}

/** Answers in tables that are joined with the distinct values. */
interface AnsweredPart {
  readonly join: string;
  readonly columns: readonly (readonly [sql: string, name: string])[];
  readonly tables: readonly string[];
  readonly deciding: readonly AnswerClasses[];
  readonly listed: readonly ListedKeys[];
}

/** The values with the keys of each set of questions, `r0` and so on, and listed keys, `x0` and so on. */
function reducedRows(columns: readonly string[], { stages, deciding, listed }: Reduction): string {
  const tables = stages.map((stage: Stage, at) => {
    const list = stage.map(([name, sql]) => `${sql} as ${name}`).join(', ');
    return `s${at} as (select *, ${list} from ${at === 0 ? 'd' : `s${at - 1}`})`;
  });
  const keys = deciding.flatMap(({ key }, at) => (key === undefined ? [] : `${key} as r${at}`));
  const texts = [...listed.values()].map((key, at) => `${key} as x${at}`);
  return `with ${tables.join(', ')} select ${[...columns, ...keys, ...texts].join(', ')} from s${stages.length - 1}`;
}

async function askReduced(
  context: RunContext,
  group: QuestionGroup,
  { deciding, listed }: Reduction,
): Promise<readonly AnsweredPart[]> {
  const parts: AnsweredPart[] = [];
  const each: Question[] = group.questions.filter(
    question => question.dimension !== undefined && !listed.has(question),
  );
  for (const [at, { key, questions }] of deciding.entries()) {
    if (key === undefined) each.push(...questions);
    else parts.push(await askOnce(context, group, { at, questions }));
  }
  for (const [at, question] of [...listed.keys()].entries()) {
    const part = await listInSql(context, group, { at, question });
    if (part === undefined) each.push(question);
    else parts.push(part);
  }
  return each.length === 0 ? parts : [...parts, await askEach(context, group, each)];
}

/** Asks for every row of `d`. */
async function askEach(
  context: RunContext,
  group: QuestionGroup,
  questions: readonly Question[],
): Promise<AnsweredPart> {
  const { session } = context;
  const { table, inputs } = group;
  const deciding = new Answers(questions.filter(({ dimension }) => dimension === undefined));
  const listing = questions.filter(({ dimension }) => dimension !== undefined).map(one => new Answers([one]));
  await ask(context, { from: 'd', inputs, answers: [deciding, ...listing] });
  const keys = listing.map(({ classes }) =>
    classes.flatMap(([key]) => (typeof key === 'string' ? key : [])).sort(byUnits),
  );
  await nextTurn();
  const ranked = listing.map((answers, at) => answers.ranked(keys[at]!));
  await nextTurn();
  await writeNumbers(session, 'a', [deciding.numbers, ...ranked]);
  return {
    join: 'join a on a.id = d.id',
    columns: [['a.n0', 'a'], ...keys.map((_, at) => [`a.n${at + 1}`, `b${at}`] as const)],
    tables: ['a'],
    deciding: deciding.questions.length === 0 ? [] : [{ ...deciding, column: `${table}.a` }],
    listed: listing.map(({ questions: [question] }, at) => ({
      question: question!,
      column: `${table}.b${at}`,
      textsOf: async numbers => numbers.map(number => keys[at]![number]!),
    })),
  };
}

interface ReducedSet {
  readonly at: number;
  readonly questions: readonly Question[];
}

/** Asks for one row of each key, and for all rows without one. */
async function askOnce(
  context: RunContext,
  group: QuestionGroup,
  { at, questions }: ReducedSet,
): Promise<AnsweredPart> {
  const { session } = context;
  const { table, inputs } = group;
  const key = `r${at}`;
  await session.run(
    `create or replace table f${at} as select ${key}, min(id) as id from d where ${key} is not null group by ${key}`,
  );
  await writeRows(context, group, `${key} is null or id in (select id from f${at})`);
  const answers = new Answers(questions);
  await ask(context, { from: 'e', inputs, answers: [answers] });
  await writeNumbers(session, 'a', [answers.numbers]);
  await session.run(
    `create or replace table a${at} as select e.of, a.n0 from e join a using (id); drop table a; drop table e`,
  );
  return {
    join: `left join f${at} on f${at}.${key} = d.${key} join a${at} on a${at}.of = coalesce(f${at}.id, d.id)`,
    columns: [[`a${at}.n0`, `a${at}`]],
    tables: [`f${at}`, `a${at}`],
    deciding: [{ ...answers, column: `${table}.a${at}` }],
    listed: [],
  };
}

/** Numbers the keys that SQL knows together with those that are asked for; undefined if SQL orders these otherwise. */
async function listInSql(
  context: RunContext,
  group: QuestionGroup,
  { at, question }: { readonly at: number; readonly question: Question },
): Promise<AnsweredPart | undefined> {
  const { session } = context;
  const { table, inputs } = group;
  await writeRows(context, group, `x${at} is null`);
  const answers = new Answers([question]);
  await ask(context, { from: 'e', inputs, answers: [answers] });
  const texts = answers.classes.map(([key]) => key);
  if (texts.some(text => typeof text === 'string' && SPECIAL.test(text))) return undefined;
  await writeNumbers(session, 'a', [answers.numbers]);
  const known = `keys_${question.dimension}`;
  await session.run('create or replace table texts(n0 integer, text varchar)');
  for (let start = 0; start < texts.length; start += CHUNK) {
    const rows = texts
      .slice(start, start + CHUNK)
      .map((text, index) => `(${start + index}, ${text === undefined ? 'null' : singleQuoted(String(text))})`);
    await session.run(`insert into texts values ${rows.join(', ')}`);
  }
  await session.run(`create or replace table o${at} as select e.of, text from e join a using (id) join texts using (n0);
    drop table a; drop table e; drop table texts;
    create or replace table ${known} as select text, row_number() over (order by text) - 1 as k from
      (select x${at} as text from d union select text from o${at}) where text is not null`);
  return {
    join: `left join o${at} on o${at}.of = d.id left join ${known} on ${known}.text = coalesce(d.x${at}, o${at}.text)`,
    columns: [[`${known}.k`, `x${at}`]],
    tables: [`o${at}`],
    deciding: [],
    listed: [{ question, column: `${table}.x${at}`, textsOf: numbers => textsIn(session, known, numbers) }],
  };
}

/** Strings that engines order by code point, and not by code unit, or that do not fit in queries. */
const SPECIAL = /[\0\ud800-\udfff]/;
/** Rows that a statement inserts. */
const CHUNK = 500;

async function textsIn(session: Session, table: string, numbers: readonly number[]): Promise<readonly string[]> {
  if (numbers.length === 0) return [];
  const rows = await session.rows(`select k, text from ${table} where k in (${[...new Set(numbers)].join(', ')})`);
  const found = new Map(rows.map(([number, text]) => [Number(number), String(text)]));
  return numbers.map(number => found.get(number)!);
}

/** Writes the values of some rows of `d` to the table `e`. */
async function writeRows({ session }: RunContext, { inputs }: QuestionGroup, where: string): Promise<void> {
  await session.run(
    `create or replace table e as select row_number() over () as id, id as of, ${inputs.map(columnOf).join(', ')} from d where ${where}`,
  );
}

/** Writes numbers by row to the columns `n0` and so on of a table. */
async function writeNumbers(
  session: Session,
  table: string,
  columns: readonly (readonly (number | null)[])[],
): Promise<void> {
  const list = columns.map((_, at) => `, n${at} integer`).join('');
  await session.run(`create or replace table ${table}(id integer${list})`);
  await session.append(table, [Array.from(columns[0]!, (_, at) => at + 1), ...columns]);
}

interface Asking {
  readonly from: 'd' | 'e';
  readonly inputs: readonly number[];
  readonly answers: readonly Answers[];
}

async function ask(context: RunContext, { from, inputs, answers }: Asking): Promise<void> {
  const rows = new RowInputs(inputs);
  const turns = new Turns(context.session.stop);
  for await (const batch of valuesOf(context, from, inputs.map(columnOf))) {
    for (const values of batch) {
      if (turns.areDue) await turns.next();
      moveToRow(context, { inputs: rows, values });
      const exchange = context.exchangeAt(NOWHERE);
      for (const one of answers) one.add(context.record, exchange);
    }
  }
}

/** Yields the rows of a table in the order of their ids, which are consecutive. */
async function* valuesOf(
  { session, source }: RunContext,
  table: Asking['from'],
  columns: readonly string[],
): AsyncGenerator<Iterable<readonly DuckDBValue[]>> {
  if (columns.length === 0) yield [[]];
  else if (source.isText) yield* stringsIn(session, table, columns);
  else for await (const rows of session.values(table, ['id', ...columns])) yield rows.map(([, ...values]) => values);
}

/** Rows, and bytes, that are read at once. */
const MANY = { rows: 4096, bytes: 4 * 1024 * 1024 };

/** Reads many values as one string, which takes a tenth of the time. JSON values have no line breaks, and are not empty. */
async function* stringsIn(
  session: Session,
  table: Asking['from'],
  columns: readonly string[],
): AsyncGenerator<readonly (string | null)[][]> {
  const length = columns.map(column => `coalesce(strlen(${column}::varchar), 0)`).join(' + ');
  const [[longest] = []] = await session.rows(`select max(${length})::double from ${table}`);
  const part = `(id - 1) // ${Math.max(1, Math.min(MANY.rows, Math.floor(MANY.bytes / Number(longest ?? 1))))}`;
  const lists = columns.map(column => `string_agg(coalesce(${column}::varchar, ''), chr(10) order by id)`);
  const query = `select ${lists.join(', ')} from ${table} group by ${part} order by ${part}`;
  for await (const batch of session.batches(query)) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const texts = batch.map(column => String(column[row]).split('\n'));
      yield texts[0]!.map((_, at) => texts.map(values => values[at] || null));
    }
  }
}

/** Collects the answers to questions, row by row. */
class Answers {
  readonly questions: readonly Question[];
  /** By row, the index in `classes`. */
  readonly numbers: number[] = [];
  readonly classes: (readonly Answer[])[] = [];
  readonly #known = new Dictionary<Answer>();

  constructor(questions: readonly Question[]) {
    this.questions = questions;
  }

  add(record: RunContext['record'], exchange: Parameters<Question['ask']>[0]): void {
    const answers = this.questions.map(({ reads, ask }) => record.watch(reads, () => ask(exchange)));
    const number = this.#known.numberOf(answers.length === 1 ? answers[0] : answers.join());
    if (number === this.classes.length) this.classes.push(answers);
    this.numbers.push(number);
  }

  /** By row, the index among the sorted keys; null for an unknown key. */
  ranked(keys: readonly string[]): (number | null)[] {
    const ranks = new Map(keys.map((key, rank) => [key, rank]));
    const byClass = this.classes.map(([key]) => (typeof key === 'string' ? ranks.get(key)! : null));
    return this.numbers.map(number => byClass[number]!);
  }
}

/** The order of equally frequent keys in reports. */
function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
