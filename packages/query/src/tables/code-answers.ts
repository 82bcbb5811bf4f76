/** Answers the questions about records in a table: in SQL, or here, in which case queries have the answers as lookups. */
import type { EngineRow } from '../engines/engine.ts';
import { type PackedCode, packed, type Question } from '../questions/questions.ts';
import { decisiveInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import { type ClassifiedCodes, decisiveCodes } from './decisive-codes.ts';
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
  /** Returns how queries tell records of different classes apart. */
  readonly ofClasses: (groups: readonly ClassifiedWords[]) => Pick<CodedAnswers, 'parts' | 'words'> & {
    /** Returns the values of its words from those of all words. */
    readonly valuesOf: (words: readonly number[]) => readonly number[];
  };
  /** Throws `TableChanged` unless records with these words are as many as there were of each class. */
  readonly requireSameClasses: (groups: readonly CountedWords[]) => void;
}

/** Records with the same values of the words. */
interface CountedWords {
  readonly words: readonly number[];
  readonly times: number;
}

/** A group of records by the values of the words, and what is to be told of it. */
export interface ClassifiedWords extends Pick<ClassifiedCodes, 'class'> {
  readonly words: readonly number[];
}

/** Evaluates what decides: in the engine where that is exact, and otherwise once for each distinct combination of the values that it reads. */
export async function codeAnswers(context: TableContext): Promise<CodedAnswers> {
  const deciding = context.questions.filter(({ dimension }) => dimension === undefined);
  const groups: QuestionGroup[] = [];
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
  const terms = groups.flatMap(group => group.codes().map((code, at): Term => ({ ...code, group, at })));
  const words = wordsOf(terms);
  const placesOf = new Map(groups.map(group => [group, terms.flatMap((term, at) => (term.group === group ? at : []))]));
  const codesOf = (group: QuestionGroup, codes: readonly number[]) => placesOf.get(group)!.map(at => codes[at]!);
  const { parts, room } = dividedValues(context, groups, words);
  const partsWith = (own: readonly Word[]) =>
    parts.map(part => {
      const coded = codedSql(context, { groups, words: own, part });
      return (columns: readonly string[] = []) => `with ${recordsSql(context, true, columns)}, ${coded}`;
    });
  return {
    ...{ parts: partsWith(words), room, words: namesOf(words), records },
    decode: values => {
      const found = deciding.map(() => Number.NaN);
      const codes = codesIn(words, values);
      for (const group of groups)
        for (const [at, answer] of group.answersOf(codesOf(group, codes)).entries())
          found[deciding.indexOf(group.questions[at]!)] = answer;
      return found;
    },
    keySql: question => {
      const column = decisiveInputs(context, question.reads).map(columnOf).join();
      const group = groups.find(one => one instanceof AskedGroup && one.columns.join() === column);
      return group instanceof AskedGroup ? group.keySql(question) : undefined;
    },
    ofClasses: classified => {
      const found = classified.map(one => ({ codes: codesIn(words, one.words), class: one.class }));
      // All strings may be known to be plain by now.
      const now = terms.map(({ group, at }) => group.codes()[at]!);
      const needed = decisiveCodes(now, found);
      const own = wordsOf(needed.map(({ at, size, sqlOf }) => ({ ...terms[at]!, size, sqlOf })));
      const valuesOf = (values: readonly number[]) => {
        const codes = codesIn(words, values);
        const some = needed.map(({ at, valueIn }) => valueIn(codes[at]!));
        let from = 0;
        return own.map(word => word.reduce((sum, { factor }) => sum + some[from++]! * factor, 0));
      };
      return { parts: partsWith(own), words: namesOf(own), valuesOf };
    },
    requireSameClasses: found => {
      const counted = found.map(({ words: values, times }) => ({ codes: codesIn(words, values), times }));
      for (const group of groups) {
        const own = counted.map(({ codes, times }) => [codesOf(group, codes)[0] ?? 0, times] as const);
        group.requireSame(context, own);
      }
    },
  };
}

type QuestionGroup = ScannedGroup | AskedGroup;

/** A code of a group, or what is needed of it. */
interface Term extends Pick<Code, 'size'> {
  readonly group: QuestionGroup;
  /** Which code of the group it is. */
  readonly at: number;
  readonly sqlOf?: (code: Code) => string;
}

/** Codes in one integer. */
type Word = readonly (Term & PackedCode)[];

