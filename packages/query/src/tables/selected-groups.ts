/** Which groups of records `--where` selects. Its answer is one of those that divide records into groups, so each is selected as a whole. */
import type { DecisionCondition, DecisionValue, Verdict } from '@tollgate/simulator';
import { Dictionary, type Question } from '../questions/questions.ts';
import { type Decider, Growth } from '../questions/run-context.ts';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import type { DecidedRecords, DecidedTable } from './decide-table-groups.ts';

/** The condition is evaluated for each of them, and each combination of the values that it reads. */
const MAX_DECISIONS = 1000;

/** Groups that are selected. */
interface Selected extends DecidedTable<Verdict> {
  /** The number of records for which it is not known whether they are selected. */
  readonly unknown: number;
}

/** Asks a condition about records, together with each decision that some record has. */
export class SelectedGroups {
  /** Its answer is the number of a string with a character for each decision. */
  readonly question: Question;
  readonly #where: DecisionCondition;
  /** The decisions that are known so far, by the parts that the condition reads; the index of each in answers. */
  readonly #indices = new Map<string, number>();
  readonly #decisions: DecisionValue[] = [];
  readonly #answers = new Dictionary<string>();

  constructor(where: DecisionCondition) {
    this.#where = where;
    const answerTo = (exchange: Parameters<DecisionCondition['holds']>[0]) =>
      this.#decisions.map(decision => characterOf(where.holds(exchange, [decision]))).join('');
    this.question = {
      ...{ reads: new Set(), dimension: undefined },
      ask: exchange => this.#answers.numberOf(answerTo(exchange)),
    };
  }

  /** Returns a decider that learns the decisions on the sample. */
  watched(run: Decider<Verdict>): Decider<Verdict> {
    return {
      judgeInIsolation: (exchange, aside) => run.judgeInIsolation(exchange, aside),
      judge: exchange => {
        const verdict = run.judge(exchange);
        this.#indicesOf(verdict, exchange.response?.status);
        return verdict;
      },
    };
  }

  /** Throws {@link Growth} if there are decisions about which the condition was not asked. */
  of(decided: DecidedTable<Verdict>): Selected {
    const answers = this.#answers.values;
    const asked = decided.groups.map(group => {
      const answer = answers[group.selection!]!;
      return { group, found: new Set(this.#indicesOf(group.verdict, group.status).map(index => answer[index])) };
    });
    if (asked.some(({ found }) => found.has(undefined))) throw new Growth();
    const only = (character: string) =>
      asked.flatMap(({ group, found }) => (found.size === 1 && found.has(character) ? [group] : []));
    const groups = only(YES);
    const records = recordsIn(groups);
    const selected = new Set(groups);
    const leftOut = decided.groups.filter(group => !selected.has(group));
    return { ...decided, groups, leftOut, records, unknown: recordsIn(decided.groups) - records - recordsIn(only(NO)) };
  }

  /** Returns the places of the possible outcomes of a decision in answers. */
  #indicesOf(verdict: Verdict, status: number | undefined): readonly number[] {
    const { valuesOf, reads } = this.#where;
    return valuesOf({ response: { status } }, verdict).map(decision => {
      const key = JSON.stringify(reads.map(part => decision[part]));
      const known = this.#indices.get(key);
      if (known !== undefined) return known;
      if (this.#decisions.length === MAX_DECISIONS)
        throw new UnsupportedQueryError('`--where` depends on too many different decisions');
      this.#indices.set(key, this.#decisions.length);
      return this.#decisions.push(decision) - 1;
    });
  }
}

const YES = '1';
const NO = '0';

function characterOf(answer: boolean | undefined): string {
  if (answer === undefined) return '?';
  return answer ? YES : NO;
}

function recordsIn(groups: readonly DecidedRecords[]): number {
  return groups.reduce((sum, { times }) => sum + times, 0);
}
