import type { DuckDBValue } from '@duckdb/node-api';
import type { Leaves, SimulationRun } from '@tollgate/simulator';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import { MappedFacts, prepareMapping, RecordExchange } from '@tollgate/traffic/columns';
import { columnReading } from '../columns/column-record.ts';
import type { Session } from '../duckdb/session.ts';
import { Growth } from '../plan/growth.ts';
import type { Question } from '../plan/questions.ts';
import { WatchedRecord } from '../plan/watched-record.ts';
import { valueIn } from '../sources/sample.ts';
import { columnOf, type LoadedFiles, type Source } from '../sources/source.ts';

/** What the steps of a replay share. */
export interface RunContext {
  readonly session: Session;
  readonly source: Source;
  readonly run: Pick<SimulationRun, 'judge'>;
  readonly leaves: Leaves;
  readonly questions: readonly Question[];
  /** Inputs that verdicts depend on beyond the answers to the questions, as far as is known. */
  readonly judgeReads: Set<number>;
  /** The number of the input that holds the time; undefined if times are not recorded. */
  readonly timeInput: number | undefined;
  readonly record: WatchedRecord;
  readonly exchangeAt: (place: RecordLocation) => Exchange;
  /** Inputs in the columns of `raw`. */
  loaded: readonly number[];
  /** Those that have no value in any row. */
  empty: ReadonlySet<number>;
}

/** The record of a location that is never shown. */
export const NOWHERE: RecordLocation = { file: '', number: 1, unit: 'line' };

/** Prepares the steps, and finds out from a sample what is read. */
export function prepareRun(
  session: Session,
  source: Source,
  { run, leaves, questions }: Pick<RunContext, 'run' | 'leaves' | 'questions'>,
): RunContext {
  const record = new WatchedRecord();
  const mapping = prepareMapping(source.mapping, columnReading(source.layout));
  const exchangeAt = (place: RecordLocation) => new RecordExchange(place, new MappedFacts(record, mapping));
  const context: RunContext = {
    ...{ session, source, run, leaves, questions, record, exchangeAt },
    judgeReads: new Set(),
    timeInput: timeInputOf(source),
    loaded: [],
    empty: new Set(),
  };
  for (const sample of source.sample) {
    record.moveTo(input => valueIn(sample, source.layout.inputs.all[input]!));
    const exchange = exchangeAt(NOWHERE);
    for (const { reads, ask } of questions) record.watch(reads, () => ask(exchange));
    const reads = new Set<number>();
    const { number } = record.watch(reads, () => run.judge(exchange), new Set());
    if (number === undefined) for (const input of reads) context.judgeReads.add(input);
  }
  return context;
}

function timeInputOf({ mapping: { fields = {} }, layout }: Source): number | undefined {
  const name = fields.time ?? 'time';
  return name === '' ? undefined : layout.inputs.numberOf({ kind: 'member', name });
}

/** Loads what is read. */
export async function loadInputs(context: RunContext): Promise<LoadedFiles> {
  const { questions, judgeReads, timeInput, source, session } = context;
  const needed = new Set([...questions.flatMap(({ reads }) => [...reads]), ...judgeReads]);
  const time = timeInput === undefined ? undefined : { input: timeInput, isRead: needed.has(timeInput) };
  if (timeInput !== undefined) needed.add(timeInput);
  context.loaded = [...needed].sort((a, b) => a - b);
  const files = await source.load(session, { inputs: context.loaded, time });
  const counts = context.loaded.map(input => `count(${columnOf(input)})`).join(', ') || '0';
  const [found = []] = await session.rows(`select ${counts} from raw`);
  context.empty = new Set(context.loaded.filter((_, at) => Number(found[at]) === 0));
  return files;
}

/** A row of some of the inputs. */
interface InputRow {
  readonly inputs: readonly number[];
  readonly values: readonly DuckDBValue[];
}

/** Moves the record to a row. Another input that is read is added to `missing`; without it, {@link Growth} is thrown. */
export function moveToRow(
  { record, source, empty }: RunContext,
  { inputs, values }: InputRow,
  missing?: Set<number>,
): void {
  record.moveTo(input => {
    const at = inputs.indexOf(input);
    if (at >= 0) return source.decode(values[at]!, input);
    if (empty.has(input)) return undefined;
    if (missing === undefined) throw new Growth();
    missing.add(input);
    return undefined;
  });
}
