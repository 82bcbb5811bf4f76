/**
 * Conditions that the engine evaluates itself, as the bits of integers, where the values that they read are of a plain form. Other values are
 * answered one by one, as those of all other conditions.
 */
import { conditionColumns, type Stage } from '@tollgate/compile';
import { type ImpactDimension, MAX_KEY_LENGTH } from '@tollgate/simulator';
import type { EngineSession } from '../engines/engine.ts';
import { isPlainSql, type PlainForm, type StringSql } from '../questions/plain-forms.ts';
import type { Question } from '../questions/questions.ts';
import { type KnownValue, knownValue, sourcesOf, testedQuestions } from '../questions/reduction.ts';
import { type AskingContext, type Decided, decisiveInputs } from '../questions/run-context.ts';
import { columnOf } from '../recordings/source.ts';
import { type ConditionCode, conditionCodes, type LookupThresholds } from './condition-codes.ts';
import { queryRoom } from './query-parts.ts';
import type { TableSource } from './table-source.ts';

/** What finding out about columns needs. */
export interface ScanContext<Found extends Decided = Decided> extends AskingContext<Found> {
  readonly session: EngineSession;
  readonly source: TableSource;
  /** The columns of which values that are not plain are read. */
  readonly othersRead: Set<string>;
  /** The share of different values among all rows, by input, where that was asked for. */
  readonly shares: Map<number, number>;
  readonly thresholds: Thresholds;
}

/** Where one way of counting begins to take less time than another, in figures of the sample. */
export interface Thresholds extends LookupThresholds {
  /** With so many values in a column, the engine evaluates conditions itself, if it can. */
  readonly values: number;
  /** Up to so many combinations of answers, each is counted by interval; with more, each kind of verdict is, in another scan. */
  readonly combinations: number;
  /** With such a share of different values among all rows, an engine evaluates conditions itself that takes long for each row. */
  readonly share: number;
  /** How long each kind of lookup in a query may be, in bytes; by default, so that the engine accepts the query. */
  readonly lookups?: number;
}

/** Conditions as the bits of integers. */
export interface ScannedConditions {
  readonly plain: PlainColumn;
  readonly questions: readonly Question[];
  /** Integers that tell the results, where values are plain; at least one. */
  readonly codes: readonly ConditionCode[];
  /** Returns the answers to the questions. */
  readonly answersTo: (codes: readonly number[]) => readonly number[];
}

/** Stands for all values that are plain. No encoded value is the same. */
export const PLAIN = '+';

/** With more, distinct values take less time, unless nearly all values differ: then each row would travel. Lookups decide many tests at once. */
const MAX_TESTS = { repeating: 400, differentOrLookedUp: 4000 };

/** The share of values in the sample from which on nearly all values differ. */
const DIFFERENT = 0.9;

/** A column with strings about which SQL knows something, if they are plain. */
export class PlainColumn {
  /** The column. */
  readonly input: number;
  /** The string, never null, as a column. */
  readonly text: string;
  /** A column that is 1 where the string is plain, and otherwise 0. */
  readonly flag: string;
  /** A column with the encoded input, {@link PLAIN} where the string is plain. */
  readonly other: string;
  /** Whether a scan has found that all strings are plain, so that others need not test it. */
  areAllPlain = false;
  readonly #context: ScanContext;
  readonly #known: KnownValue & { readonly form: PlainForm };
  readonly #strings: StringSql;
  readonly #most: number;
  #tests: readonly Stage[] = [];

  constructor(
    context: ScanContext,
    known: KnownValue & { readonly form: PlainForm },
    { input, distinct }: { readonly input: number; readonly distinct: number },
  ) {
    this.#context = context;
    this.#known = known;
    this.#strings = context.session.dialect.strings!;
    const isMany = this.#strings.lookup !== undefined || distinct >= DIFFERENT * context.source.sample.length;
    this.#most = MAX_TESTS[isMany ? 'differentOrLookedUp' : 'repeating'];
    this.input = input;
    this.text = `${this.#strings.textOf(context.source.rawOf(input))} as ${this.#string}`;
    this.flag = this.#name('plain');
    this.other = this.#name('other');
  }

