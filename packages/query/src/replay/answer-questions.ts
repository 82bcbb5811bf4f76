import type { DuckDBValue } from '@duckdb/node-api';
import { Dictionary } from '../plan/dictionary.ts';
import { DIMENSIONS, type Question } from '../plan/questions.ts';
import { columnOf } from '../sources/source.ts';
import { moveToRow, NOWHERE, type RunContext } from './run-context.ts';

/** How the answers to questions stand in the table `coded`. */
export interface CodedAnswers {
  /** The columns that together tell the answers to all questions that decide. */
  readonly words: readonly string[];
  /** Returns the answers to these questions, in their order, from the values of the words. */
  readonly decode: (values: readonly number[]) => readonly (number | string | undefined)[];
  /** The listed keys of each dimension in their order; the columns `k0` and so on have their indexes. */
  readonly keys: readonly (readonly string[])[];
}

interface Answered {
  readonly question: Question;
  /** The column of the answers: `m0.a1`. */
  readonly column: string;
  /** The number of different answers. */
  readonly size: number;
  readonly answers: readonly (number | string | undefined)[];
  readonly keys: readonly string[];
}

/**
 * Answers all questions for all rows of `raw`, each for the distinct values of its inputs only, and writes the table `coded`: a row for each of
 * `raw` with its number, time, answers and keys.
 */
export async function answerQuestions(context: RunContext): Promise<CodedAnswers> {
  const { questions, session, empty } = context;
  const inputsOf = ({ reads }: Question) => [...reads].filter(input => !empty.has(input)).sort((a, b) => a - b);
  const groups = Map.groupBy(questions, question => inputsOf(question).join());
  const answered: Answered[] = [];
  const joins: string[] = [];
  for (const [index, group] of [...groups.values()].entries()) {
    const inputs = inputsOf(group[0]!);
    answered.push(...(await answerGroup(context, { index, inputs, questions: group })));
    const matches = inputs.map(input => `raw.${columnOf(input)} is not distinct from m${index}.${columnOf(input)}`);
    joins.push(inputs.length === 0 ? `cross join m${index}` : `join m${index} on ${matches.join(' and ')}`);
  }
  const deciding = questions.flatMap(one =>
    answered.filter(({ question }) => question === one && question.dimension === undefined),
  );
  const words = packed(deciding);
  const listed = DIMENSIONS.flatMap(dimension => answered.filter(({ question }) => question.dimension === dimension));
  const times = await readTimes(context);
  const selected = [
    'raw.rowid as rid',
    `${times.column} as t`,
    ...words.map((terms, at) => `${terms.map(termOf).join(' + ')} as w${at}`),
    ...listed.map(({ column }, at) => `${column} as k${at}`),
  ];
  await session.run(
    `create or replace table coded as select ${selected.join(', ')} from raw ${times.join} ${joins.join(' ')}`,
  );
  for (const index of [...groups.values()].keys()) await session.run(`drop table m${index}`);
  return {
    words: words.map((_, at) => `w${at}`),
    decode: values => words.flatMap((terms, at) => terms.map(term => answerIn(term, values[at]!))),
    keys: listed.map(({ keys }) => keys),
  };
}

/** Returns the time in SQL. Times of any other form than the usual one are read here, and join as the table `times`. */
async function readTimes(context: RunContext): Promise<{ readonly column: string; readonly join: string }> {
  const { timeInput, session, record } = context;
  if (timeInput === undefined) return { column: 'raw.t', join: '' };
  const column = columnOf(timeInput);
  const others = `select distinct ${column} from raw where t is null and ${column} is not null`;
  await session.run(`create or replace table d as select row_number() over () as id, ${column} from (${others})`);
  const rows: (number | null)[][] = [];
  for await (const [ids = [], values = []] of session.batches(`select id, ${column} from d`)) {
    for (let row = 0; row < ids.length; row++) {
      moveToRow(context, { inputs: [timeInput], values: [values[row]!] });
      const time = record.watch(new Set(), () => context.exchangeAt(NOWHERE).time);
      rows.push([Number(ids[row]), time === undefined || !(Math.abs(time) <= MAX_TIME) ? null : Math.floor(time)]);
    }
  }
  if (rows.length === 0) return { column: 'raw.t', join: '' };
  await session.run('create or replace table times(id bigint, t bigint)');
  await session.append('times', rows, 'wide');
  await session.run('create or replace table times as select * from d join times using (id)');
  return { column: 'coalesce(raw.t, times.t)', join: `left join times on raw.${column} = times.${column}` };
}

