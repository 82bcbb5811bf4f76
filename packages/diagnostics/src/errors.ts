/** An I/O error: a file, the network or a database failed. `code` is for tools, `cause` for the log. Ends a command with exit code 3. */
export class ExternalError extends Error {
  override readonly name = 'ExternalError';
  readonly code: string;

  /** @param code `area/kebab-case`, such as `file/not-found` */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

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

/** Returns why a file cannot be read, in words: what failed, as Node throws it. */
export function fileProblem(cause: unknown): string {
  return inWords(cause, { ENOENT: 'no such file', ENOTDIR: 'no such file' });
}

/** Returns why a file cannot be written, in words: what failed, as Node throws it. */
export function writeProblem(cause: unknown): string {
  return inWords(cause, { ENOENT: 'no such directory', ENOTDIR: 'a part of its path is a file, not a directory' });
}

function inWords(cause: unknown, own: Readonly<Record<string, string>>): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? String(cause.code) : '';
  return own[code] ?? PROBLEMS[code] ?? cause.message;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ENOSPC: 'no space left on the device',
  EROFS: 'the file system is read-only',
};
