import { ExternalError, InternalError } from '@tollgate/diagnostics';
import type { Failure } from '../process/exit-code.ts';
import { UsageError } from '../process/usage-error.ts';
import type { PortableFailure } from './messages.ts';

/** Returns a failure in a form that threads can exchange. */
export function portableFailure({ name, code, message }: Failure): PortableFailure {
  return { name, code, message };
}

/** Returns the failure that a thread has sent. */
export function receivedFailure({ name, code, message }: PortableFailure): Failure {
  return name === 'InternalError' ? new InternalError(message) : new ExternalError(code, message);
}

/** Returns the error that ends a command, in a portable form; undefined if the error is a bug. */
export function portableError(error: unknown): PortableFailure | undefined {
  if (error instanceof UsageError) return { name: error.name, code: '', message: error.message };
  return error instanceof ExternalError ? portableFailure(error) : undefined;
}

/** Returns the error that has ended a thread. */
export function receivedError(failure: PortableFailure): Error {
  return failure.name === 'UsageError' ? new UsageError(failure.message) : receivedFailure(failure);
}