/** The limit of JavaScript dates. */
const MAX_TIME = 8.64e15;

interface QuestionGroup {
  readonly index: number;
  /** What all of these read. */
  readonly inputs: readonly number[];
  readonly questions: readonly Question[];
}

/** Answers questions that read the same inputs, and writes the answers next to the values in the table `m` plus the index of the group. */
async function answerGroup(
  context: RunContext,
  { index, inputs, questions }: QuestionGroup,
): Promise<readonly Answered[]> {
  const { session } = context;
  const columns = inputs.map(columnOf);
  const distinct = columns.length === 0 ? 'select 1' : `select distinct ${columns.join(', ')} from raw`;
  const list = ['id', ...columns].join(', ');
  await session.run(
    `create or replace table d${index} as select row_number() over () as id${columns.map(name => `, ${name}`).join('')} from (${distinct})`,
  );
  const answers = questions.map(() => new Dictionary<number | string | undefined>());
  const rows: (number | null)[][] = [];
  for await (const batch of session.batches(`select ${list} from d${index}`)) {
    const [ids = []] = batch;
    for (let row = 0; row < ids.length; row++) {
      const values = batch.slice(1).map(column => column[row]!);
      rows.push([Number(ids[row]), ...answersOf(context, { inputs, values, questions }, answers)]);
    }
  }
  const answered = questions.map((question, at) => answeredBy(question, `m${index}.a${at}`, answers[at]!));
  const ranks = answered.map(({ keys }, at) =>
    questions[at]!.dimension === undefined ? undefined : rankOf(answers[at]!, keys),
  );
  const types = questions.map((_, at) => `a${at} integer`).join(', ');
  await session.run(`create or replace table a${index}(id integer, ${types})`);
  await session.append(`a${index}`, ranked(rows, ranks));
  await session.run(
    `create or replace table m${index} as select * exclude (id) from d${index} join a${index} using (id)`,
  );
  await session.run(`drop table d${index}; drop table a${index}`);
  return answered;
}

interface Asked {
  readonly inputs: readonly number[];
  readonly values: readonly DuckDBValue[];
  readonly questions: readonly Question[];
}

function answersOf(
  context: RunContext,
  { inputs, values, questions }: Asked,
  answers: readonly Dictionary<number | string | undefined>[],
): readonly number[] {
  moveToRow(context, { inputs, values });
  const exchange = context.exchangeAt(NOWHERE);
  return questions.map(({ reads, ask }, at) => answers[at]!.numberOf(context.record.watch(reads, () => ask(exchange))));
}

function answeredBy(question: Question, column: string, answers: Dictionary<number | string | undefined>): Answered {
  const keys =
    question.dimension === undefined ? [] : answers.values.filter(key => typeof key === 'string').sort(byUnits);
  return { question, column, size: answers.size, answers: answers.values, keys };
}

/** The order of equally frequent keys in reports. */
function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the index among the sorted keys of each answer; null for an unknown key. */
function rankOf(answers: Dictionary<number | string | undefined>, keys: readonly string[]): readonly (number | null)[] {
  const ranks = new Map(keys.map((key, rank) => [key, rank]));
  return answers.values.map(key => (typeof key === 'string' ? ranks.get(key)! : null));
}

function* ranked(
  rows: readonly (readonly (number | null)[])[],
  ranks: readonly (readonly (number | null)[] | undefined)[],
): Generator<readonly (number | null)[]> {
  for (const [id, ...answers] of rows)
    yield [id!, ...answers.map((answer, at) => (ranks[at] ? ranks[at][answer!]! : answer))];
}

/** Products up to here are exact. */
const MOST_IN_A_WORD = Number.MAX_SAFE_INTEGER;

/** An answer's part of a word. */
interface Term {
  readonly answered: Answered;
  /** The number of combinations of the terms before it. */
  readonly factor: number;
}

function termOf({ answered: { column }, factor }: Term): string {
  return `${column}::bigint * ${factor}`;
}

function answerIn({ answered: { size, answers }, factor }: Term, word: number): number | string | undefined {
  return answers[Math.floor(word / factor) % size];
}

/** Packs answers into as few integers as possible, in order. */
function packed(answered: readonly Answered[]): readonly (readonly Term[])[] {
  const words: Term[][] = [];
  let product = Number.POSITIVE_INFINITY;
  for (const one of answered) {
    if (product * one.size > MOST_IN_A_WORD) {
      words.push([]);
      product = 1;
    }
    words.at(-1)!.push({ answered: one, factor: product });
    product *= one.size;
  }
  return words;
}
