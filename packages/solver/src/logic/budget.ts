/** Counts the work of several questions. */
export interface Spending {
  readonly spend: (units: number) => void;
  readonly isSpent: boolean;
}

/** The work that a question may cost, in states and conflicts and never in time, so that every machine gives the same answer. */
export class Budget implements Spending {
  #left: number;
  readonly #whole: Spending | undefined;

  /** @param whole what is spent along with this budget */
  constructor(units: number, whole?: Spending) {
    this.#left = units;
    this.#whole = whole;
  }

  spend(units: number): void {
    this.#left -= units;
    this.#whole?.spend(units);
  }

  get isSpent(): boolean {
    return this.#left <= 0 || (this.#whole?.isSpent ?? false);
  }
}

/** Units for one question: about 0.1 s. */
export const QUESTION_UNITS = 50_000;
/** Units for all questions about a policy. */
export const POLICY_UNITS = 2_000_000;

/** Why a question stays open when its budget is spent. */
export const OUT_OF_BUDGET = 'the question is too large';