  get #string(): string {
    return `x${this.input}`;
  }

  #name(what: string): string {
    return `${this.#string}_${what}`;
  }

  /** Returns the key of a dimension in SQL, and when it is the one of an exchange; undefined if nothing is known. */
  keyOf(dimension: ImpactDimension): { readonly sql: string; readonly isPlain: string } | undefined {
    const part = this.#known.form.keys[dimension];
    if (part === undefined) return undefined;
    const sql = this.#name(part);
    return { sql, isPlain: `${this.areAllPlain ? '' : `${this.flag} = 1 and `}length(${sql}) <= ${MAX_KEY_LENGTH}` };
  }

  /** Columns, each stage in a query over the one before. */
  get stages(): readonly Stage[] {
    const { form } = this.#known;
    const isPlain = isPlainSql(form, this.#string, this.#strings);
    const parts = Object.entries(form.parts).map(([part, sql]): Stage[number] => [
      this.#name(part),
      sql(this.#string, this.#strings),
    ]);
    const other = `case when ${this.flag} = 1 then '${PLAIN}' else ${columnOf(this.input)} end`;
    const [first = [], ...more] = this.#tests;
    return [[[this.flag, this.#strings.bit(isPlain)], ...parts], [[this.other, other], ...first], ...more];
  }

  /** Whether values that are not plain are read; at first, if there are some in the sample. */
  get othersAreRead(): boolean {
    const { source, othersRead } = this.#context;
    if (othersRead.has(this.flag)) return true;
    const { name } = source.layout.inputs.all[this.input] as { readonly name: string };
    const { pattern, excluded } = this.#known.form;
    const isPlain = (value: unknown) =>
      typeof value === 'string' && new RegExp(pattern).test(value) && !(excluded && value.includes(excluded));
    return source.sample.some(record => !isPlain(record[name]));
  }

  readOthers(): void {
    this.#context.othersRead.add(this.flag);
  }

  /** Returns the conditions that the engine can evaluate exactly; undefined if it can none. */
  scanned(questions: readonly Question[]): ScannedConditions | undefined {
    const place = {
      dialect: this.#strings.dialect,
      columnOf: (path: string, header?: string) => {
        const column = this.#known.columnOf(path, header)?.replace(/^part_/, this.#name(''));
        // Where other strings are refused as addresses, `case` keeps them away.
        const isGuarded = this.#known.form.field === 'client_ip' && this.#strings.refusesAddresses === true;
        return isGuarded && column ? `(case when ${this.flag} = 1 then ${column} else '::' end)` : column;
      },
      prefix: this.#name('address'),
      // Every plain address is valid.
      mayFail: this.#known.form.field === 'client_ip',
      areValid: this.#known.form.field === 'client_ip',
    };
    const tested = testedQuestions(questions, this.#most, place);
    const { mostTests = this.#most } = this.#strings;
    if (tested.length === 0 || tested.length > testedQuestions(tested, mostTests, place).length) return undefined;
    const sources = sourcesOf(tested);
    const { stages, results, lookups } = conditionColumns(sources, place)!;
    const parts = Object.keys(this.#known.form.parts).map(part => this.#name(part));
    const used = [...parts, ...stages.flat().map(([name]) => name)];
    const { codes, columns } = conditionCodes({ results, lookups, used }, this.#strings, this.#context.thresholds);
    const tests = columns.length === 0 ? stages : [...stages, columns];
    const length = Buffer.byteLength(JSON.stringify([tests, codes]));
    // The rest of the query needs some room, too.
    if (length > queryRoom(this.#context) / 2) return undefined;
    this.#tests = tests;
    const leaves = tested.map(question => this.#context.questions.indexOf(question));
    const known = new Map<string, readonly number[]>();
    const answersTo = (values: readonly number[]) => {
      const found = results.map(() => false);
      for (const [at, value] of values.entries()) for (const one of codes[at]!.trueIn(value)) found[one] = true;
      let from = 0;
      return leaves.map((leaf, at) => {
        const own = found.slice(from, from + sources[at]!.rules.length);
        from += own.length;
        return this.#context.leaves.classOf(leaf, own);
      });
    };
    return {
      ...{ plain: this, questions: tested, codes },
      answersTo: values => {
        const key = values.join();
        const answers = known.get(key) ?? answersTo(values);
        known.set(key, answers);
        return answers;
      },
    };
  }
}

/** Returns the columns about whose strings the engine knows something, by the inputs that questions read. */
export async function plainColumns(context: ScanContext): Promise<ReadonlyMap<string, PlainColumn>> {
  const columns = knownColumns(context);
  const { approximateCount } = context.session.dialect.strings ?? {};
  if (approximateCount === undefined) return columns;
  const found = new Map<string, PlainColumn>();
  for (const [key, column] of columns)
    if ((await shareOf(context, column.input, approximateCount)) >= context.thresholds.share) found.set(key, column);
  return found;
}

/** Returns the share of different values of an input among all rows. */
async function shareOf(
  { session, source, shares, thresholds }: ScanContext,
  input: number,
  approximateCount: NonNullable<StringSql['approximateCount']>,
): Promise<number> {
  const known = shares.get(input) ?? (thresholds.share <= 0 ? 1 : undefined);
  if (known !== undefined) return known;
  const query = `select count(*), ${approximateCount(source.rawOf(input))} from ${source.from}`;
  let share = 0;
  for await (const rows of session.batches(query))
    for (const [rowCount, different] of rows) share = Number(different) / Math.max(1, Number(rowCount));
  shares.set(input, share);
  return share;
}

function knownColumns(context: ScanContext): ReadonlyMap<string, PlainColumn> {
  const found = new Map<string, PlainColumn>();
  const { source, session, questions: all, thresholds } = context;
  if (session.dialect.strings === undefined) return found;
  const byInputs = Map.groupBy(all, ({ reads }) => decisiveInputs(context, reads).join());
  for (const [key, questions] of byInputs) {
    const [input, ...more] = decisiveInputs(context, questions[0]!.reads);
    if (input === undefined || more.length > 0) continue;
    const own = source.layout.inputs.all[input]!;
    const kind = source.kindOf(input);
    if (own.kind !== 'member' || (kind !== 'text' && kind !== 'address')) continue;
    const known = knownValue(context, input, questions);
    const distinct = new Set(source.sample.map(record => record[own.name])).size;
    if (distinct >= thresholds.values && known?.form !== undefined)
      found.set(key, new PlainColumn(context, { ...known, form: known.form }, { input, distinct }));
  }
  return found;
}
