/** A bug in Tollgate, never wrong input or an I/O error. Ends a command with exit code 70. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  /** For reports, which name what failed by a code. */
  readonly code = 'internal/error';
}

/** Ends a `switch` over a union that must be handled whole. Throws {@link InternalError} when reached. */
export function unreachable(value: never): never {
  throw new InternalError(`unexpected value: ${JSON.stringify(value)}`);
}
