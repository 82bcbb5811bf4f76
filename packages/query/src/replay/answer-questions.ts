import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DuckDBValue } from '@duckdb/node-api';
import type { Session } from '../duckdb/session.ts';
import { Dictionary } from '../plan/dictionary.ts';
import { DIMENSIONS, type Question } from '../plan/questions.ts';
import { columnOf } from '../sources/source.ts';
import { refuseDistinct } from './refuse-distinct.ts';
import { moveToRow, NOWHERE, RowInputs, type RunContext, tellingInputs } from './run-context.ts';

/** How the answers to questions stand in the table `coded`. */
export interface CodedAnswers {
  /** The columns that together tell the answers to all questions that decide. */
  readonly words: readonly string[];
  /** Returns the answers to these questions, in their order, from the values of the words. */
  readonly decode: (values: readonly number[]) => readonly Answer[];
  /** The listed keys of each dimension in their order; the columns `k0` and so on have their indexes. */
  readonly keys: readonly (readonly string[])[];
  /** Whether a time is out of the range of dates, and counts as none. */
  readonly hasFarTimes: boolean;
}

type Answer = number | string | undefined;

/** The answers to questions that read the same inputs. */
interface Answered {
  /** The table with a row for each distinct combination of the inputs; its column `a` is the index in `classes`. */
  readonly table: string;
  readonly deciding: readonly Question[];
  /** The answers of `deciding`, by class. */
  readonly classes: readonly (readonly Answer[])[];
  readonly listed: readonly ListedKeys[];
}

interface ListedKeys {
  readonly question: Question;
  /** The column with the indexes of keys. */
  readonly column: string;
  readonly keys: readonly string[];
}

/**
 * Answers all questions for all rows of `raw`, each for the distinct values of its inputs only, and writes the table `coded`: a row for each of
 * `raw` with its number, time, answers and keys.
 */
export async function answerQuestions(context: RunContext): Promise<CodedAnswers> {
  const { questions, session } = context;
  const groups = Map.groupBy(questions, ({ reads }) => tellingInputs(context, reads).join());
  await refuseDistinct(
    session,
    [...groups.values()].map(([first]) => tellingInputs(context, first!.reads)),
  );
  const answered: Answered[] = [];
  const joins: string[] = [];
  for (const group of groups.values()) {
    const table = `m${answered.length}`;
    const inputs = tellingInputs(context, group[0]!.reads);
    answered.push(await answerGroup(context, { table, inputs, questions: group }));
    const matches = inputs.map(input => `raw.${columnOf(input)} is not distinct from ${table}.${columnOf(input)}`);
    joins.push(inputs.length === 0 ? `cross join ${table}` : `join ${table} on ${matches.join(' and ')}`);
  }
  const words = packed(answered.filter(({ deciding }) => deciding.length > 0));
  const listed = DIMENSIONS.flatMap(dimension =>
    answered.flatMap(one => one.listed.filter(({ question }) => question.dimension === dimension)),
  );
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
  for (const { table } of answered) await session.run(`drop table ${table}`);
  return {
    words: words.map((_, at) => `w${at}`),
    decode: answersIn(words, questions),
    keys: listed.map(({ keys }) => keys),
    hasFarTimes: times.hasFar,
  };
}

/** The time in SQL. */
interface TimeColumn {
  readonly column: string;
  readonly join: string;
  readonly hasFar: boolean;
}

const USUAL_TIMES: TimeColumn = { column: 'raw.t', join: '', hasFar: false };

/** Returns the time. Times of any other form than the usual one are read here, and join as the table `times`. */
async function readTimes(context: RunContext): Promise<TimeColumn> {
  const { timeInput, session, record } = context;
  if (timeInput === undefined) return USUAL_TIMES;
  const column = columnOf(timeInput);
  const others = `select distinct ${column} from raw where t is null and ${column} is not null`;
  await session.run(`create or replace table d as select row_number() over () as id, ${column} from (${others})`);
  const inputs = new RowInputs([timeInput]);
  const ids: number[] = [];
  const times: (number | null)[] = [];
  let hasFar = false;
  for await (const [numbers = [], values = []] of session.batches(`select id, ${column} from d`)) {
    for (const [row, number] of numbers.entries()) {
      moveToRow(context, { inputs, values: [values[row]!] });
      const time = record.watch(new Set(), () => context.exchangeAt(NOWHERE).time);
      ids.push(Number(number));
      const isFar = time !== undefined && !(Math.abs(time) <= MAX_TIME);
      hasFar ||= isFar;
      times.push(time === undefined || isFar ? null : Math.floor(time));
    }
  }
  if (ids.length === 0) return USUAL_TIMES;
  await session.run('create or replace table times(id bigint, t bigint)');
  await session.append('times', [ids, times], 'wide');
  await session.run('create or replace table times as select * from d join times using (id)');
  const join = `left join times on raw.${column} = times.${column}`;
  return { column: 'coalesce(raw.t, times.t)', join, hasFar };
}

