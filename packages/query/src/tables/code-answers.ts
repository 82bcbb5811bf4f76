import type { LookupRow } from '../engines/dialect.ts';
import type { EngineRow } from '../engines/engine-session.ts';
import { Dictionary } from '../plan/dictionary.ts';
import type { Question } from '../plan/questions.ts';
import { moveToRow, NOWHERE, RowInputs, tellingInputs } from '../plan/run-context.ts';
import { columnOf } from '../sources/source.ts';
import { recordsSql, type TableContext } from './table-context.ts';

/** How queries tell the answers to all questions that decide. */
export interface CodedAnswers {
  /** Common table expressions, the last of which is `coded`: `records` with the time `t` and integers that together tell the answers. */
  readonly coded: string;
  readonly words: readonly string[];
  /** Returns the answers, in the order of the questions that decide, from the values of the words. */
  readonly decode: (values: readonly number[]) => readonly number[];
  /** The number of records. */
  readonly records: number;
}

/** Evaluates what decides, once for each distinct combination of the values that it reads. */
export async function codeAnswers(context: TableContext): Promise<CodedAnswers> {
  const deciding = context.questions.filter(({ dimension }) => dimension === undefined);
  const byInputs = Map.groupBy(deciding, ({ reads }) => tellingInputs(context, reads).join());
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
  };
}

/** Reads the distinct values of all groups in one scan, and returns the number of records. */
async function readDistinct(context: TableContext, groups: readonly GroupAnswers[]): Promise<number> {
  const { session } = context;
  const sets = groups.filter(({ inputs }) => inputs.length > 0);
  for (const group of groups) if (group.inputs.length === 0) group.add(context, []);
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
  #count = 0;
  #usual: number | undefined;

  constructor(context: TableContext, questions: readonly Question[]) {
    this.questions = questions;
    this.inputs = tellingInputs(context, questions[0]!.reads);
    this.#rows = new RowInputs(this.inputs);
  }

  add(context: TableContext, values: string[]): void {
    moveToRow(context, { inputs: this.#rows, values });
    const exchange = context.exchangeAt(NOWHERE);
    const answers = this.questions.map(({ reads, ask }) => Number(context.record.watch(reads, () => ask(exchange))));
    const number = this.#known.numberOf(answers.join());
    if (number === this.classes.length) {
      this.classes.push(answers);
      this.#values.push([]);
    }
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
    if (this.#usual === undefined) this.#chooseUsual();
    return [this.classes[this.#usual!]!, ...this.classes.filter((_, at) => at !== this.#usual)];
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
const MOST_IN_A_WORD = Number.MAX_SAFE_INTEGER;

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
    if (product * size > MOST_IN_A_WORD) {
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
    for (const { at, factor, byCode, group } of terms)
      set(group, byCode[Math.floor(values[at]! / factor) % byCode.length]!);
    return found;
  };
}
