import { formatType } from '../types/format.ts';
import type { Type } from '../types/type.ts';
import { EvaluationError, NonValue, type Value } from '../values/value.ts';
import type { ImplementationFunction } from './context/implementation.ts';
import { hostReader } from './host/host.ts';

/**
 * Returns a user function fenced, so that it cannot break an evaluation: an exception, or a result that is not of the declared type,
 * becomes an evaluation error that names the function. A promise is never a value. `Date`s are read as timestamps.
 */
export function fenceFunction(name: string, result: Type, call: ImplementationFunction): ImplementationFunction {
  const run = call as (...args: readonly unknown[]) => unknown;
  const read = hostReader(result);
  const wrong = (value: unknown): EvaluationError =>
    new EvaluationError(
      'eval/host-type',
      `\`${name}()\` must return a value of type ${formatType(result)}, found ${describe(value)}`,
    );
  return (...args: readonly unknown[]): Value | NonValue => {
    let value: unknown;
    try {
      value = run(...args);
      if (isThenable(value)) return wrong(value);
    } catch (error) {
      return failed(name, error);
    }
    if (value instanceof NonValue) return value;
    const outcome = value === undefined ? wrong(value) : read(value);
    return outcome instanceof NonValue ? wrong(value) : outcome;
  };
}

function failed(name: string, error: unknown): EvaluationError {
  return new EvaluationError('eval/extension-failed', `\`${name}()\` failed: ${messageOf(error)}`);
}

/** Even reading an error may throw. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'it threw something that cannot be shown';
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function describe(value: unknown): string {
  if (isThenable(value)) return 'a promise; return the value itself';
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'undefined';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}
