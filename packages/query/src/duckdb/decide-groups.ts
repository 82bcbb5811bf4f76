/** Decides the groups of exchanges with the same answers: once by their state if that suffices, else divided by value. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LeafCombination } from '@tollgate/simulator';
import type { RecordLocation } from '@tollgate/traffic';
import type { CodedAnswers } from '../questions/answer-questions.ts';
import { decideExchange, type GroupExample, MAX_BY_VALUE, verdictsOf } from '../questions/decide-states.ts';
import { Dictionary } from '../questions/questions.ts';
import { type Decided, decisiveInputs, moveToRow, RowInputs, type RunContext } from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { columnOf, type LoadedFiles } from '../recordings/source.ts';

/** Exchanges with the same verdict. */
export interface DecidedGroup<Found extends Decided> {
  readonly verdict: Found;
  /** The row of the first one. */
  readonly first: number;
  readonly place: RecordLocation;
  readonly parts: readonly GroupPart[];
  /** The table with its exchanges, and the rows there. */
  readonly table: 'g' | 'u';
  readonly rows: readonly number[];
}

/** Deciding so many exchanges takes some 10 ms, after which signals are handled. */
const SLOW_AT_ONCE = 64;

/**
 * Groups the rows of `coded` by the results of their conditions, and decides one exchange of each group where that is needed. Where the verdict
 * depends on more, the group is divided by all values that the decision reads, in the table `u`.
 */
export async function decideGroups<Found extends Decided>(
  context: RunContext<Found>,
  answers: CodedAnswers,
  files: LoadedFiles,
): Promise<readonly DecidedGroup<Found>[]> {
  const combination = context.leaves.combination();
  const groups = await groupByState(context, answers, combination);
  const examplesOf = (some: readonly AnsweredGroup[]) => exchangesOf(context, some, files);
  const verdicts = await verdictsOf(context, { groups, combination, examplesOf, stop: context.session.stop });
  const decided: DecidedGroup<Found>[] = [];
  const others: AnsweredGroup[] = [];
  for (const group of groups) {
    const verdict = verdicts.get(group.state)!;
    const { first, parts } = group;
    if (verdict === 'varied' || verdict.number === undefined) others.push(group);
    else {
      const rows = parts.flatMap(part => part.rows);
      decided.push({ verdict, first, place: files.locationOf(first), parts, table: 'g', rows });
    }
  }
  if (others.length > 0) decided.push(...(await decideByValue(context, { words: answers.words, files, others })));
  return decided.sort((a, b) => a.first - b.first);
}

function rowsOf({ loaded, constant }: RunContext): RowInputs {
  return new RowInputs(loaded.filter(input => !constant.has(input)));
}

/** Yields the first exchanges of groups, in their order. */
async function* exchangesOf<Group extends { readonly first: number }>(
  context: RunContext,
  groups: readonly Group[],
  files: LoadedFiles,
): AsyncGenerator<GroupExample<Group>> {
  const { session, source } = context;
  const byFirst = new Map(groups.map(group => [group.first, group]));
  const rows = rowsOf(context);
  await session.run('create or replace table o(first bigint)');
  await session.append('o', [[...byFirst.keys()]], 'wide');
  let decided = 0;
  for await (const batch of session.values(`o join raw on raw.${source.row} = first`, [
    'first',
    ...rows.inputs.map(columnOf),
  ])) {
    for (const [first, ...values] of batch) {
      moveToRow(context, { inputs: rows, values }, new Set());
      const exchange = context.exchangeAt(files.locationOf(Number(first)));
      yield { group: byFirst.get(Number(first))!, exchange };
      if (decided++ % SLOW_AT_ONCE === 0) await nextTurn();
    }
  }
}

interface Dividing {
  readonly words: readonly string[];
  readonly files: LoadedFiles;
  readonly others: readonly AnsweredGroup[];
}

/** Groups that show nearly all of what decisions read. */
const FEW = 32;

async function decideByValue<Found extends Decided>(
  context: RunContext<Found>,
  dividing: Dividing,
): Promise<readonly DecidedGroup<Found>[]> {
  const { others, files } = dividing;
  for await (const { exchange } of exchangesOf(context, others.slice(0, FEW), files)) decideExchange(context, exchange);
  for (;;) {
    const decided = await divide(context, dividing);
    if (decided !== undefined) return decided;
  }
}

/** Returns undefined if a value of some exchange leads to reading another input. */
async function divide<Found extends Decided>(
  context: RunContext<Found>,
  dividing: Dividing,
): Promise<readonly DecidedGroup<Found>[] | undefined> {
  const { judgeReads } = context;
  const inputs = decisiveInputs(context, judgeReads);
  const divided = await writeDivided(context, dividing, inputs.map(columnOf));
  const decided: DecidedGroup<Found>[] = [];
  for await (const { group, exchange } of exchangesOf(context, divided, dividing.files)) {
    const verdict = decideExchange(context, exchange);
    if (decisiveInputs(context, judgeReads).length > inputs.length) return undefined;
    decided.push({ ...group, verdict, place: exchange.place, table: 'u' });
  }
  return decided;
}

interface DividedGroup {
  readonly first: number;
  readonly parts: GroupPart[];
  /** In the table `u`. */
  readonly rows: number[];
}

