/** Answers the questions about records in a table, and writes the answers into queries as lookups. */
import type { EngineRow, EngineSession, LookupRow } from '../engines/engine.ts';
import { Dictionary, type Question } from '../questions/questions.ts';
import {
  type AskingContext,
  type Decided,
  decisiveInputs,
  moveToRow,
  NOWHERE,
  RowInputs,
} from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import type { TimeSql } from './record-times.ts';
import { NOTHING, type TableSource } from './table-source.ts';

/** How queries tell the answers to all questions that decide. */
export interface CodedAnswers {
  /** Common table expressions, the last of which is `coded`: `records` with the time `t` and integers that together tell the answers. */
  readonly coded: string;
  readonly words: readonly string[];
  /** Returns the answers, in the order of the questions that decide, from the values of the words. */
  readonly decode: (values: readonly number[]) => readonly number[];
  /** The number of records. */
  readonly records: number;
  /** Throws {@link TableChanged} unless records with these words are as many as there were of each class. */
  readonly requireSameClasses: (groups: readonly CountedWords[]) => void;
}

/** Records with the same values of the words. */
interface CountedWords {
  readonly words: readonly number[];
  readonly times: number;
}

/** Two queries saw other rows, so that no figure is right: rows came or went, or the table is a query with a random result. */
export class TableChanged extends Error {}

/** Queries of engines without snapshots see rows that were added in between, and those of a `limit` may be others each time. */
export function requireSame(before: number, after: number): void {
  if (before !== after) throw new TableChanged();
}

/** Evaluates what decides, once for each distinct combination of the values that it reads. */
export async function codeAnswers(context: TableContext): Promise<CodedAnswers> {
  const deciding = context.questions.filter(({ dimension }) => dimension === undefined);
  const byInputs = Map.groupBy(deciding, ({ reads }) => decisiveInputs(context, reads).join());
  const groups = [...byInputs.values()].map(questions => new GroupAnswers(context, questions));
  const records = await readDistinct(context, groups);
  const told = groups.filter(({ classes }) => classes.length > 1);
  const words = packed(told);
  const joins = told.map((group, at) => group.join(context, `m${at}`));
  const terms = words.map((word, at) => {
    const sum = word.map(({ group, factor }) => `coalesce(m${told.indexOf(group)}.a, 0) * ${factor}`);
    return `${sum.join(' + ') || '0'} as w${at}`;
  });
  const { time } = context;
  const list = ['records.*', `${time.sql} as t`, ...terms].join(', ');
  return {
    coded: `with ${recordsSql(context)}, coded as (select ${list} from records ${time.join} ${joins.join(' ')})`,
    words: words.map((_, at) => `w${at}`),
    decode: decoderOf(groups, words, deciding),
    records,
    requireSameClasses: found => requireClasses(words, found),
  };
}

function requireClasses(words: readonly (readonly Term[])[], found: readonly CountedWords[]): void {
  for (const [at, word] of words.entries())
    for (const term of word) {
      const counts = term.group.countsByCode.map(() => 0);
      for (const { words: values, times } of found) counts[codeIn(values[at]!, term)]! += times;
      for (const [code, count] of counts.entries()) requireSame(term.group.countsByCode[code]!, count);
    }
}

/** Returns the code of a term in the value of its word. */
function codeIn(value: number, { factor, group }: Term): number {
  return Math.floor(value / factor) % group.classes.length;
}

