/** The command line was wrong in a way that its definition does not tell. Ends the command with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
