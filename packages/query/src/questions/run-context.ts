/** What a run needs: the policy as questions and leaves, and the inputs that they read, found by deciding watched records. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { Leaves, SimulationRun } from '@tollgate/simulator';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import { MappedFacts, RecordExchange } from '@tollgate/traffic/columns';
import {
  type ColumnRecord,
  columnReading,
  type Input,
  rootsOf,
  UnsupportedHeadersError,
  UnsupportedQueryError,
} from '../recordings/column-record.ts';
import type { Session } from '../recordings/duckdb-session.ts';
import { columnOf, type LoadedFiles, othersIn, type Source, sentAs, valueIn } from '../recordings/source.ts';
import type { Question } from './questions.ts';
import { Turns } from './turns.ts';

/** What was decided about an exchange. It has a number if it is the same for all exchanges with the same answers. */
export interface Decided {
  readonly number?: number | undefined;
}

/** Decides exchanges. */
export interface Decider<Found extends Decided> {
  readonly judge: (exchange: Exchange) => Found;
  readonly judgeInIsolation: (exchange: Exchange, aside: Parameters<SimulationRun['judgeInIsolation']>[1]) => Found;
}

/** What asking questions about rows needs, whatever the engine that holds them. */
export interface AskingContext<Found extends Decided = Decided> {
  readonly source: Pick<Source, 'layout' | 'reading' | 'sample' | 'decode'>;
  readonly run: Decider<Found>;
  readonly leaves: Leaves<Found>;
  readonly questions: readonly Question[];
  /** Inputs that verdicts depend on beyond the answers to the questions, as far as is known. */
  readonly judgeReads: Set<number>;
  /** The number of the input that holds the time; undefined if times are not recorded. */
  readonly timeInput: number | undefined;
  /** All that may hold it; the first with a value does. */
  readonly timeInputs: readonly number[];
  readonly record: WatchedRecord;
  readonly exchangeAt: (place: RecordLocation) => Exchange;
  /** Inputs that some record has, as far as is known. */
  readonly present: Set<number>;
  /** Inputs that have different values in the sample. */
  readonly varied: Set<number>;
  /** Inputs that have the same value in all rows, and that value. */
  constant: ReadonlyMap<number, unknown>;
  /** The different combinations of answers that decide in the sample. */
  readonly combinations: Set<string>;
}

/** What the steps of a replay share. */
export interface RunContext<Found extends Decided = Decided> extends AskingContext<Found> {
  readonly session: Session;
  /** From how many distinct values of an input on conditions are tested in SQL. */
  readonly manyValues: number;
  readonly source: Source;
  /** Inputs in the columns of `raw`. */
  loaded: readonly number[];
}

/** The record of a location that is never shown. */
export const NOWHERE: RecordLocation = { file: '', number: 1, unit: 'line' };

/** Prepares the steps, and finds out from a sample what is read. */
export async function prepareRun<Found extends Decided>(
  source: Source,
  asked: Pick<RunContext<Found>, 'session' | 'manyValues' | 'run' | 'leaves' | 'questions'>,
): Promise<RunContext<Found>> {
  return { ...asked, ...(await prepareAsking(source, asked, asked.session.stop)), source, loaded: [] };
}

/** Finds out from a sample what is read. */
export async function prepareAsking<Found extends Decided>(
  source: AskingContext['source'],
  { run, leaves, questions }: Pick<AskingContext<Found>, 'run' | 'leaves' | 'questions'>,
  stop?: AbortSignal,
): Promise<AskingContext<Found>> {
  const record = new WatchedRecord();
  const mapping = source.reading.prepare(columnReading(source.layout));
  const exchangeAt = (place: RecordLocation) => new RecordExchange(place, new MappedFacts(record, mapping));
  const context: AskingContext<Found> = {
    ...{ source, run, leaves, questions, record, exchangeAt },
    judgeReads: new Set(),
    ...timeInputsOf(source),
    varied: new Set(),
    constant: new Map(),
    combinations: new Set(),
  };
  const firsts = new Map<number, unknown>();
  const turns = new Turns(stop);
  // Without a sample, a record without values shows most of what is read.
  for (const sample of source.sample.length === 0 ? [{}] : source.sample) {
    record.moveTo(input => {
      const value = valueIn(sample, source.layout.inputs.all[input]!, source.layout);
      if (value !== undefined) context.present.add(input);
      if (!firsts.has(input)) firsts.set(input, value);
      else if (firsts.get(input) !== value) context.varied.add(input);
      return value;
    });
    // Leaves share what they have looked up in an exchange, so each question has its own.
    const answers: unknown[] = [];
    for (const { reads, ask, dimension } of questions) {
      if (turns.areDue) await turns.next();
      const answer = record.watch(reads, () => ask(exchangeAt(NOWHERE)));
      if (dimension === undefined) answers.push(answer);
    }
    context.combinations.add(answers.join());
    const { number } = record.watch(new Set(), () => run.judge(exchangeAt(NOWHERE)), new Set());
    if (number === undefined) judgeByValue(context, exchangeAt(NOWHERE), new Set());
  }
  return context;
}

