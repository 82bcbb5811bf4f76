/** A bug in Tollgate, never wrong input or an I/O error. Ends a command with exit code 70. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  /** The code under which reports list the failure. */
  readonly code = 'internal/error';
}

/** Makes a `switch` over a union exhaustive. Throws {@link InternalError} if reached. */
export function unreachable(value: never): never {
  throw new InternalError(`unexpected value: ${JSON.stringify(value)}`);
}
