/** Answers all questions, and gives each exchange the answers as a few integers by which an engine groups. */
import type { ImpactDimension } from '@tollgate/simulator';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { columnOf } from '../recordings/source.ts';
import { type AnswerClasses, type Answered, answerGroup, type ListedKeys, type QuestionGroup } from './answer-group.ts';
import { type PackedCode, packed, type Question } from './questions.ts';
import { reductionOf } from './reduction.ts';
import { decisiveInputs, Growth, moveToRow, NOWHERE, RowInputs, type RunContext } from './run-context.ts';

/** How the answers to questions stand in the table `coded`. */
export interface CodedAnswers {
  /** The columns that together tell the answers to all questions that decide. */
  readonly words: readonly string[];
  /** Writes the answers to these questions, in their order, from a row of the columns of words. */
  readonly decode: (words: readonly (readonly number[])[], row: number, answers: number[]) => void;
  readonly keys: readonly CodedKeys[];
}

/** The keys of one dimension. */
interface CodedKeys extends Pick<ListedKeys, 'textsOf'> {
  readonly dimension: ImpactDimension;
  /** The column with their numbers. */
  readonly column: string;
}

/**
 * Answers all questions for all rows of `raw`, each for the distinct values of its inputs only, and writes the table `coded`: a row for each of
 * `raw` with its number, time, answers and keys.
 */
export async function answerQuestions(context: RunContext): Promise<CodedAnswers> {
  const { questions, session, source } = context;
  const groups = await groupsOf(context);
  const answered: Answered[] = [];
  const joins: string[] = [];
  let growth: Growth | undefined;
  for (const group of groups) {
    const { table, inputs } = group;
    try {
      answered.push(await answerGroup(context, group));
    } catch (error) {
      if (!(error instanceof Growth)) throw error;
      // Other groups may grow too, and all of them in the same attempt.
      growth = error;
    }
    const matches = inputs.map(input => `raw.${columnOf(input)} is not distinct from ${table}.${columnOf(input)}`);
    joins.push(matches.length === 0 ? `cross join ${table}` : `join ${table} on ${matches.join(' and ')}`);
  }
  if (growth !== undefined) throw growth;
  const deciding = answered.flatMap(one => one.deciding);
  const words = packed(deciding.map(one => ({ ...one, size: one.classes.length })));
  const listed = answered.flatMap(one => one.listed);
  const times = await readTimes(context);
  const selected = [
    `raw.${source.row} as rid`,
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
    keys: listed.map(({ question, textsOf }, at) => ({ dimension: question.dimension!, column: `k${at}`, textsOf })),
  };
}

/** Groups questions that read the same inputs. */
async function groupsOf(context: RunContext): Promise<readonly QuestionGroup[]> {
  const byInputs = Map.groupBy(context.questions, ({ reads }) => decisiveInputs(context, reads).join());
  const groups = [...byInputs.values()].map((questions, at) => {
    const inputs = decisiveInputs(context, questions[0]!.reads);
    return { table: `m${at}`, inputs, questions, reduction: reductionOf(context, inputs, questions) };
  });
  const distinct = await distinctInputs(
    context,
    groups.map(({ inputs }) => inputs),
  );
  const asked = groups.filter(group => distinct.has(group.inputs) && isAskedForEach(group));
  // Grouping gains nothing then, and takes more memory than the engine has.
  if (asked.length >= 2) throw new UnsupportedQueryError('most values occur only once');
  return groups;
}

/** Whether a question of a group may be asked for every value. */
function isAskedForEach({ questions, reduction }: Pick<QuestionGroup, 'questions' | 'reduction'>): boolean {
  if (reduction === undefined) return true;
  const isListed = (question: Question) => question.dimension === undefined || reduction.listed.has(question);
  return !questions.every(isListed) || reduction.deciding.some(({ isResult }) => !isResult);
}

/** The time in SQL. */
interface TimeColumn {
  readonly column: string;
  readonly join: string;
}

const USUAL_TIMES: TimeColumn = { column: 'raw.t', join: '' };

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
  for await (const rows of session.values('d', ['id', column])) {
    for (const [id, ...values] of rows) {
      moveToRow(context, { inputs, values });
      const time = record.watch(new Set(), () => context.exchangeAt(NOWHERE).time);
      ids.push(Number(id));
      times.push(time === undefined ? null : Math.floor(time));
    }
  }
  if (ids.length === 0) return USUAL_TIMES;
  await session.run('create or replace table times(id bigint, t bigint)');
  await session.append('times', [ids, times], 'wide');
  await session.run('create or replace table times as select * from d join times using (id)');
  const join = `left join times on raw.${column} = times.${column}`;
  return { column: 'coalesce(raw.t, times.t)', join };
}

/** The part of a word that has the class of one table. */
type Term = AnswerClasses & PackedCode;

function termOf({ column, factor }: Term): string {
  return `${column}::bigint * ${factor}`;
}

/** Prepares to look up the answers to the questions that decide, in their order. */
function answersIn(words: readonly (readonly Term[])[], questions: readonly Question[]): CodedAnswers['decode'] {
  const deciding = questions.filter(({ dimension }) => dimension === undefined);
  const parts = words.map(terms =>
    terms.map(({ classes, questions: own }) => ({
      classes: classes.map(answers => answers.map(Number)),
      positions: own.map(question => deciding.indexOf(question)),
    })),
  );
  return (columns, row, answers) => {
    for (let word = 0; word < parts.length; word++) {
      let rest = columns[word]![row]!;
      for (const { classes, positions } of parts[word]!) {
        const before = Math.floor(rest / classes.length);
        const found = classes[rest - before * classes.length]!;
        rest = before;
        for (let index = 0; index < positions.length; index++) answers[positions[index]!] = found[index]!;
      }
    }
  };
}

/** Values that occur once in so many rows are evaluated as often as in process. */
const MAX_DISTINCT = 0.9;

/** Returns those of the lists of inputs for which nearly each of the first rows has its own values. Few rows say little: of 450 usual exchanges, most have a URL of their own. */
async function distinctInputs(
  { session, manyValues }: Pick<RunContext, 'session' | 'manyValues'>,
  lists: readonly (readonly number[])[],
): Promise<ReadonlySet<readonly number[]>> {
  const told = lists.filter(inputs => inputs.length > 0);
  if (told.length === 0) return new Set();
  const counts = told.map(inputs => `count(distinct row(${inputs.map(columnOf).join(', ')}))`);
  const [[rows, ...distinct] = []] = await session.rows(
    `select count(*), ${counts.join(', ')} from (select * from raw limit ${manyValues})`,
  );
  return new Set(
    told.filter((_, at) => Number(rows) === manyValues && Number(distinct[at]) > MAX_DISTINCT * manyValues),
  );
}
