/** Returns the message for an internal error. */
export function defectMessage(error: unknown): string {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `tollgate: internal error; please report it\n${details}\n`;
}
