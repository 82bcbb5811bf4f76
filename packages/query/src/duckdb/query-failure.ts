/** Why a query failed. */
export interface QueryFailure {
  /** Memory, or space for temporary files, was not enough. */
  readonly isOutOfSpace: boolean;
  /** A clause for messages. */
  readonly reason: string;
}

const ENGINE_ERROR = /^([A-Z][A-Za-z -]*) Error: ([^\n]*)/;

/** Returns why a query failed; undefined for an error that is not one of the engine. */
export function queryFailure(error: unknown): QueryFailure | undefined {
  const [, kind, text] = (error instanceof Error && ENGINE_ERROR.exec(error.message)) || [];
  if (kind === undefined) return undefined;
  const problem = text!.replace(/[.]$/, '');
  if (kind !== 'Out of Memory' && kind !== 'IO')
    return { isOutOfSpace: false, reason: `DuckDB failed: ${kind} Error: ${problem}` };
  return { isOutOfSpace: true, reason: `DuckDB ran out of memory, or of space for temporary files: ${problem}` };
}