/** Reads the distinct values of all groups in one scan, and returns the number of records. */
async function readDistinct(context: TableContext, groups: readonly GroupAnswers[]): Promise<number> {
  const { session } = context;
  const sets = groups.filter(({ inputs }) => inputs.length > 0);
  for (const group of groups) if (group.inputs.length === 0) group.add(context, [], 0);
  const columns = [...new Set(sets.flatMap(({ inputs }) => inputs))].map(columnOf);
  const listed = (group: GroupAnswers) => group.inputs.map(columnOf).join(', ');
  const grouping = sets.length > 1 ? `group by grouping sets (${sets.map(set => `(${listed(set)})`).join(', ')})` : '';
  const by = sets.length === 1 ? `group by ${columns.join(', ')}` : grouping;
  const query = `with ${recordsSql(context)} select ${['count(*) as n', ...columns].join(', ')} from records ${by}`;
  const places = sets.map(set => set.inputs.map(input => columns.indexOf(columnOf(input)) + 1));
  let total = 0;
  for await (const rows of session.batches(query))
    for (const row of rows) {
      const at = places.findIndex(own => isOf(row, own));
      const count = Number(row[0]);
      if (at <= 0) total += count;
      if (at >= 0)
        sets[at]!.add(
          context,
          places[at]!.map(place => row[place]!),
          count,
        );
    }
  return total;
}

/** Whether a row is of the set with these columns: no encoded value is empty, and those of other sets are. */
function isOf(row: EngineRow, own: readonly number[]): boolean {
  return row.every((value, place) => place === 0 || (value !== null && value !== '') === own.includes(place));
}

/** How many values are read before the class that is not looked up is chosen: the most frequent one. */
const FIRST = 10_000;

/** The answers to questions that read the same inputs. */
class GroupAnswers {
  readonly inputs: readonly number[];
  readonly questions: readonly Question[];
  /** The answers by class. */
  readonly classes: (readonly number[])[] = [];
  readonly #rows: RowInputs;
  readonly #known = new Dictionary<string>();
  /** The values of each class; none for the one that is not looked up, once that is known. */
  readonly #values: (string[][] | undefined)[] = [];
  /** The number of records of each class. */
  readonly #counts: number[] = [];
  #count = 0;
  #usual: number | undefined;

  constructor(context: TableContext, questions: readonly Question[]) {
    this.questions = questions;
    this.inputs = decisiveInputs(context, questions[0]!.reads);
    this.#rows = new RowInputs(this.inputs);
  }