/** The limit of JavaScript dates. */
const MAX_TIME = 8.64e15;

interface QuestionGroup {
  readonly table: string;
  /** What all of these read. */
  readonly inputs: readonly number[];
  readonly questions: readonly Question[];
}

/** Answers questions that read the same inputs, and writes the answers next to the values in a table. */
async function answerGroup(context: RunContext, { table, inputs, questions }: QuestionGroup): Promise<Answered> {
  const { session } = context;
  const columns = inputs.map(columnOf);
  const distinct = columns.length === 0 ? 'select 1' : `select distinct ${columns.join(', ')} from raw`;
  const all = ['row_number() over () as id', ...columns].join(', ');
  await session.run(`create or replace table d as select ${all} from (${distinct})`);
  const rows = new RowInputs(inputs);
  const deciding = new Answers(questions.filter(({ dimension }) => dimension === undefined));
  const listing = questions.filter(({ dimension }) => dimension !== undefined).map(one => new Answers([one]));
  for await (const batch of valuesOf(context, columns)) {
    await nextTurn();
    session.stop?.throwIfAborted();
    for (const values of batch) {
      moveToRow(context, { inputs: rows, values });
      const exchange = context.exchangeAt(NOWHERE);
      for (const answers of [deciding, ...listing]) answers.add(context.record, exchange);
    }
  }
  const keys = listing.map(({ classes }) =>
    classes.flatMap(([key]) => (typeof key === 'string' ? key : [])).sort(byUnits),
  );
  await nextTurn();
  const ranked = listing.map((answers, at) => answers.ranked(keys[at]!));
  await nextTurn();
  await session.run(
    `create or replace table a(id integer, a integer${keys.map((_, at) => `, b${at} integer`).join('')})`,
  );
  await session.append('a', [Array.from(deciding.numbers, (_, at) => at + 1), deciding.numbers, ...ranked]);
  await session.run(
    `create or replace table ${table} as select * exclude (id) from d join a using (id); drop table d; drop table a`,
  );
  const listed = listing.map(({ questions: [question] }, at) => ({
    question: question!,
    column: `${table}.b${at}`,
    keys: keys[at]!,
  }));
  return { table, deciding: deciding.questions, classes: deciding.classes, listed };
}

/** Yields the rows of `d` in the order of their ids. */
async function* valuesOf(
  { session, source }: RunContext,
  columns: readonly string[],
): AsyncGenerator<Iterable<readonly DuckDBValue[]>> {
  if (columns.length === 0) yield [[]];
  else if (source.isText) yield* textsIn(session, columns);
  else {
    for await (const batch of session.batches(`select ${columns.join(', ')} from d order by id`))
      yield batch[0]!.map((_, row) => batch.map(column => column[row]!));
  }
}

/** Rows that are read at once. */
const MANY = 4096;

/** Reads many values as one string, which takes a tenth of the time. JSON values have no line breaks, and are not empty. */
async function* textsIn(session: Session, columns: readonly string[]): AsyncGenerator<readonly (string | null)[][]> {
  const lists = columns.map(column => `string_agg(coalesce(${column}::varchar, ''), chr(10) order by id)`);
  const query = `select ${lists.join(', ')} from d group by (id - 1) // ${MANY} order by (id - 1) // ${MANY}`;
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

/** Products up to here are exact. */
const MOST_IN_A_WORD = Number.MAX_SAFE_INTEGER;

/** The part of a word that has the class of one table. */
interface Term {
  readonly answered: Answered;
  /** The number of combinations of the terms before it. */
  readonly factor: number;
}

function termOf({ answered: { table }, factor }: Term): string {
  return `${table}.a::bigint * ${factor}`;
}

/** Packs classes into as few integers as possible. */
function packed(answered: readonly Answered[]): readonly (readonly Term[])[] {
  const words: Term[][] = [];
  let product = Number.POSITIVE_INFINITY;
  for (const one of answered) {
    const size = one.classes.length;
    if (product * size > MOST_IN_A_WORD) {
      words.push([]);
      product = 1;
    }
    words.at(-1)!.push({ answered: one, factor: product });
    product *= size;
  }
  return words;
}

/** Prepares to look up the answers to the questions that decide, in their order. */
function answersIn(words: readonly (readonly Term[])[], questions: readonly Question[]): CodedAnswers['decode'] {
  const deciding = questions.filter(({ dimension }) => dimension === undefined);
  const terms = words.flatMap((word, at) =>
    word.map(({ answered: { classes, deciding: own }, factor }) => {
      return { at, factor, classes, positions: own.map(question => deciding.indexOf(question)) };
    }),
  );
  return values => {
    const found: Answer[] = deciding.map(() => undefined);
    for (const { at, factor, classes, positions } of terms) {
      const answers = classes[Math.floor(values[at]! / factor) % classes.length]!;
      for (let index = 0; index < positions.length; index++) found[positions[index]!] = answers[index];
    }
    return found;
  };
}
