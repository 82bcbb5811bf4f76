/** What a command may touch of the world outside, beside files. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** All of the standard input. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Whether people read the output as it comes. */
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}
