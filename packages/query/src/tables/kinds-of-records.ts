/** The kinds of records by their verdicts, on which figures by time and key depend, and how queries tell the kind of a record. */
import type { LookupColumn, LookupRow } from '../engines/engine.ts';
import type { Kind } from '../questions/paired-policies.ts';
import { Dictionary } from '../questions/questions.ts';
import type { Decided } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import type { CodedAnswers } from './code-answers.ts';
import type { DecidedTable } from './decide-table-groups.ts';
import type { TableContext } from './records-sql.ts';

/** The kinds of verdicts. */
export interface Kinds {
  /** Common table expressions, the last of which is `results`: `coded` with the number of the kind, from 1. */
  readonly results: string;
  /** Returns the same with more columns, in SQL in terms of the table. */
  readonly resultsWith: (columns: readonly string[]) => string;
  readonly kinds: readonly Kind[];
  /** The number of records of each kind. */
  readonly counts: readonly number[];
  /** The number of those with a time. */
  readonly timed: readonly number[];
  /** The kind of each group. */
  readonly kindOfGroup: readonly number[];
}

/** Returns the query for the kinds of all records. */
export function kindsOf<Found extends Decided>(
  context: TableContext,
  { codedWith, words }: CodedAnswers,
  { groups, dividedBy }: DecidedTable<Found>,
  kindOf: (verdict: Found, times: number) => Kind,
): Kinds {
  const known = new Dictionary<string>();
  const kinds: Kind[] = [];
  const counts: number[] = [];
  const [timed, kindOfGroup]: [number[], number[]] = [[], []];
  const [plain, byValue]: [LookupRow[], LookupRow[]] = [[], []];
  for (const { verdict, words: own, values, times, intervals } of groups) {
    const one = kindOf(verdict, times);
    const number = known.numberOf(`${one.series} ${one.listed}`);
    kinds[number] = one;
    counts[number] = (counts[number] ?? 0) + times;
    timed[number] = (timed[number] ?? 0) + times - (intervals.get(null) ?? 0);
    kindOfGroup.push(number);
    if (values === undefined) plain.push([...own, number + 1]);
    else byValue.push([...own, ...values, number + 1]);
  }
  const { lookup } = context.session.dialect;
  const numbers = words.map(name => ({ name, type: 'integer' }) as const);
  const strings = dividedBy.map(input => ({ name: columnOf(input), type: 'text' }) as const);
  const joined = (alias: string, columns: readonly LookupColumn[], rows: readonly LookupRow[]) => {
    // ClickHouse renames the columns of `coded.*` whose names occur in what it joins.
    const own = columns.map(({ type }, at) => ({ name: `v${at}`, type }));
    const matches = columns.map(({ name }, at) => `${alias}.v${at} = coded.${name}`).join(' and ');
    return `left join ${lookup(alias, [...own, { name: 'kind', type: 'integer' }], rows)} on ${matches}`;
  };
  const { codeOf } = context.session.dialect;
  const [word, ...more] = words;
  const codes = plain.map(([value, number]) => [Number(value), Number(number)] as const);
  const coding = more.length === 0 ? codeOf?.(`coded.${word}`, codes) : undefined;
  const joins = [
    ...(plain.length > 0 && coding === undefined ? [{ alias: 'kg', sql: joined('kg', numbers, plain) }] : []),
    ...(byValue.length > 0 ? [{ alias: 'ku', sql: joined('ku', [...numbers, ...strings], byValue) }] : []),
  ];
  const kind =
    [...(coding === undefined ? [] : [coding]), ...joins.map(({ alias }) => `coalesce(${alias}.kind, 0)`)].join(
      ' + ',
    ) || '0';
  const from = `coded ${joins.map(({ sql }) => sql).join(' ')}`;
  const resultsWith = (columns: readonly string[]) =>
    `${codedWith(columns)}, results as (select coded.*, ${kind} as kind from ${from})`;
  return { results: resultsWith([]), resultsWith, kinds, counts, timed, kindOfGroup };
}
