/** Facts of the wire that no single operation has (part A 4 and 5, part B 1.1, 2.1). */
export const WIRE = {
  version: '2',
  versionHeader: 'Service-Version',
  operationIdHeader: 'Service-Operation-Id',
  contentType: 'application/json',
  paging: {
    defaultLimit: 100,
    maxLimit: 100,
    minLimit: 1,
    parameters: ['before_id', 'limit'],
    aliases: { beforeId: 'before_id' },
  },
} as const;

/** Answers without an error code: the family gives none to them (part B 2.4), and extensions of ours follow. */
export const PLAIN_ERRORS = {
  'not-found': { status: 404, message: 'Resource not found', source: 'B 2.4' },
  'no-route': { status: 404, message: 'Not Found', source: 'B 1.1' },
  'precondition-failed': { status: 412, message: 'The resource was changed meanwhile.', source: 'extension' },
  'body-too-large': { status: 413, message: 'The body is too large.', source: 'extension' },
  internal: { status: 500, message: 'An internal error occurred.', source: 'B 2.5' },
  unavailable: { status: 503, message: 'The service is not available now.', source: 'extension' },
} as const;

/** The body of every error (part B 2.4). */
export interface ErrorBody {
  /** Absent where the family has no number for the error. */
  readonly error_code?: string;
  /** The HTTP status once more. */
  readonly status_code: number;
  readonly msg: string;
  /** Texts only, never null: clients decode it so. Always `operation_id`, or `path` for what is no operation. */
  readonly details: Readonly<Record<string, string>>;
}
