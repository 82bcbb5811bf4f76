import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Verdict } from '@tollgate/simulator';
import type { Exchange, RecordLocation } from '@tollgate/traffic';
import { HeadersUnsuited, Unsuited } from '../columns/unsuited.ts';
import type { Session } from '../duckdb/session.ts';
import { Growth } from '../plan/growth.ts';
import { inTurns } from '../plan/in-turns.ts';
import { columnOf, type LoadedFiles } from '../sources/source.ts';
import type { CodedAnswers } from './answer-questions.ts';
import { judgeByValue, moveToRow, RowInputs, type RunContext, tellingInputs } from './run-context.ts';

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

/** Deciding so many exchanges takes some 10 ms, after which signals are handled. */
const SLOW_AT_ONCE = 256;

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
  const by = words.length === 0 ? '' : `group by ${words.join(', ')}`;
  const all = words.map(word => `${word}, `).join('');
  await session.run(
    `create or replace table g as select row_number() over () as id, * from (select ${all}count(*) as times, min(rid) as first from coded ${by})`,
  );
  const groups = await groupsOf(context, { words, decode });
  const verdicts = await verdictsOf(context, groups, files);
  const decided: DecidedGroup[] = [];
  const others: AnsweredGroup[] = [];
  for (const group of groups) {
    const verdict = verdicts.get(group.kind)!;
    if (verdict === 'varied' || verdict.number === undefined) others.push(group);
    else decided.push({ ...group, verdict, place: files.locationOf(group.first) });
  }
  if (others.length > 0) decided.push(...(await decideByValue(context, { words, files, others })));
  return decided.sort((a, b) => a.first - b.first);
}

/** A group of `g`. */
type AnsweredGroup = Omit<DecidedGroup, 'verdict' | 'place'> & {
  /** Its classes in all leaves. */
  readonly classes: readonly number[];
  /** The same for groups with the same classes, which may differ in status: a dozen groups share one verdict. */
  readonly kind: string;
};

/** Reads the groups, in the order of their first exchanges. */
async function groupsOf(
  { session, leaves }: RunContext,
  { words, decode }: Pick<CodedAnswers, 'words' | 'decode'>,
): Promise<readonly AnsweredGroup[]> {
  const groups: AnsweredGroup[] = [];
  // Doubles are exact here, and read faster than other integers.
  const list = ['id', 'times', 'first', ...words].map(name => `${name}::double`).join(', ');
  const count = leaves.leaves.length;
  for await (const batch of session.batches(`select ${list} from g where times > 0 order by first`)) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const [id, times, first, ...values] = batch.map(column => column[row] as number);
      const answers = decode(values).map(Number);
      const [status = 0, headers = 0] = answers.slice(count);
      const classes = answers.slice(0, count);
      groups.push({
        ...{ table: 'g', id: id!, times: times!, first: first!, classes, kind: classes.join() },
        status: status === 0 ? undefined : status,
        mayHaveAllHeaders: { request: headers % 2 === 1, response: headers >= 2 },
      });
    }
  }
  return groups;
}

type Found = Exclude<ReturnType<RunContext['leaves']['verdictOf']>, { readonly need: string }>;

/** Returns the verdicts on groups, by kind. Few exchanges have to be decided for them. */
async function verdictsOf(
  context: RunContext,
  groups: readonly AnsweredGroup[],
  files: LoadedFiles,
): Promise<ReadonlyMap<string, Found>> {
  const { verdictOf } = context.leaves;
  const verdicts = new Map<string, Found>();
  const open = new Map<string, AnsweredGroup>();
  // The first exchange of a kind is in its first group.
  for (const group of groups) if (!open.has(group.kind)) open.set(group.kind, group);
  for (;;) {
    const needed = new Map<string, AnsweredGroup>();
    for await (const part of inTurns([...open.values()], context.session.stop)) {
      for (const group of part) {
        const found = verdictOf(group.classes);
        if (typeof found === 'string' || !('need' in found)) {
          verdicts.set(group.kind, found);
          open.delete(group.kind);
        } else if (!needed.has(found.need)) needed.set(found.need, group);
      }
    }
    if (needed.size === 0) return verdicts;
    const exchanges = exchangesOf(context, [...needed.values()], files);
    for await (const { group, exchange } of exchanges) {
      const verdict = context.record.watch(new Set(), () => verdictOf(group.classes, exchange), new Set());
      verdicts.set(group.kind, verdict as Found);
      open.delete(group.kind);
    }
  }
}

