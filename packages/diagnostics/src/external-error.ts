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
