import type { CodedAnswers } from '../answers/answer-questions.ts';
import { Dictionary } from '../plan/dictionary.ts';
import { inTurns } from '../plan/in-turns.ts';
import type { Decided, RunContext } from '../plan/run-context.ts';
import type { DecidedGroup } from './decide-groups.ts';

/** The properties of verdicts that figures by time and key depend on. */
export interface Kind {
  /** The series that counts its exchanges by time. */
  readonly series: number;
  /** The series under which its keys are listed. */
  readonly listed: readonly number[];
}

/** Decided groups, and their kinds. */
interface DecidedAnswers<Found extends Decided> {
  readonly answers: Pick<CodedAnswers, 'words' | 'keys'>;
  readonly groups: readonly DecidedGroup<Found>[];
  readonly kindOf: (group: DecidedGroup<Found>) => Kind;
}

/** Writes the table `results`, a row for each exchange with its number, time, keys and the number of its kind, and returns the kinds. */
export async function writeResults<Found extends Decided>(
  { session }: RunContext,
  { answers: { words, keys }, groups, kindOf }: DecidedAnswers<Found>,
): Promise<readonly Kind[]> {
  const kinds: Kind[] = [];
  const known = new Dictionary<string>();
  const numbers = {
    g: { rows: [] as number[], kinds: [] as number[] },
    u: { rows: [] as number[], kinds: [] as number[] },
  };
  for await (const part of inTurns(groups, session.stop)) {
    for (const group of part) {
      const kind = kindOf(group);
      const number = known.numberOf(`${kind.series} ${kind.listed}`);
      kinds[number] ??= kind;
      for (const row of group.rows) {
        numbers[group.table].rows.push(row);
        numbers[group.table].kinds.push(number);
      }
    }
  }
  await session.run(`create or replace table kg(id integer, kind integer);
    create or replace table ku(id integer, kind integer)`);
  await session.append('kg', [numbers.g.rows, numbers.g.kinds]);
  await session.append('ku', [numbers.u.rows, numbers.u.kinds]);
  const columns = ['coded.rid', 'coded.t', 'kind', ...keys.map(({ column }) => `coded.${column}`)].join(', ');
  const same = words.map(word => `coded.${word} = g.${word}`).join(' and ') || 'true';
  const plain = `select ${columns} from coded join (select g.*, kind from g join kg on g.rowid = kg.id) g on ${same}`;
  const byValue = numbers.u.rows.length === 0 ? '' : ` union all ${resultsByValue(columns, await valuesIn(session))}`;
  await session.run(`create or replace table results as ${plain}${byValue}`);
  return kinds;
}

function resultsByValue(columns: string, values: readonly string[]): string {
  const equal = values.map(column => ` and coded.${column} is not distinct from u.${column}`).join('');
  return `select ${columns} from v coded join (select u.*, kind from u join ku on u.rowid = ku.id) u
    on u.part = coded.part${equal}`;
}

/** Returns the columns of values in `u`. */
async function valuesIn(session: RunContext['session']): Promise<readonly string[]> {
  const rows = await session.rows('describe u');
  return rows.map(([name]) => String(name)).filter(name => /^c\d+$/.test(name));
}
