/** Answers the questions about records in a table: in SQL, or here, in which case queries have the answers as lookups. */
import type { EngineRow, LookupRow } from '../engines/engine.ts';
import { Dictionary, type PackedCode, packed, type Question } from '../questions/questions.ts';
import { decisiveInputs, Growth, moveToRow, NOWHERE, RowInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import {
  ALL_VALUES,
  combinedParts,
  isInPart,
  NO_VALUES,
  partCounts,
  queryRoom,
  type ValuePart,
} from './query-parts.ts';
import { rawColumnOf, recordsSql, type TableContext, wholeColumns } from './records-sql.ts';
import { PLAIN, type ScannedConditions } from './scanned-conditions.ts';
import { NOTHING } from './table-source.ts';

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
   * Returns the answer to a question for a key in SQL, in terms of `coded`: `=` and the key, {@link UNKNOWN_KEY}, or {@link UNREAD_KEY} for values
   * that nobody has read; undefined if lookups are no way to find it.
   */
  readonly keySql: (question: Question) => string | undefined;
  /** Throws {@link TableChanged} unless records with these words are as many as there were of each class. */
  readonly requireSameClasses: (groups: readonly CountedWords[]) => void;
}

/** Stands for a key that is unknown. */
export const UNKNOWN_KEY = '-';
/** Stands for the keys of values that are not read. */
export const UNREAD_KEY = '?';

/** Strings that engines order by code point, and not by code unit. */
export const SPECIAL = /[\ud800-\udfff]/;

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

/** An integer in SQL, from 0 to below `size`, that tells answers. */
interface Code {
  readonly sql: string;
  readonly size: number;
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

/** A column of a table, and its encoded value in SQL. */
interface RawColumn {
  readonly column: string;
  readonly encoded: string;
}

/** Whether values that are the same as strings are the same in the table. */
function isComparable({ kindOf }: TableContext['source'], input: number): boolean {
  return ['text', 'number', 'address'].includes(kindOf(input)!);
}

/** Stands for what is not UTF-8. */
const MANGLED = '\ufffd';

/** How many values are read before the class that is not looked up is chosen: the most frequent one. */
const FIRST = 10_000;

interface Asked {
  readonly questions: readonly Question[];
  /** Numbers of the inputs that they read. */
  readonly inputs: readonly number[];
  /** Tells groups apart. */
  readonly at: number;
}

/** The answers to questions that read the same inputs, for each distinct combination of their values. */
class AskedGroup {
  readonly questions: readonly Question[];
  readonly isRead = true;
  readonly columns: readonly string[];
  readonly #at: number;
  readonly #context: TableContext;
  /** The answers by class. */
  readonly #classes: (readonly number[])[] = [];
  readonly #rows: RowInputs;
  readonly #known = new Dictionary<string>();
  /** The values of each class; none for the one that is not looked up, once that is known. */
  readonly #values: (string[][] | undefined)[] = [];
  /** The number of records of each class. */
  readonly #counts: number[] = [];
  #count = 0;
  #usual: number | undefined;
  #isMangled = false;

  constructor(context: TableContext, { questions, inputs, at }: Asked) {
    this.questions = questions;
    this.#at = at;
    this.#context = context;
    this.#rows = new RowInputs(inputs);
    this.columns = this.#rows.inputs.map(columnOf);
  }

