/** The kinds of records by their verdicts, on which figures by time and key depend, and how queries tell the kind of a record. */
import type { LookupColumn, LookupRow } from '../engines/engine.ts';
import type { Kind } from '../questions/paired-policies.ts';
import { Dictionary } from '../questions/questions.ts';
import type { Decided } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import type { ClassifiedWords, CodedAnswers } from './code-answers.ts';
import type { DecidedRecords, DecidedTable } from './decide-table-groups.ts';
import { chunksOf } from './query-parts.ts';
import type { TableContext } from './records-sql.ts';

/** The kinds of verdicts. */
export interface Kinds {
  /**
   * For each part of the records: returns common table expressions, the last of which is `results`: `coded` with the number of the kind, from 1. More
   * columns are in SQL in terms of the table.
   */
  readonly parts: readonly ((columns?: readonly string[]) => string)[];
  /** How long other lookups of a query may be, in bytes. */
  readonly room: number;
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
  coded: CodedAnswers,
  { groups, leftOut, dividedBy }: DecidedTable<Found>,
  kindOf: (verdict: Found, times: number) => Kind,
): Kinds {
  const known = new Dictionary<string>();
  const kinds: Kind[] = [];
  const counts: number[] = [];
  const [timed, kindOfGroup]: [number[], number[]] = [[], []];
  const divided = new Dictionary<string>();
  // Groups that are divided are told from all others, and those that are not selected from all kinds.
  const classOf = ({ words, values }: DecidedRecords, number: number): ClassifiedWords => ({
    ...{ words, class: values === undefined ? number : -2 - divided.numberOf(words.join()) },
  });
  const classified = leftOut.map(group => classOf(group, -1));
  for (const group of groups) {
    const { verdict, times, intervals } = group;
    const one = kindOf(verdict, times);
    const number = known.numberOf(`${one.series} ${one.listed}`);
    kinds[number] = one;
    counts[number] = (counts[number] ?? 0) + times;
    timed[number] = (timed[number] ?? 0) + times - (intervals.get(null) ?? 0);
    kindOfGroup.push(number);
    classified.push(classOf(group, number));
  }
  const { parts, words, valuesOf } = coded.ofClasses(classified);
  const rows = groups.map((group, at) => {
    const row: LookupRow = [...valuesOf(group.words), ...(group.values ?? []), kindOfGroup[at]! + 1];
    return { parts: group.parts, isByValue: group.values !== undefined, row };
  });
  const results = parts.map((_, part) => {
    const own = rows.filter(one => one.parts.has(part));
    const [byValue, plain] = [true, false].map(is => {
      const some = own.flatMap(({ isByValue, row }) => (isByValue === is ? [row] : []));
      return [...new Map(some.map(row => [JSON.stringify(row), row])).values()];
    });
    return kindLookups(context, { plain: plain!, byValue: byValue!, dividedBy, words, room: coded.room });
  });
  return {
    parts: parts.flatMap((codedWith, part) =>
      results[part]!.sql.map(sql => (columns?: readonly string[]) => `${codedWith(columns)}, ${sql}`),
    ),
    room: Math.min(...results.map(one => one.room)),
    ...{ kinds, counts, timed, kindOfGroup },
  };
}

interface KindLookups extends Pick<CodedAnswers, 'words' | 'room'>, Pick<DecidedTable, 'dividedBy'> {
  /** The words of groups, the values that divide them, and their kinds. */
  readonly plain: readonly LookupRow[];
  readonly byValue: readonly LookupRow[];
}

/** Returns the common table expression `results`, or one for each part of the groups: all may be too long for a query. */
function kindLookups(
  context: TableContext,
  { plain, byValue, dividedBy, words, room }: KindLookups,
): { readonly sql: readonly string[]; readonly room: number } {
  const { lookup, codeOf } = context.session.dialect;
  const numbers = words.map(name => ({ name, type: 'integer' }) as const);
  const strings = dividedBy.map(input => ({ name: columnOf(input), type: 'text' }) as const);
  // ClickHouse renames the columns of `coded.*` whose names occur in what it joins.
  const ownOf = (columns: readonly LookupColumn[]): readonly LookupColumn[] => [
    ...columns.map(({ type }, at) => ({ name: `v${at}`, type })),
    { name: 'kind', type: 'integer' },
  ];
  const joined = (alias: string, columns: readonly LookupColumn[], rows: readonly LookupRow[]) => {
    const matches = columns.map(({ name }, at) => `${alias}.v${at} = coded.${name}`).join(' and ');
    return `join ${lookup(alias, ownOf(columns), rows)} on ${matches}`;
  };
  const [most, left] = [room * SHARE_OF_KINDS, room * (1 - 2 * SHARE_OF_KINDS)];
  const all = [
    { columns: numbers, rows: plain },
    { columns: [...numbers, ...strings], rows: byValue },
  ].map(one => ({ ...one, chunks: chunksOf(context, { columns: ownOf(one.columns), rows: one.rows, most }) }));
  if (all.some(({ chunks }) => chunks.length > 1)) {
    const chunks = all.flatMap(({ columns, chunks }) => chunks.map(rows => joined('kg', columns, rows)));
    return { sql: chunks.map(join => `results as (select coded.*, kg.kind as kind from coded ${join})`), room: left };
  }
  const [word, ...more] = words;
  const codes = plain.map(([value, number]) => [Number(value), Number(number)] as const);
  const coding = more.length === 0 ? codeOf?.(`coded.${word}`, codes, { ofNull: 0, ofOthers: 0 }) : undefined;
  const joins = [
    ...(plain.length > 0 && coding === undefined ? [{ alias: 'kg', sql: joined('kg', numbers, plain) }] : []),
    ...(byValue.length > 0 ? [{ alias: 'ku', sql: joined('ku', [...numbers, ...strings], byValue) }] : []),
  ];
  const kind =
    [...(coding === undefined ? [] : [coding]), ...joins.map(({ alias }) => `coalesce(${alias}.kind, 0)`)].join(
      ' + ',
    ) || '0';
  const from = ['coded', ...joins.map(({ sql }) => `left ${sql}`)].join(' ');
  return { sql: [`results as (select coded.*, ${kind} as kind from ${from})`], room: left };
}

/** The rest is for other lookups. Two may be in one query. */
const SHARE_OF_KINDS = 0.4;
