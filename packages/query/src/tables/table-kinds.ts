import type { LookupColumn, LookupRow } from '../engines/dialect.ts';
import { Dictionary } from '../plan/dictionary.ts';
import type { Decided } from '../plan/run-context.ts';
import type { Kind } from '../replay/write-results.ts';
import { columnOf } from '../sources/source.ts';
import type { CodedAnswers } from './code-answers.ts';
import type { DecidedTable } from './decide-table-groups.ts';
import type { TableContext } from './table-context.ts';

/** The kinds of verdicts. */
export interface Kinds {
  /** Common table expressions, the last of which is `results`: `coded` with the number of the kind, from 1. */
  readonly results: string;
  readonly kinds: readonly Kind[];
  /** The number of records of each kind. */
  readonly counts: readonly number[];
}

/** Returns the query for the kinds of all records. */
export function kindsOf<Found extends Decided>(
  context: TableContext,
  { coded, words }: CodedAnswers,
  { groups, dividedBy }: DecidedTable<Found>,
  kindOf: (verdict: Found, times: number) => Kind,
): Kinds {
  const known = new Dictionary<string>();
  const kinds: Kind[] = [];
  const counts: number[] = [];
  const [plain, byValue]: [LookupRow[], LookupRow[]] = [[], []];
  for (const { verdict, words: own, values, times } of groups) {
    const one = kindOf(verdict, times);
    const number = known.numberOf(`${one.series} ${one.listed}`);
    kinds[number] = one;
    counts[number] = (counts[number] ?? 0) + times;
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
  const joins = [
    ...(plain.length > 0 ? [{ alias: 'kg', sql: joined('kg', numbers, plain) }] : []),
    ...(byValue.length > 0 ? [{ alias: 'ku', sql: joined('ku', [...numbers, ...strings], byValue) }] : []),
  ];
  const kind = joins.map(({ alias }) => `coalesce(${alias}.kind, 0)`).join(' + ') || '0';
  const from = `coded ${joins.map(({ sql }) => sql).join(' ')}`;
  return { results: `${coded}, results as (select coded.*, ${kind} as kind from ${from})`, kinds, counts };
}
