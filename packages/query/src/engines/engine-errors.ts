import { ExternalError } from '@tollgate/diagnostics';

/** Returns the error of an engine that does not answer. */
export function unreachable(product: string, place: string, cause: unknown): ExternalError {
  const reason = reasonOf(cause);
  return new ExternalError('engine/unreachable', `cannot reach ${product} at ${place}: ${reason}`, { cause });
}

/** Returns the error of a query that an engine refused or did not finish. */
export function queryFailed(product: string, reason: string, cause?: unknown): ExternalError {
  return new ExternalError('engine/query-failed', `${product} failed: ${firstLine(reason)}`, { cause });
}

/** Returns the error of a table that cannot be read as traffic. */
export function unreadableTable(message: string): ExternalError {
  return new ExternalError('engine/unreadable-table', message);
}

/** Returns the error of an engine whose client is not installed. */
export function clientMissing(product: string, name: string): ExternalError {
  return new ExternalError(
    'engine/client-missing',
    `${product} needs the package \`${name}\`; install it next to Tollgate`,
  );
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.message === 'fetch failed'
    ? reasonOf(cause.cause)
    : firstLine(cause.message);
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.trim();
}
