import type { LeafCombination } from '@tollgate/simulator';
import type { CodedAnswers } from '../answers/answer-questions.ts';
import { Dictionary } from '../plan/dictionary.ts';
import type { RunContext } from '../plan/run-context.ts';

/** Exchanges for which all conditions that count have the same results. */
export interface AnsweredGroup {
  readonly state: number;
  /** The row of the first exchange. */
  readonly first: number;
  readonly parts: readonly AnsweredPart[];
}

/** Exchanges of a group that differ in nothing else that is counted. */
export interface GroupPart {
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
export async function groupByState(
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
