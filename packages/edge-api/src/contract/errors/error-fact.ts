/** One error that the API answers with. */
export interface ErrorFact {
  readonly status: number;
  /** When it is answered. */
  readonly meaning: string;
  /** What the answer says: `{field}`, `{value}`, `{limit}` and `{expected}` are filled in. */
  readonly message: string;
}

/** An error of the caller's, answered with 400. */
export function bad(meaning: string, message: string): ErrorFact {
  return { status: 400, meaning, message };
}

/** An error with a status of its own. */
export function answered(status: number, meaning: string, message: string): ErrorFact {
  return { status, meaning, message };
}
