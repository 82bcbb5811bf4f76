import type { DuckDBValue } from '@duckdb/node-api';
import type { Verdict } from '@tollgate/simulator';
import type { RecordLocation } from '@tollgate/traffic';
import { HeadersUnsuited, Unsuited } from '../columns/unsuited.ts';
import { Growth } from '../plan/growth.ts';
import { columnOf, type LoadedFiles } from '../sources/source.ts';
import type { CodedAnswers } from './answer-questions.ts';
import { moveToRow, type RunContext } from './run-context.ts';

/** Exchanges with the same verdict. */
export interface DecidedGroup {
  readonly verdict: Verdict;
  readonly times: number;
  /** The row of the first one. */
  readonly first: number;
  readonly place: RecordLocation;
  readonly status: number | undefined;
  readonly mayHaveAllHeaders: Readonly<Record<'request' | 'response', boolean>>;
  /** The table and number by which its rows are found. */
  readonly table: 'g' | 'u';
  readonly id: number;
}

/** More groups that differ in the values of their exchanges are not worth it. */
const MOST_BY_VALUE = 200_000;

/**
 * Groups the rows of `coded` by their answers, in the table `g`, and decides one exchange of each group. Where the verdict depends on more than
 * the answers, the group is divided by all values that the decision reads, in the table `u`.
 */
export async function decideGroups(
  context: RunContext,
  { words, decode }: CodedAnswers,
  files: LoadedFiles,
): Promise<readonly DecidedGroup[]> {
  const { session } = context;
  const loaded = context.loaded.filter(input => !context.empty.has(input));
  const by = words.length === 0 ? '' : `group by ${words.join(', ')}`;
  const all = words.map(word => `${word}, `).join('');
  await session.run(
    `create or replace table g as select row_number() over () as id, * from (select ${all}count(*) as times, min(rid) as first from coded ${by})`,
  );
  const groups = await groupsOf(context, { words, decode });
  const first = new Map<string, AnsweredGroup>();
  for (const group of groups) if (!first.has(group.key)) first.set(group.key, group);
  const shown = await decideFirst(context, [...first.values()], { inputs: loaded, files });
  const decided: DecidedGroup[] = [];
  const others = new Others();
  for (const { key, ...group } of groups) {
    const { verdict, reads } = shown.get(first.get(key)!.id)!;
    if (verdict.number === undefined) others.add(group.id, reads);
    else decided.push({ ...group, verdict, place: files.locationOf(group.first) });
  }
  if (others.ids.length > 0) decided.push(...(await decideByValue(context, { words, files, others })));
  return decided.sort((a, b) => a.first - b.first);
}

/** A group of `g`. */
type AnsweredGroup = Omit<DecidedGroup, 'verdict' | 'place'> & {
  /** Equal for groups with the same verdict. */
  readonly key: string;
};

/** Reads the groups, in the order of their first exchanges. */
async function groupsOf(
  { session, leaves }: RunContext,
  { words, decode }: Pick<CodedAnswers, 'words' | 'decode'>,
): Promise<readonly AnsweredGroup[]> {
  const groups: AnsweredGroup[] = [];
  const list = ['id', 'times', 'first', ...words].join(', ');
  const count = leaves.leaves.length;
  for await (const batch of session.batches(`select ${list} from g where times > 0 order by first`)) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const [id, times, first, ...values] = batch.map(column => Number(column[row]));
      const answers = decode(values).map(Number);
      const [status = 0, headers = 0] = answers.slice(count);
      groups.push({
        ...{ table: 'g', id: id!, times: times!, first: first!, key: leaves.keyOf(answers.slice(0, count)) },
        status: status === 0 ? undefined : status,
        mayHaveAllHeaders: { request: headers % 2 === 1, response: headers >= 2 },
      });
    }
  }
  return groups;
}

/** Decides the first exchange of groups; by the id of the group. */
async function decideFirst(
  context: RunContext,
  groups: readonly AnsweredGroup[],
  { inputs, files }: { readonly inputs: readonly number[]; readonly files: LoadedFiles },
): Promise<ReadonlyMap<number, ReturnType<typeof decide>>> {
  const { session } = context;
  await session.run('create or replace table o(id integer)');
  await session.append(
    'o',
    groups.map(({ id }) => [id]),
  );
  const list = ['id', 'times', 'first', ...inputs.map(columnOf)].join(', ');
  const found = new Map<number, ReturnType<typeof decide>>();
  for await (const batch of session.batches(
    `select ${list} from g join o using (id) join raw on raw.rowid = g.first order by first`,
  )) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const [id, times, first, ...values] = batch.map(column => column[row]!);
      const group = { table: 'g', id: Number(id), times: Number(times), first: Number(first) } as const;
      found.set(group.id, decide(context, { group, inputs, values, files }));
    }
  }
  return found;
}

