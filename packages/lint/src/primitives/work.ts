/** The steps that a lint rule may still cause, and whether they were too few for some question. */
interface Account {
  left: number;
  isOpen: boolean;
}

/** Returns a new account. */
export function accountOf(limit: number): Account {
  return { left: limit, isOpen: false };
}

/**
 * Counts the steps of proofs. The bound is in steps, never in time, so that a file has the same findings on every machine. A question that
 * runs out of steps stays undecided.
 */
export class Work {
  /** The account that steps are charged to. */
  account: Account;

  constructor(account: Account = accountOf(Number.POSITIVE_INFINITY)) {
    this.account = account;
  }

  spend(steps: number): void {
    this.account.left -= steps;
  }

  get isSpent(): boolean {
    return this.account.left <= 0;
  }

  /** Records that a question stayed undecided. */
  leaveOpen(): void {
    this.account.isOpen = true;
  }
}