/** Writes the table `v` with the exchanges of groups, and the table `u` with the parts of groups divided by these columns of `raw`. */
async function writeDivided(
  { session, source }: RunContext,
  { words, others }: Dividing,
  columns: readonly string[],
): Promise<readonly DividedGroup[]> {
  const parts = others.flatMap(({ state, parts: own }) => own.map(part => ({ state, part })));
  await session.run('create or replace table o(id integer, part integer)');
  await session.append('o', [
    parts.flatMap(({ part }) => part.rows),
    parts.flatMap(({ part }, number) => part.rows.map(() => number)),
  ]);
  const matches = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  const values = columns.map(column => `, raw.${column}`).join('');
  const by = ['part', ...columns].join(', ');
  // The exchanges are few, which a single query would not foresee.
  await session.run(`create or replace table v as
      select coded.*, part from coded join (select g.*, part from g join o on o.id = g.rowid) g on ${matches};
    create or replace table v as select v.*${values} from v join raw on raw.${source.row} = v.rid;
    create or replace table u as select ${by}, count(*) as n, min(rid) as f from v group by ${by}`);
  const [[count] = []] = await session.rows('select count(*) from u');
  if (Number(count) > MAX_BY_VALUE) throw new UnsupportedQueryError('actions depend on values of too many exchanges');
  const divided = new Map<string, DividedGroup>();
  for await (const batch of session.values('(select rowid as id, * from u)', ['f', 'id', 'n', 'part', ...columns])) {
    for (const [first, id, times, number, ...told] of batch) {
      const { state, part } = parts[Number(number)]!;
      const key = JSON.stringify([state, ...told], (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      const group = divided.get(key) ?? { first: Number(first), parts: [], rows: [] };
      divided.set(key, group);
      const { status, mayHaveAllHeaders } = part;
      group.parts.push({ first: Number(first), times: Number(times), status, mayHaveAllHeaders });
      group.rows.push(Number(id));
    }
  }
  return [...divided.values()];
}

/** Exchanges for which all conditions that count have the same results. */
interface AnsweredGroup {
  readonly state: number;
  /** The row of the first exchange. */
  readonly first: number;
  readonly parts: readonly AnsweredPart[];
}

/** Exchanges of a group that differ in nothing else that is counted. */
interface GroupPart {
  /** The row of the first one. */
  readonly first: number;
  readonly times: number;
  readonly status: number | undefined;
  readonly mayHaveAllHeaders: Readonly<Record<'request' | 'response', boolean>>;
}

interface AnsweredPart extends GroupPart {
  /** Its rows in the table `g`. */
  readonly rows: readonly number[];
}

/** Groups the rows of `coded` by their answers, in the table `g`, and merges groups whose answers lead to the same state, in the order of their first exchanges. */
async function groupByState(
  { session, leaves: { leaves } }: RunContext,
  { words, decode }: Pick<CodedAnswers, 'words' | 'decode'>,
  { stateOf }: Pick<LeafCombination, 'stateOf'>,
): Promise<readonly AnsweredGroup[]> {
  const by = words.length === 0 ? '' : `group by ${words.join(', ')}`;
  const all = words.map(word => `${word}, `).join('');
  await session.run(
    `create or replace table g as select ${all}count(*) as times, min(rid) as first from coded ${by} having count(*) > 0`,
  );
  const states = new States();
  const answers: number[] = [];
  // A function of its own, which is optimized before the end.
  const addGroups = ([rows = [], times = [], first = [], ...values]: readonly (readonly number[])[]) => {
    for (let at = 0; at < rows.length; at++) {
      decode(values, at, answers);
      const part = states.partOf(stateOf(answers), answers[leaves.length] ?? 0, answers[leaves.length + 1] ?? 0);
      part.first = Math.min(part.first, first[at]!);
      part.times += times[at]!;
      part.rows.push(rows[at]!);
    }
  };
  // Doubles are exact here, and read faster than other integers.
  const list = ['rowid', 'times', 'first', ...words].map(name => `${name}::double`).join(', ');
  for await (const columns of session.batches(`select ${list} from g`))
    addGroups(columns as readonly (readonly number[])[]);
  return states.groups().sort((a, b) => a.first - b.first);
}

interface MutablePart extends AnsweredPart {
  first: number;
  times: number;
  readonly rows: number[];
}

/** The parts of exchanges with each state. */
class States {
  /** By state, then by status and what is known of headers. */
  readonly #parts: MutablePart[][] = [];
  readonly #statuses = new Dictionary<number>();

  /**
   * @param status the recorded one; 0 for none
   * @param headers bits: those of the request, and of the response, may be complete
   */
  partOf(state: number, status: number, headers: number): MutablePart {
    this.#parts[state] ??= [];
    const parts = this.#parts[state];
    const number = 4 * this.#statuses.numberOf(status) + headers;
    parts[number] ??= {
      ...{ first: Number.POSITIVE_INFINITY, times: 0, rows: [], status: status === 0 ? undefined : status },
      mayHaveAllHeaders: { request: headers % 2 === 1, response: headers >= 2 },
    };
    return parts[number];
  }

  groups(): AnsweredGroup[] {
    return this.#parts.map((sparse, state) => {
      const parts = sparse.filter(() => true);
      return { state, first: Math.min(...parts.map(({ first }) => first)), parts };
    });
  }
}