/** Returns at least one word. */
function wordsOf(terms: readonly Term[]): readonly Word[] {
  return terms.length === 0 ? [[]] : packed(terms);
}

function namesOf(words: readonly Word[]): readonly string[] {
  return words.map((_, at) => `w${at}`);
}

/** Returns the codes in the values of words. */
function codesIn(words: readonly Word[], values: readonly number[]): readonly number[] {
  return words.flatMap((word, at) => word.map(({ factor, size }) => Math.floor(values[at]! / factor) % size));
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

interface CodedPart {
  readonly groups: readonly QuestionGroup[];
  readonly words: readonly Word[];
  /** The values of each group that are looked up. */
  readonly part: readonly ValuePart[];
}

/** Returns the common table expression `coded`. */
function codedSql(context: TableContext, { groups, words, part }: CodedPart): string {
  const { time, session } = context;
  const codes = new Map(groups.map((group, at) => [group, group.codes(part[at])]));
  const terms = words.map((word, at) => {
    const sum = word.map(({ group, at: place, factor, sqlOf = ({ sql }) => sql }) => {
      const code = codes.get(group)![place]!;
      return `(${sqlOf(code)}) * ${factor}`;
    });
    return `${sum.join(' + ') || '0'} as w${at}`;
  });
  const needed = new Set(words.flatMap(word => word.map(({ group }) => group)));
  const joins = groups.map((group, at) => (needed.has(group) ? group.join(context, part[at]) : ''));
  const isIn = part.flatMap(({ count, number }, at) =>
    count === 1 ? [] : `${session.dialect.checksum!(joinedSql(groups[at]!.values))} % ${count} = ${number}`,
  );
  const where = isIn.length === 0 ? '' : ` where ${isIn.join(' and ')}`;
  const list = ['records.*', `${time.sql} as t`, ...terms].join(', ');
  return `coded as (select ${list} from records ${time.join} ${joins.join(' ')}${where})`;
}

/** Returns the values of each group that are looked up in each part of the records: all lookups together may be too long for a query. */
function dividedValues(
  context: TableContext,
  groups: readonly QuestionGroup[],
  words: readonly Word[],
): { readonly parts: readonly (readonly ValuePart[])[]; readonly room: number } {
  const { lookups } = context.thresholds;
  const lengthOf = (part: readonly ValuePart[]) => Buffer.byteLength(codedSql(context, { groups, words, part }));
  const { sql: most } = wholeColumns(context);
  const space = queryRoom(context) - Buffer.byteLength(recordsSql(context, true, most));
  let parts: readonly (readonly ValuePart[])[] = [groups.map(() => ALL_VALUES)];
  const isTooLong = lengthOf(parts[0]!) > space * SHARE_OF_VALUES || lookups !== undefined;
  if (isTooLong && context.session.dialect.checksum !== undefined) {
    const none = groups.map(() => NO_VALUES);
    const fixed = lengthOf(none);
    const lengths = none.map((_, at) => lengthOf(none.with(at, ALL_VALUES)) - fixed);
    parts = combinedParts(partCounts(lengths, lookups ?? space * SHARE_OF_VALUES - fixed));
  }
  // If there is none, the engine says how long its queries may be.
  const room = lookups ?? Math.max(space - Math.max(...parts.map(lengthOf)), queryRoom(context) / 10);
  return { parts, room };
}

/** The rest is for the kinds of groups. */
const SHARE_OF_VALUES = 0.7;

function joinedSql(strings: readonly string[]): string {
  return strings.length === 1 ? strings[0]! : `concat(${strings.join(', ')})`;
}

/** Reads the distinct values of all groups in one scan, and returns the number of records; undefined if no values have to be read. */
async function readDistinct(context: TableContext, groups: readonly QuestionGroup[]): Promise<number | undefined> {
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
function countedTogether(sets: readonly QuestionGroup[], columns: readonly string[]): string {
  const listed = sets.map(set => `(${set.columns.join(', ')})`);
  const grouping = sets.length > 1 ? `group by grouping sets (${listed.join(', ')})` : '';
  const by = sets.length === 1 ? `group by ${columns.join(', ')}` : grouping;
  return `select ${['count(*) as n', ...columns].join(', ')} from records ${by}`;
}

/** In characters: the engine repeats `records` in each scan, and users who may not change settings have queries of at most 50,000 elements. */
const MAX_APART = 100_000;

/** The same with a scan for each set, which groups values as they are in the table. */
function countedApart(sets: readonly QuestionGroup[], columns: readonly string[]): string {
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