  add(context: TableContext, values: string[], times: number): void {
    moveToRow(context, { inputs: this.#rows, values });
    const exchange = context.exchangeAt(NOWHERE);
    const answers = this.questions.map(({ reads, ask }) => Number(context.record.watch(reads, () => ask(exchange))));
    const number = this.#known.numberOf(answers.join());
    if (number === this.#classes.length) {
      this.#classes.push(answers);
      this.#values.push([]);
      this.#counts.push(0);
    }
    this.#counts[number]! += times;
    this.#isMangled ||= values.some(value => value.includes(MANGLED));
    this.#values[number]?.push(values);
    if (++this.#count < FIRST || this.#usual !== undefined) return;
    this.#chooseUsual();
    this.#values[this.#usual!] = undefined;
  }

  #chooseUsual(): void {
    const sizes = this.#values.map(values => values!.length);
    this.#usual = sizes.indexOf(Math.max(...sizes));
  }

  /** The only column as it is in the table, and what is encoded of it: strings that are not UTF-8 may have the same encoded value. */
  get raw(): RawColumn | undefined {
    const [input, ...more] = this.#rows.inputs;
    const { source } = this.#context;
    if (input === undefined || more.length > 0 || !isComparable(source, input)) return undefined;
    return { column: rawColumnOf(input), encoded: source.encode(input, rawColumnOf(input)) };
  }

  /** What records are divided by. */
  get values(): readonly string[] {
    return this.columns.map(column => `records.${column}`);
  }

  codes(part = ALL_VALUES): readonly Code[] {
    const size = this.#classes.length;
    if (size <= 1) return [];
    return [{ sql: this.#isJoined ? `coalesce(m${this.#at}.a, 0)` : this.#codeSql(part), size }];
  }

  get #isJoined(): boolean {
    return this.#context.session.dialect.codeOf === undefined || this.columns.length > 1;
  }

  #codeSql(part: ValuePart): string {
    const codes = this.#lookupsIn(part).map(([value, code]) => [String(value), Number(code)] as const);
    return this.#lookUp(codes, 0);
  }

  /** Returns the answers to a question about keys, as `CodedAnswers.keySql` does. */
  keySql({ reads, ask }: Question): string | undefined {
    const context = this.#context;
    const isKnown = this.#values.length > 0 && !this.#values.includes(undefined);
    if (this.#isJoined || this.columns.length !== 1 || !isKnown) return undefined;
    const keys = this.#values.flatMap(values =>
      values!.map(value => {
        moveToRow(context, { inputs: this.#rows, values: value });
        const key = context.record.watch(reads, () => ask(context.exchangeAt(NOWHERE)));
        return [value[0]!, typeof key === 'string' ? `=${key}` : UNKNOWN_KEY] as const;
      }),
    );
    return keys.some(([, key]) => SPECIAL.test(key)) ? undefined : this.#lookUp(keys, UNREAD_KEY);
  }

  /** Engines look up values as they are in the table faster than encoded ones, which tell apart no strings that are not UTF-8. */
  #lookUp<Code extends string | number>(codes: readonly (readonly [string, Code])[], ofOthers: Code): string {
    const { source, session } = this.#context;
    const [input] = this.#rows.inputs;
    const { codeOf } = session.dialect;
    if (!isComparable(source, input!) || this.#isMangled)
      return codeOf!(this.columns[0]!, codes, { ofNull: ofOthers, ofOthers });
    const ofValues = codes.flatMap(([value, code]) => (value === NOTHING ? [] : [[value.slice(1), code] as const]));
    const ofNull = codes.find(([value]) => value === NOTHING)?.[1] ?? ofOthers;
    return codeOf!(rawColumnOf(input!), ofValues, { ofNull, ofOthers });
  }

  /** The values with codes other than 0. */
  #lookupsIn(part: ValuePart): readonly LookupRow[] {
    if (this.#usual === undefined) this.#chooseUsual();
    const others = this.#values.filter((_, at) => at !== this.#usual);
    return others.flatMap((values, at) =>
      values!.filter(value => isInPart(value, part)).map((value): LookupRow => [...value, at + 1]),
    );
  }

  /** How many codes there are, if values are read. */
  get size(): number {
    return this.#classes.length;
  }

  /** @param code 0 for values that are not looked up */
  answersOf([code = 0]: readonly number[]): readonly number[] {
    return this.#inCodeOrder(this.#classes)[code]!;
  }

  requireSame(_: TableContext, codes: readonly (readonly [code: number, times: number])[]): void {
    const expected = this.#inCodeOrder(this.#counts);
    const counts = expected.map(() => 0);
    for (const [code, times] of codes) counts[code]! += times;
    // Without columns, nothing was counted.
    if (this.columns.length > 0) for (const [code, count] of counts.entries()) requireSame(expected[code]!, count);
  }

  #inCodeOrder<Item>(ofClasses: readonly Item[]): readonly Item[] {
    if (ofClasses.length === 0) return [];
    if (this.#usual === undefined) this.#chooseUsual();
    return [ofClasses[this.#usual!]!, ...ofClasses.filter((_, at) => at !== this.#usual)];
  }

  /** Returns the join with the codes of values, as its column `a`; nothing if there is only one. */
  join({ session: { dialect } }: TableContext, part = ALL_VALUES): string {
    if (this.#classes.length <= 1 || !this.#isJoined) return '';
    const alias = `m${this.#at}`;
    const columns = this.columns.map((_, at) => ({ name: `v${at}`, type: 'text' }) as const);
    const lookup = dialect.lookup(alias, [...columns, { name: 'a', type: 'integer' }], this.#lookupsIn(part));
    const matches = this.columns.map((column, at) => `${alias}.v${at} = records.${column}`);
    return `left join ${lookup} on ${matches.join(' and ')}`;
  }
}

/** The answers to questions that the engine evaluates where values are plain; others are asked for. */
class ScannedGroup {
  readonly questions: readonly Question[];
  /** Whether values that are not plain are read. */
  readonly isRead: boolean;
  readonly #scanned: ScannedConditions;
  readonly #others: AskedGroup;
  #plain = 0;

  constructor(context: TableContext, scanned: ScannedConditions, at: number) {
    this.questions = scanned.questions;
    this.isRead = scanned.plain.othersAreRead;
    this.#scanned = scanned;
    this.#others = new AskedGroup(context, { questions: this.questions, inputs: [scanned.plain.input], at });
  }

  readonly raw: RawColumn | undefined;

  get columns(): readonly string[] {
    return [this.#scanned.plain.other];
  }

  add(context: TableContext, [value]: string[], times: number): void {
    if (value === PLAIN) this.#plain += times;
    else this.#others.add(context, [value!], times);
  }

  get values(): readonly string[] {
    return this.#others.values;
  }

  /** The first one has results, or what is not plain after all of them. */
  codes(part = ALL_VALUES): readonly Code[] {
    const { codes, plain } = this.#scanned;
    const others = this.#others.codes(part)[0]?.sql ?? '0';
    return codes.map(({ sql, size }, at) => {
      const other = at === 0 ? `${size} + ${others}` : '0';
      return {
        sql: `${plain.flag} * (${sql}) + (1 - ${plain.flag}) * (${other})`,
        size: size + (at === 0 ? Math.max(1, this.#others.size) : 0),
      };
    });
  }

  answersOf(codes: readonly number[]): readonly number[] {
    const other = this.#otherCode(codes[0]!);
    return other < 0 ? this.#scanned.answersTo(codes) : this.#others.answersOf([other]);
  }

  #otherCode(code: number): number {
    return code - this.#scanned.codes[0]!.size;
  }

  requireSame(context: TableContext, codes: readonly (readonly [code: number, times: number])[]): void {
    const others = codes.flatMap(([code, times]) => {
      const other = this.#otherCode(code);
      return other < 0 ? [] : [[other, times] as const];
    });
    if (this.isRead) {
      this.#others.requireSame(context, others);
      const times = (all: readonly (readonly [number, number])[]) => all.reduce((sum, [, one]) => sum + one, 0);
      requireSame(this.#plain, times(codes) - times(others));
    } else if (others.some(([, times]) => times > 0)) {
      this.#scanned.plain.readOthers();
      throw new Growth();
    }
  }

  join(context: TableContext, part = ALL_VALUES): string {
    return this.#others.join(context, part);
  }
}
