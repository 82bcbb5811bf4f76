/** What is left of the work that somebody may cause, and whether that was too little for some question. */
export interface Account {
  left: number;
  isOpen: boolean;
}

/** A new account. */
export function accountOf(limit: number): Account {
  return { left: limit, isOpen: false };
}

/**
 * Counts the work of proofs, so that it is bounded whatever the rules are: in steps, never in time, so that the same text has the same
 * findings on every machine. A question that the work does not suffice for stays open.
 */
export class Work {
  /** Whose questions are being answered. */
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

  /** Notes that a question stays open. */
  leaveOpen(): void {
    this.account.isOpen = true;
  }
}
