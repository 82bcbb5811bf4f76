/** Thrown for a command line that the option parser accepts but that makes no sense. Ends the command with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