function rowsOf({ loaded, constant }: RunContext): RowInputs {
  return new RowInputs(loaded.filter(input => !constant.has(input)));
}

interface FirstExchange {
  readonly group: AnsweredGroup;
  readonly exchange: Exchange;
}

/** Yields the first exchanges of groups. */
async function* exchangesOf(
  context: RunContext,
  groups: readonly AnsweredGroup[],
  files: LoadedFiles,
): AsyncGenerator<FirstExchange> {
  const { session } = context;
  const byId = new Map(groups.map(group => [group.id, group]));
  const rows = rowsOf(context);
  await selectGroups(session, groups);
  const list = ['id', 'first', ...rows.inputs.map(columnOf)].join(', ');
  const query = `select ${list} from g join o using (id) join raw on raw.rowid = g.first order by first`;
  for await (const batch of session.batches(query)) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const [id, first, ...values] = batch.map(column => column[row]!);
      moveToRow(context, { inputs: rows, values }, new Set());
      yield { group: byId.get(Number(id))!, exchange: context.exchangeAt(files.locationOf(Number(first))) };
      if (row % SLOW_AT_ONCE === 0) await nextTurn();
    }
  }
}

/** Writes the ids of groups to the table `o`. */
async function selectGroups(session: Session, groups: readonly AnsweredGroup[]): Promise<void> {
  await session.run('create or replace table o(id integer)');
  await session.append('o', [groups.map(({ id }) => id)]);
}

/** Decides the exchange to which the record was moved. */
function decideExchange(context: RunContext, exchange: Exchange): Verdict {
  const allRead = new Set<string>();
  const verdict = judgeByValue(context, exchange, allRead);
  const [object] = allRead;
  if (object !== undefined) throw new HeadersUnsuited(`actions depend on all headers in \`${object}\``);
  const { judgeReads, loaded, constant } = context;
  const isKnown = (input: number) => loaded.includes(input) || constant.has(input);
  if (!tellingInputs(context, judgeReads).every(isKnown)) throw new Growth();
  return verdict;
}

interface Dividing {
  readonly words: readonly string[];
  readonly files: LoadedFiles;
  readonly others: readonly AnsweredGroup[];
}

async function decideByValue(context: RunContext, dividing: Dividing): Promise<readonly DecidedGroup[]> {
  const { others, files } = dividing;
  for await (const { exchange } of exchangesOf(context, others, files)) decideExchange(context, exchange);
  for (;;) {
    const decided = await divide(context, dividing);
    if (decided !== undefined) return decided;
  }
}

/** Returns undefined if a value of some exchange leads to reading another input. */
async function divide(
  context: RunContext,
  { words, files, others }: Dividing,
): Promise<readonly DecidedGroup[] | undefined> {
  const { session, judgeReads } = context;
  const inputs = tellingInputs(context, judgeReads);
  const columns = inputs.map(columnOf);
  const matches = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  await selectGroups(session, others);
  const by = ['g.id', ...columns].join(', ');
  await session.run(
    `create or replace table u as select row_number() over () as uid, * from (
      select ${by}, count(*) as n, min(rid) as f from coded join g on ${matches} join raw on raw.rowid = coded.rid
      where g.id in (select id from o) group by ${by})`,
  );
  const [[count] = []] = await session.rows('select count(*) from u');
  if (Number(count) > MOST_BY_VALUE) throw new Unsuited('actions depend on values of too many exchanges');
  const groups = new Map(others.map(group => [group.id, group]));
  const decided: DecidedGroup[] = [];
  const rows = rowsOf(context);
  // Conditions are evaluated on the first exchange.
  const list = ['uid', 'n', 'f', 'id', ...rows.inputs.map(input => `raw.${columnOf(input)}`)].join(', ');
  for await (const batch of session.batches(`select ${list} from u join raw on raw.rowid = f`)) {
    for (let row = 0; row < batch[0]!.length; row++) {
      const [uid, n, f, id, ...values] = batch.map(column => column[row]!);
      const first = Number(f);
      moveToRow(context, { inputs: rows, values }, new Set());
      const place = files.locationOf(first);
      const verdict = decideExchange(context, context.exchangeAt(place));
      if (tellingInputs(context, judgeReads).length > inputs.length) return undefined;
      const { status, mayHaveAllHeaders } = groups.get(Number(id))!;
      const counted = { table: 'u', id: Number(uid), times: Number(n), first } as const;
      decided.push({ ...counted, verdict, place, status, mayHaveAllHeaders });
      if (row % SLOW_AT_ONCE === 0) await nextTurn();
    }
  }
  return decided;
}