  add(context: TableContext, values: string[], times: number): void {
    moveToRow(context, { inputs: this.#rows, values });
    const exchange = context.exchangeAt(NOWHERE);
    const answers = this.questions.map(({ reads, ask }) => Number(context.record.watch(reads, () => ask(exchange))));
    const number = this.#known.numberOf(answers.join());
    if (number === this.classes.length) {
      this.classes.push(answers);
      this.#values.push([]);
      this.#counts.push(0);
    }
    this.#counts[number]! += times;
    this.#values[number]?.push(values);
    if (++this.#count === FIRST) this.#chooseUsual();
  }

  #chooseUsual(): void {
    const sizes = this.#values.map(values => values!.length);
    this.#usual = sizes.indexOf(Math.max(...sizes));
    this.#values[this.#usual] = undefined;
  }

  /** Returns the answers by code: 0 for a value that is not looked up. */
  get byCode(): readonly (readonly number[])[] {
    return this.#inCodeOrder(this.classes);
  }

  /** The number of records of each code. */
  get countsByCode(): readonly number[] {
    return this.#inCodeOrder(this.#counts);
  }

  #inCodeOrder<Item>(ofClasses: readonly Item[]): readonly Item[] {
    if (this.#usual === undefined) this.#chooseUsual();
    return [ofClasses[this.#usual!]!, ...ofClasses.filter((_, at) => at !== this.#usual)];
  }

  /** Returns the join with the codes of values, as its column `a`. */
  join({ session: { dialect } }: TableContext, alias: string): string {
    if (this.#usual === undefined) this.#chooseUsual();
    const columns = this.inputs.map((_, at) => ({ name: `v${at}`, type: 'text' }) as const);
    const others = this.#values.filter((_, at) => at !== this.#usual);
    const rows = others.flatMap((values, at) => values!.map((value): LookupRow => [...value, at + 1]));
    const lookup = dialect.lookup(alias, [...columns, { name: 'a', type: 'integer' }], rows);
    const matches = this.inputs.map((input, at) => `${alias}.v${at} = records.${columnOf(input)}`);
    return `left join ${lookup} on ${matches.join(' and ')}`;
  }
}

/** Products up to here are exact. */
const MAX_IN_A_WORD = Number.MAX_SAFE_INTEGER;

/** The part of a word that has the code of one group. */
interface Term {
  readonly group: GroupAnswers;
  /** The number of combinations of the terms before it. */
  readonly factor: number;
}

/** Packs codes into as few integers as possible, at least one. */
function packed(groups: readonly GroupAnswers[]): readonly (readonly Term[])[] {
  const words: Term[][] = [[]];
  let product = 1;
  for (const group of groups) {
    const size = group.classes.length;
    if (product * size > MAX_IN_A_WORD) {
      words.push([]);
      product = 1;
    }
    words.at(-1)!.push({ group, factor: product });
    product *= size;
  }
  return words;
}

function decoderOf(
  groups: readonly GroupAnswers[],
  words: readonly (readonly Term[])[],
  deciding: readonly Question[],
): CodedAnswers['decode'] {
  const constant = groups.filter(({ classes }) => classes.length === 1);
  const terms = words.flatMap((word, at) => word.map(term => ({ at, byCode: term.group.byCode, ...term })));
  const placesOf = ({ questions }: GroupAnswers) => questions.map(question => deciding.indexOf(question));
  return values => {
    const found = deciding.map(() => Number.NaN);
    const set = (group: GroupAnswers, answers: readonly number[]) => {
      for (const [index, place] of placesOf(group).entries()) found[place] = answers[index]!;
    };
    for (const group of constant) set(group, group.classes[0]!);
    for (const { at, byCode, ...term } of terms) set(term.group, byCode[codeIn(values[at]!, term)]!);
    return found;
  };
}

/** What the steps of a replay on a table share. */
export interface TableContext<Found extends Decided = Decided> extends AskingContext<Found> {
  readonly session: EngineSession;
  readonly source: TableSource;
  /** Whether rows that hold no field at all are left out, because there are some. */
  readonly skipsEmpty: boolean;
  /** Inputs in the columns of `records`. */
  loaded: readonly number[];
  /** The time of a record in ms, in SQL in terms of the table, and what it joins. */
  time: TimeSql;
}

/** Sets which inputs are loaded. Those that the table lacks are constantly unknown. */
export function planInputs(context: TableContext): void {
  const { source, questions, judgeReads } = context;
  const missing = source.layout.inputs.all.flatMap((_, input) => (source.kindOf(input) === undefined ? [input] : []));
  context.constant = new Map(missing.map(input => [input, undefined]));
  const readings = [...questions.map(({ reads }) => reads), judgeReads];
  // The conditions are the first questions. What is only counted or listed may be unknown.
  const conditions = questions.slice(0, context.leaves.leaves.length);
  for (const reads of [...conditions.map(one => one.reads), judgeReads]) reads.forEach(source.requireReadable);
  const needed = new Set(readings.flatMap(reads => decisiveInputs(context, reads)));
  context.loaded = [...needed].sort((a, b) => a - b);
}

/** Returns the common table expression `records`: the encoded inputs as columns, and the time as `t`. */
function recordsSql({ loaded, source, time, skipsEmpty }: TableContext): string {
  const columns = loaded.map(input => `${source.valueOf(input)} as ${columnOf(input)}`);
  const list = [...columns, ...(time.column === undefined ? [] : [time.column])];
  const where = skipsEmpty ? ` where not (${isEmptySql(source.values)})` : '';
  return `records as (select ${list.join(', ') || '1 as one'} from ${source.from}${where})`;
}

/** Returns whether encoded values are all null, in SQL. */
export function isEmptySql(values: readonly string[]): string {
  return values.map(value => `${value} = '${NOTHING}'`).join(' and ') || '1 = 0';
}

/** Returns all rows of a small result. */
export async function rowsOf(session: EngineSession, sql: string): Promise<readonly EngineRow[]> {
  const all: EngineRow[] = [];
  for await (const rows of session.batches(sql)) all.push(...rows);
  return all;
}
