/**
 * Error codes of SQLite, of the network, and of PostgreSQL: classes 08, 53, 57 and 58 (connection, resources, operator, system), and 25006,
 * which a replica gives for a write.
 */
const FAILURE =
  /^(?:ERR_SQLITE|ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|(?:25006|(?:08|53|57|58)[0-9A-Z]{3})$)/;

/** Messages of `pg` errors without a code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Returns true if the error means that the database is unavailable, rather than a defect of the program. */
export function isStoreFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (LOST.test(error.message)) return true;
  return 'code' in error && typeof error.code === 'string' && FAILURE.test(error.code);
}