/** Groups whose verdict depends on values, and the inputs that deciding them reads. */
class Others {
  readonly ids: number[] = [];
  readonly reads = new Set<number>();

  add(id: number, reads: ReadonlySet<number>): void {
    this.ids.push(id);
    for (const input of reads) this.reads.add(input);
  }
}

interface Dividing {
  readonly words: readonly string[];
  readonly files: LoadedFiles;
  readonly others: Others;
}

async function decideByValue(context: RunContext, dividing: Dividing): Promise<readonly DecidedGroup[]> {
  const { others } = dividing;
  for (;;) {
    const before = others.reads.size;
    const decided = await divide(context, dividing);
    // A value of another exchange may lead to reading another input.
    if (others.reads.size === before) return decided;
  }
}

async function divide(context: RunContext, { words, files, others }: Dividing): Promise<readonly DecidedGroup[]> {
  const { session } = context;
  const inputs = [...others.reads].filter(input => !context.empty.has(input)).sort((a, b) => a - b);
  const columns = inputs.map(columnOf);
  const matches = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  await session.run('create or replace table o(id integer)');
  await session.append(
    'o',
    others.ids.map(id => [id]),
  );
  const by = ['g.id', ...columns].join(', ');
  await session.run(
    `create or replace table u as select row_number() over () as uid, * from (
      select ${by}, count(*) as n, min(rid) as f from coded join g on ${matches} join raw on raw.rowid = coded.rid
      where g.id in (select id from o) group by ${by})`,
  );
  const [[count] = []] = await session.rows('select count(*) from u');
  if (Number(count) > MOST_BY_VALUE) throw new Unsuited('actions depend on values of too many exchanges');
  const decided: DecidedGroup[] = [];
  const list = ['uid', 'n', 'f', ...columns].join(', ');
  for await (const batch of session.batches(`select ${list} from u`)) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const [id, times, first, ...values] = batch.map(column => column[row]!);
      const group = { table: 'u', id: Number(id), times: Number(times), first: Number(first) } as const;
      const found = decide(context, {
        group,
        inputs: context.loaded,
        values: spread(context.loaded, inputs, values),
        files,
      });
      for (const input of found.reads) others.reads.add(input);
      decided.push(found);
    }
  }
  return decided;
}

/** Returns the values of all loaded inputs; null for those that are not known to be the same in the group. */
function spread(
  loaded: readonly number[],
  inputs: readonly number[],
  values: readonly DuckDBValue[],
): readonly DuckDBValue[] {
  return loaded.map(input => values[inputs.indexOf(input)] ?? null);
}

interface GroupToDecide {
  readonly group: Pick<DecidedGroup, 'table' | 'id' | 'times' | 'first'>;
  readonly inputs: readonly number[];
  readonly values: readonly DuckDBValue[];
  readonly files: LoadedFiles;
}

function decide(
  context: RunContext,
  { group, inputs, values, files }: GroupToDecide,
): DecidedGroup & { readonly reads: ReadonlySet<number> } {
  const { record, run } = context;
  const missing = new Set<number>();
  moveToRow(context, { inputs, values }, missing);
  const place = files.locationOf(group.first);
  const exchange = context.exchangeAt(place);
  const reads = new Set<number>();
  const allRead = new Set<string>();
  // A verdict that holds for the whole group does not depend on other inputs than those that conditions read.
  const verdict = record.watch(reads, () => run.judge(exchange), allRead);
  if (verdict.number === undefined) refuseMissing(context, allRead, [...missing, ...reads]);
  const { status, headers } = record.watch(reads, () => ({
    status: exchange.response?.status,
    headers: [exchange.requestHeaders, exchange.response?.headers].map(facts => facts?.mayBeComplete === true),
  }));
  const mayHaveAllHeaders = { request: headers[0]!, response: headers[1]! };
  return { ...group, verdict, place, status, mayHaveAllHeaders, reads };
}

function refuseMissing(
  { judgeReads, loaded }: RunContext,
  allRead: ReadonlySet<string>,
  reads: readonly number[],
): void {
  const [object] = allRead;
  if (object !== undefined) throw new HeadersUnsuited(`actions depend on all headers in \`${object}\``);
  for (const input of reads) judgeReads.add(input);
  if (reads.some(input => !loaded.includes(input))) throw new Growth();
}
