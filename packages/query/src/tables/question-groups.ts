/** Questions that read the same inputs, and the codes by which queries tell the answers: lookups of values, or what the engine evaluates. */
import type { LookupRow } from '../engines/engine.ts';
import { Dictionary, type Question } from '../questions/questions.ts';
import { Growth, moveToRow, NOWHERE, RowInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import { ALL_VALUES, isInPart, type ValuePart } from './query-parts.ts';
import { rawColumnOf, requireSame, type TableContext } from './records-sql.ts';
import { PLAIN, type ScannedConditions } from './scanned-conditions.ts';
import { NOTHING } from './table-source.ts';

/** An integer in SQL, from 0 to below `size`, that tells answers. */
export interface Code {
  readonly sql: string;
  readonly size: number;
  /** If values below a power of two are bits: how many, and the SQL of only some, with the other values or without. */
  readonly bits?: { readonly count: number; readonly only: (bits: readonly number[], hasOthers: boolean) => string };
}

/** Stands for a key that is unknown. */
export const UNKNOWN_KEY = '-';
/** Stands for the keys of values that are not read. */
export const UNREAD_KEY = '?';

/** Strings that engines order by code point, and not by code unit. */
export const SPECIAL = /[\ud800-\udfff]/;

/** A column of a table, and its encoded value in SQL. */
interface RawColumn {
  readonly column: string;
  readonly encoded: string;
}

/** Whether values that are the same as strings are the same in the table. */
export function isComparable({ kindOf }: TableContext['source'], input: number): boolean {
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
export class AskedGroup {
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
    return others.flatMap((values, at) => {
      // Those that are not UTF-8 may have the same encoded value.
      const different = this.#isMangled ? new Map(values!.map(value => [value.join('\0'), value])).values() : values!;
      return [...different].filter(value => isInPart(value, part)).map((value): LookupRow => [...value, at + 1]);
    });
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
    const encoded = this.#lookupsIn(part);
    const areRaw = columns.map((_, at) => this.#isJoinedRaw(at, encoded));
    const rows = areRaw.includes(true)
      ? encoded.map(row => row.map((value, at) => (areRaw[at] ? String(value).slice(1) : value)))
      : encoded;
    const lookup = dialect.lookup(alias, [...columns, { name: 'a', type: 'integer' }], rows);
    const matches = this.columns.map(
      (column, at) => `${alias}.v${at} = records.${areRaw[at] ? rawColumnOf(this.#rows.inputs[at]!) : column}`,
    );
    return `left join ${lookup} on ${matches.join(' and ')}`;
  }

  /** Whether values of a column are joined as they are in the table: nulls are not looked up. */
  #isJoinedRaw(column: number, rows: readonly LookupRow[]): boolean {
    const { session, source } = this.#context;
    return (
      session.dialect.groupsRaw === true &&
      !this.#isMangled &&
      source.kindOf(this.#rows.inputs[column]!) === 'text' &&
      rows.every(row => row[column] !== NOTHING)
    );
  }
}

/** The answers to questions that the engine evaluates where values are plain; others are asked for. */
export class ScannedGroup {
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
    return codes.map(({ sql, size, only }, at) => {
      const withOther = (own: string, end: number) =>
        `${plain.flag} * (${own}) + (1 - ${plain.flag}) * (${at === 0 ? `${end} + ${others}` : '0'})`;
      const bits = only && {
        count: Math.log2(size),
        only: (some: readonly number[], hasOthers: boolean) => {
          const own = some.length === 0 ? '0' : only(some);
          if (hasOthers) return withOther(own, 2 ** some.length);
          return plain.areAllPlain ? own : `${plain.flag} * (${own})`;
        },
      };
      return {
        ...{ sql: withOther(sql, size), size: size + (at === 0 ? Math.max(1, this.#others.size) : 0) },
        ...(bits && { bits }),
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
      this.#scanned.plain.areAllPlain = this.#others.size === 0;
    } else if (others.some(([, times]) => times > 0)) {
      this.#scanned.plain.readOthers();
      throw new Growth();
    } else this.#scanned.plain.areAllPlain = true;
  }

  join(context: TableContext, part = ALL_VALUES): string {
    return this.#others.join(context, part);
  }
}
