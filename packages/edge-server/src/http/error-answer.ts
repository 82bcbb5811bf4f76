import { ExternalError } from '@tollgate/diagnostics';
import { type ErrorBody, errorFact, faultsBody, PLAIN_ERRORS } from '@tollgate/edge-api';
import { ApiError, type Refusal } from '../api/api-error.ts';
import { isStoreFailure } from '../store/port/store-failure.ts';

/** An error response. */
interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  /** The Retry-After header in seconds. */
  readonly retryAfter: number | undefined;
  /** Whether the server is at fault, so that the error must be logged. */
  readonly isServerFault: boolean;
}

/** The context of an error response. */
interface ErrorContext {
  readonly operationId: string;
  readonly prefix: string;
  readonly maxBodyBytes: number;
}

/** Seconds after which a client may retry when the store does not respond. */
const RETRY_AFTER = 1;

/** Converts anything thrown to an error response (part B, section 2.4). Server faults are not explained to the client. */
export function errorAnswer(error: unknown, context: ErrorContext): ErrorAnswer {
  if (error instanceof ApiError) {
    const body = refusalBody(error.refusal, context);
    return { status: body.status_code, body, retryAfter: error.retryAfter, isServerFault: false };
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const refusal = FRAMEWORK_ERRORS[error.code]?.(context);
    if (refusal) return { ...answerOf(refusal, context), isServerFault: false };
  }
  const isExternal = error instanceof ExternalError || isStoreFailure(error);
  const refusal = { kind: 'plain', error: isExternal ? 'unavailable' : 'internal' } as const;
  return { ...answerOf(refusal, context), ...(isExternal && { retryAfter: RETRY_AFTER }), isServerFault: true };
}

const FRAMEWORK_ERRORS: Readonly<Record<string, (context: ErrorContext) => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ maxBodyBytes }) => ({
    kind: 'plain',
    error: 'body-too-large',
    details: { limit: String(maxBodyBytes) },
  }),
};

function answerOf(refusal: Refusal, context: ErrorContext): Omit<ErrorAnswer, 'isServerFault'> {
  const body = refusalBody(refusal, context);
  return { status: body.status_code, body, retryAfter: undefined };
}

function refusalBody(refusal: Refusal, { operationId, prefix }: ErrorContext): ErrorBody {
  if (refusal.kind === 'plain') {
    const { status, message } = PLAIN_ERRORS[refusal.error];
    return { status_code: status, msg: message, details: { operation_id: operationId, ...refusal.details } };
  }
  const body = faultsBody(refusal.faults, { operationId, prefix });
  const status = errorFact(refusal.faults[0].code)?.status ?? 400;
  return { ...body, status_code: status, details: { ...body.details, ...refusal.details } };
}
