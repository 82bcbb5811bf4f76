import { DEFAULT_ERROR_PREFIX, errorFact } from '../contract/errors.ts';
import type { ErrorBody } from '../definition/wire.ts';
import type { Fault } from './fault.ts';

/** Returns the code of an error, such as `ERR_EDGE_7117`. */
export function errorCode(number: number, prefix: string = DEFAULT_ERROR_PREFIX): string {
  return `${prefix}${number}`;
}

/** The maximum number of faults in a response. */
const MOST = 50;

/**
 * Returns the body of an error response. Code and status are those of the first fault, because clients compare one code; the message has
 * one line per fault. `details.field` is the field of the first fault; `details.faults` lists all faults as JSON if there are several.
 */
export function faultsBody(
  faults: readonly [Fault, ...Fault[]],
  { operationId, prefix }: { readonly operationId: string; readonly prefix?: string },
): ErrorBody {
  const [first] = faults;
  const some = faults.slice(0, MOST);
  const coded = some.map(({ field, code, message }) => ({ field, code: errorCode(code, prefix), message }));
  const lines = some.map(({ message }) => message);
  if (faults.length > MOST) lines.push(`And ${faults.length - MOST} more.`);
  return {
    error_code: errorCode(first.code, prefix),
    status_code: errorFact(first.code)?.status ?? 400,
    msg: lines.join('\n'),
    details: {
      operation_id: operationId,
      ...(first.field === '' ? {} : { field: first.field }),
      ...(faults.length > 1 ? { faults: JSON.stringify(coded) } : {}),
    },
  };
}