/** Returns the inputs that hold the time. It is in the first member that the sample has. */
export function timeInputsOf({
  reading,
  layout,
  sample,
}: Pick<AskingContext['source'], 'reading' | 'layout' | 'sample'>): Pick<
  AskingContext,
  'timeInput' | 'timeInputs' | 'present'
> {
  const { start } = reading;
  const members = reading.pathsOf('time').flatMap(rootsOf);
  const inputs: readonly Input[] = start
    ? [{ kind: 'start', times: start.times }]
    : members.map(name => ({ kind: 'member', name }));
  const timeInputs = inputs.map(input => layout.inputs.numberOf(input));
  const isIn = (input: number) =>
    sample.some(record => valueIn(record, layout.inputs.all[input]!, layout) !== undefined);
  const present = timeInputs.filter(isIn);
  return { timeInputs, timeInput: present[0] ?? timeInputs[0], present: new Set(present) };
}

/** Decides an exchange whose verdict depends on more than the answers to the questions, and adds what else it reads to `judgeReads`. */
export function judgeByValue<Found extends Decided>(
  { record, run, judgeReads, exchangeAt }: AskingContext<Found>,
  exchange: Exchange,
  allRead: Set<string>,
): Found {
  return record.watch(
    judgeReads,
    () =>
      run.judgeInIsolation(exchange, evaluate =>
        record.watch(new Set(), () => evaluate(exchangeAt(exchange.place)), new Set()),
      ),
    allRead,
  );
}

/** Returns those of the inputs that tell rows apart, in order. Whether a header was sent is told by its value, where both are among them. */
export function decisiveInputs(
  { source: { layout }, constant }: Pick<AskingContext, 'source' | 'constant'>,
  reads: ReadonlySet<number>,
): number[] {
  const isTold = (input: number) => reads.has(layout.inputs.headerOf(input) ?? -1);
  return [...reads].filter(input => !(constant.has(input) || isTold(input))).sort((a, b) => a - b);
}

/** Loads what is read. Inputs that the sample lacks are expected in no record. */
export async function loadInputs(context: RunContext): Promise<LoadedFiles> {
  const { questions, judgeReads, timeInput, timeInputs, source, session, present } = context;
  context.constant = new Map();
  const readings = [...questions.map(({ reads }) => reads), judgeReads];
  const needed = new Set(readings.flatMap(reads => decisiveInputs(context, reads)));
  const time = timeInput === undefined ? undefined : { input: timeInput, isRead: needed.has(timeInput) };
  if (timeInput !== undefined) {
    present.add(timeInput);
    for (const input of timeInputs) if (input === timeInput || !present.has(input)) needed.add(input);
  }
  for (const input of needed) if (source.layout.inputs.all[input]!.kind === 'presence') present.add(input);
  const absent = [...needed].filter(input => !present.has(input));
  context.loaded = [...needed].filter(input => present.has(input)).sort((a, b) => a - b);
  const files = await source.load(session, { inputs: context.loaded, absent, time });
  for (const input of files.found) present.add(input);
  context.loaded = [...context.loaded, ...files.found].sort((a, b) => a - b);
  const others = await othersOf(context, absent);
  if (others.length > 0) {
    for (const input of others) present.add(input);
    return loadInputs(context);
  }
  if (await areTimesElsewhere(context)) throw new UnsupportedQueryError('records have their times in several members');
  context.constant = new Map([
    ...absent.filter(input => !present.has(input)).map(input => [input, undefined] as const),
    ...(await constantsIn(context)),
  ]);
  return files;
}

