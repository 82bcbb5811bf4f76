import { ExternalError } from '@tollgate/diagnostics';
import { type ErrorBody, errorFact, faultsBody, PLAIN_ERRORS } from '@tollgate/edge-api';
import { ApiError, type Refusal } from '../api/api-error.ts';
import { isStoreFailure } from '../store/port/store-failure.ts';

/** An error as it is sent. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Whether it is the server's, and has to be logged. */
  readonly isOurs: boolean;
}

/** What the answer is made with. */
export interface ErrorContext {
  readonly operationId: string;
  readonly prefix: string;
  readonly maxBodyBytes: number;
}

/** Anything that was thrown, as the one shape of errors (part B, section 2.4). What is ours is not explained to the client. */
export function errorAnswer(error: unknown, context: ErrorContext): ErrorAnswer {
  if (error instanceof ApiError) {
    const body = refusalBody(error.refusal, context);
    return { status: body.status_code, body, retryAfter: error.retryAfter, isOurs: false };
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const refusal = FRAMEWORK_ERRORS[error.code]?.(context);
    if (refusal) return { ...answerOf(refusal, context), isOurs: false };
  }
  const isWorld = error instanceof ExternalError || isStoreFailure(error);
  const refusal = { kind: 'plain', error: isWorld ? 'unavailable' : 'internal' } as const;
  return { ...answerOf(refusal, context), isOurs: true };
}

const FRAMEWORK_ERRORS: Readonly<Record<string, (context: ErrorContext) => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ maxBodyBytes }) => ({
    kind: 'plain',
    error: 'body-too-large',
    details: { limit: String(maxBodyBytes) },
  }),
};

function answerOf(refusal: Refusal, context: ErrorContext): Omit<ErrorAnswer, 'isOurs'> {
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
