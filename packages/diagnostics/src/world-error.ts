/** The world failed: a file, a network, a database. `code` is for tools, `cause` for the log. Ends a command with exit code 3. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  readonly code: string;

  /** @param code `area/kebab-case`, such as `file/not-found` */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
