/** Answers the questions about records in a table: in SQL, or here, in which case queries have the answers as lookups. */
import type { EngineRow } from '../engines/engine.ts';
import { type PackedCode, packed, type Question } from '../questions/questions.ts';
import { decisiveInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import { ALL_VALUES, combinedParts, NO_VALUES, partCounts, queryRoom, type ValuePart } from './query-parts.ts';
import { AskedGroup, type Code, isComparable, ScannedGroup } from './question-groups.ts';
import { recordsSql, type TableContext, wholeColumns } from './records-sql.ts';

/** How queries tell the answers to all questions that decide. */
export interface CodedAnswers {
  /**
   * For each part of the records, at least one: returns common table expressions, the last of which is `coded`: `records` with the time `t` and integers
   * that together tell the answers. More columns of `records` are in SQL in terms of the table.
   */
  readonly parts: readonly ((columns?: readonly string[]) => string)[];
  /** How long other lookups of a query may be, in bytes. */
  readonly room: number;
  readonly words: readonly string[];
  /** Returns the answers, in the order of the questions that decide, from the values of the words. */
  readonly decode: (values: readonly number[]) => readonly number[];
  /** The number of records, if that is known. */
  readonly records: number | undefined;
  /**
   * Returns the answer to a question for a key in SQL, in terms of `coded`: `=` and the key, `UNKNOWN_KEY`, or `UNREAD_KEY` for values
   * that nobody has read; undefined if lookups are no way to find it.
   */
  readonly keySql: (question: Question) => string | undefined;
  /** Throws `TableChanged` unless records with these words are as many as there were of each class. */
  readonly requireSameClasses: (groups: readonly CountedWords[]) => void;
}

/** Records with the same values of the words. */
interface CountedWords {
  readonly words: readonly number[];
  readonly times: number;
}

/** Evaluates what decides: in the engine where that is exact, and otherwise once for each distinct combination of the values that it reads. */
export async function codeAnswers(context: TableContext): Promise<CodedAnswers> {
  const deciding = context.questions.filter(({ dimension }) => dimension === undefined);
  const groups: (ScannedGroup | AskedGroup)[] = [];
  const byInputs = Map.groupBy(deciding, ({ reads }) => decisiveInputs(context, reads).join());
  for (const questions of byInputs.values()) {
    const inputs = decisiveInputs(context, questions[0]!.reads);
    const scanned = context.plain.get(inputs.join())?.scanned(questions);
    if (scanned !== undefined) groups.push(new ScannedGroup(context, scanned, groups.length));
    const asked = questions.filter(question => scanned?.questions.includes(question) !== true);
    if (asked.length > 0) groups.push(new AskedGroup(context, { questions: asked, inputs, at: groups.length }));
  }
  for (const input of onlyListed(context, byInputs))
    groups.push(new AskedGroup(context, { questions: [], inputs: [input], at: groups.length }));
  const records = await readDistinct(context, groups);
  const codes = groups.flatMap(group => group.codes().map((code, at) => ({ ...code, group, at })));
  // There is at least one word.
  const words = codes.length === 0 ? [[]] : packed(codes);
  return {
    ...codedParts(context, groups, words),
    words: words.map((_, at) => `w${at}`),
    decode: values => {
      const found = deciding.map(() => Number.NaN);
      const codes = codesIn(words, values);
      for (const group of groups)
        for (const [at, answer] of group.answersOf(codes.get(group) ?? []).entries())
          found[deciding.indexOf(group.questions[at]!)] = answer;
      return found;
    },
    records,
    keySql: question => {
      const column = decisiveInputs(context, question.reads).map(columnOf).join();
      const group = groups.find(one => one instanceof AskedGroup && one.columns.join() === column);
      return group instanceof AskedGroup ? group.keySql(question) : undefined;
    },
    requireSameClasses: found => {
      const counted = found.map(({ words: values, times }) => ({ codes: codesIn(words, values), times }));
      for (const group of groups) {
        const own = counted.map(({ codes, times }) => [codes.get(group)?.[0] ?? 0, times] as const);
        group.requireSame(context, own);
      }
    },
  };
}

/** Returns the inputs that nothing but keys depends on, where lookups of their few values find the keys. */
function onlyListed(context: TableContext, deciding: ReadonlyMap<string, unknown>): readonly number[] {
  const { questions, plain, source, thresholds } = context;
  const { dialect } = context.session;
  if (dialect.codeOf === undefined || dialect.ranked === undefined) return [];
  const listed = questions.filter(({ dimension }) => dimension !== undefined);
  const inputs = new Set(
    listed.flatMap(({ reads }) => {
      const [input, ...more] = decisiveInputs(context, reads);
      const isNew = input !== undefined && more.length === 0 && !deciding.has(`${input}`) && !plain.has(`${input}`);
      return isNew ? input : [];
    }),
  );
  return [...inputs].filter(input => {
    const own = source.layout.inputs.all[input]!;
    const values = source.sample.map(record => (own.kind === 'member' ? record[own.name] : record));
    return isComparable(source, input) && new Set(values).size < thresholds.values;
  });
}

/** Returns how queries tell the answers in each part of the records: all lookups together may be too long for a query. */
function codedParts(
  context: TableContext,
  groups: readonly (ScannedGroup | AskedGroup)[],
  words: readonly (readonly Term[])[],
): Pick<CodedAnswers, 'parts' | 'room'> {
  const { time } = context;
  const { checksum } = context.session.dialect;
  const { lookups } = context.thresholds;
  const codedIn = (parts: readonly ValuePart[]) => {
    const codes = new Map(groups.map((group, at) => [group, group.codes(parts[at])]));
    const terms = words.map((word, at) => {
      const sum = word.map(({ group, at: place, factor }) => `(${codes.get(group)![place]!.sql}) * ${factor}`);
      return `${sum.join(' + ') || '0'} as w${at}`;
    });
    const joins = groups.map((group, at) => group.join(context, parts[at]));
    const isIn = parts.flatMap(({ count, number }, at) =>
      count === 1 ? [] : `${checksum!(joinedSql(groups[at]!.values))} % ${count} = ${number}`,
    );
    const where = isIn.length === 0 ? '' : ` where ${isIn.join(' and ')}`;
    const list = ['records.*', `${time.sql} as t`, ...terms].join(', ');
    return `coded as (select ${list} from records ${time.join} ${joins.join(' ')}${where})`;
  };
  const { sql: most } = wholeColumns(context);
  const space = queryRoom(context) - Buffer.byteLength(recordsSql(context, true, most));
  let all = [codedIn(groups.map(() => ALL_VALUES))];
  const [whole] = all.map(sql => Buffer.byteLength(sql));
  if ((whole! > space * SHARE_OF_VALUES || lookups !== undefined) && checksum !== undefined) {
    const none = groups.map(() => NO_VALUES);
    const fixed = Buffer.byteLength(codedIn(none));
    const lengths = none.map((_, at) => Buffer.byteLength(codedIn(none.with(at, ALL_VALUES))) - fixed);
    all = combinedParts(partCounts(lengths, lookups ?? space * SHARE_OF_VALUES - fixed)).map(codedIn);
  }
  return {
    parts: all.map(
      coded =>
        (columns = []) =>
          `with ${recordsSql(context, true, columns)}, ${coded}`,
    ),
    // If there is none, the engine says how long its queries may be.
    room: lookups ?? Math.max(space - Math.max(...all.map(sql => Buffer.byteLength(sql))), queryRoom(context) / 10),
  };
}

/** The rest is for the kinds of groups. */
const SHARE_OF_VALUES = 0.7;

function joinedSql(strings: readonly string[]): string {
  return strings.length === 1 ? strings[0]! : `concat(${strings.join(', ')})`;
}

/** Reads the distinct values of all groups in one scan, and returns the number of records; undefined if no values have to be read. */
async function readDistinct(
  context: TableContext,
  groups: readonly (ScannedGroup | AskedGroup)[],
): Promise<number | undefined> {
  const { session } = context;
  for (const group of groups) if (group.columns.length === 0) group.add(context, [], 0);
  const sets = groups.filter(group => group.columns.length > 0 && group.isRead);
  if (sets.length === 0 && groups.some(group => !group.isRead)) return undefined;
  const columns = [...new Set(sets.flatMap(set => set.columns))];
  const isScanned = sets.some(set => set instanceof ScannedGroup);
  const records = recordsSql(context, isScanned);
  const isApart = session.dialect.groupsRaw === true && sets.length * records.length <= MAX_APART;
  const query = `with ${records} ${isApart ? countedApart(sets, columns) : countedTogether(sets, columns)}`;
  const places = sets.map(set => set.columns.map(column => columns.indexOf(column) + 1));
  let total = 0;
  for await (const rows of session.batches(query))
    for (const row of rows) {
      const at = places.findIndex(own => isOfSet(row, own));
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

/** Returns the query that counts each of several sets of columns: after the count, columns that a set lacks are null or empty. */
function countedTogether(sets: readonly (ScannedGroup | AskedGroup)[], columns: readonly string[]): string {
  const listed = sets.map(set => `(${set.columns.join(', ')})`);
  const grouping = sets.length > 1 ? `group by grouping sets (${listed.join(', ')})` : '';
  const by = sets.length === 1 ? `group by ${columns.join(', ')}` : grouping;
  return `select ${['count(*) as n', ...columns].join(', ')} from records ${by}`;
}

/** In characters: the engine repeats `records` in each scan, and users who may not change settings have queries of at most 50,000 elements. */
const MAX_APART = 100_000;

/** The same with a scan for each set, which groups values as they are in the table. */
function countedApart(sets: readonly (ScannedGroup | AskedGroup)[], columns: readonly string[]): string {
  if (sets.length === 0) return countedTogether(sets, columns);
  const ofSets = sets.map(({ columns: own, raw }) => {
    const by = raw?.column ?? own.join(', ');
    const shown = columns.map(name => (own.includes(name) ? (raw?.encoded ?? name) : `''`));
    return `select n, ${shown.join(', ')} from (select count(*) as n, ${by} from records group by ${by}) counted`;
  });
  return ofSets.join(' union all ');
}

/** Whether a row, which begins with a count, is of the grouping set with these columns: no encoded value is empty, and those of other sets are. */
export function isOfSet(row: EngineRow, own: readonly number[]): boolean {
  return row.every((value, place) => place === 0 || (value !== null && value !== '') === own.includes(place));
}

/** The part of a word that has a code of one group. */
interface Term extends Code, PackedCode {
  readonly group: ScannedGroup | AskedGroup;
  /** Which code of the group it is. */
  readonly at: number;
}

/** Returns the codes of each group in the values of words. */
function codesIn(words: readonly (readonly Term[])[], values: readonly number[]): ReadonlyMap<Term['group'], number[]> {
  const codes = new Map<Term['group'], number[]>();
  for (const [at, word] of words.entries())
    for (const { group, factor, size } of word) {
      const code = Math.floor(values[at]! / factor) % size;
      codes.set(group, [...(codes.get(group) ?? []), code]);
    }
  return codes;
}