/** Whether a member that is not read as the time may hold the time of a record. */
async function areTimesElsewhere({ session, present, timeInput, timeInputs }: RunContext): Promise<boolean> {
  const others = timeInputs.filter(input => input !== timeInput && present.has(input));
  if (others.length === 0) return false;
  const isBefore = (input: number) => timeInputs.indexOf(input) < timeInputs.indexOf(timeInput!);
  if (others.some(isBefore)) return true;
  const [[untimed] = []] = await session.rows(
    `select count(*) from raw where t is null and ${columnOf(timeInput!)} is null`,
  );
  return Number(untimed) > 0;
}

/** Returns the inputs that were expected in no record and that some may have. */
async function othersOf({ session, present }: RunContext, absent: readonly number[]): Promise<readonly number[]> {
  if (absent.length === 0) return [];
  const [[bits] = []] = await session.rows('select bit_or(other) from raw');
  return othersIn(BigInt(String(bits ?? 0)), absent).filter(input => !present.has(input));
}

/** Returns the inputs that have the same value in all rows. */
async function constantsIn({
  loaded: all,
  varied,
  session,
  source,
}: RunContext): Promise<readonly (readonly [number, unknown])[]> {
  const loaded = all.filter(input => !varied.has(input));
  if (loaded.length === 0) return [];
  const list = loaded
    .map(columnOf)
    .flatMap(column => [`count(${column})`, `min(${column})`, `min(${column}) = max(${column})`]);
  const [row = []] = await session.rows(`select count(*), ${list.join(', ')} from raw`);
  return loaded.flatMap((input, index) => {
    const [count, value, isSame] = row.slice(3 * index + 1, 3 * index + 4);
    if (Number(count) === 0) return [[input, undefined] as const];
    return count === row[0] && isSame === true ? [[input, source.decode(value!, input)] as const] : [];
  });
}

/** The inputs of rows. */
export class RowInputs {
  readonly inputs: readonly number[];
  readonly #at: ReadonlyMap<number, number>;

  constructor(inputs: readonly number[]) {
    this.inputs = inputs;
    this.#at = new Map(inputs.map((input, at) => [input, at]));
  }

  indexOf(input: number): number | undefined {
    return this.#at.get(input);
  }
}

/** A row of some of the inputs. */
interface InputRow {
  readonly inputs: RowInputs;
  readonly values: readonly DuckDBValue[];
}

/** Moves the record to a row. Another input that is read is added to `missing`; without it, {@link Growth} is thrown. */
export function moveToRow(
  context: Pick<AskingContext, 'record' | 'source' | 'constant'>,
  { inputs, values }: InputRow,
  missing?: Set<number>,
): void {
  const { record, source, constant } = context;
  const decoded: unknown[] = [];
  const readValue = (input: number): unknown => {
    const at = inputs.indexOf(input);
    if (at !== undefined) {
      decoded[at] ??= source.decode(values[at]!, input);
      return decoded[at];
    }
    if (constant.has(input)) return constant.get(input);
    const header = source.layout.inputs.headerOf(input);
    if (header !== undefined && (inputs.indexOf(header) !== undefined || constant.has(header))) {
      const value = readValue(header);
      const { name } = source.layout.inputs.all[input] as { readonly name: string };
      return value === undefined ? undefined : sentAs(name, value, source.layout);
    }
    if (missing === undefined) throw new Growth();
    missing.add(input);
    return undefined;
  };
  record.moveTo(readValue);
}

/** A record that is moved over rows, and collects the inputs that are looked up in it. */
class WatchedRecord implements ColumnRecord {
  #read: (input: number) => unknown = () => undefined;
  #reads = new Set<number>();
  #allRead: Set<string> | undefined;

  /** Moves to another row. */
  moveTo(read: (input: number) => unknown): void {
    this.#read = read;
  }

  valueOf(input: number): unknown {
    this.#reads.add(input);
    return this.#read(input);
  }

  readAll(object: string): void {
    if (this.#allRead === undefined)
      throw new UnsupportedHeadersError(`the policy reads all headers in \`${object}\` at once`);
    this.#allRead.add(object);
  }

  /** Returns what `ask` returns, and adds what it reads to `reads`. Without `allRead`, it must not read all headers of an object. Calls nest. */
  watch<T>(reads: Set<number>, ask: () => T, allRead?: Set<string>): T {
    const [outerReads, outerAll] = [this.#reads, this.#allRead];
    this.#reads = reads;
    this.#allRead = allRead;
    try {
      return ask();
    } finally {
      this.#reads = outerReads;
      this.#allRead = outerAll;
    }
  }
}

/** Something read an input that its plan did not foresee: the plan grew, and has to be carried out again. */
export class Growth extends Error {}
