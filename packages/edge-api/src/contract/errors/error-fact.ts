/** An error of the API. */
export interface ErrorFact {
  readonly status: number;
  /** When the error occurs. */
  readonly meaning: string;
  /** The message, with placeholders `{field}`, `{value}`, `{limit}` and `{expected}`. */
  readonly message: string;
}

/** Returns a client error with status 400. */
export function bad(meaning: string, message: string): ErrorFact {
  return { status: 400, meaning, message };
}

/** Returns an error with another status. */
export function answered(status: number, meaning: string, message: string): ErrorFact {
  return { status, meaning, message };
}
