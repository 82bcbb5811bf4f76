import { DEFAULT_ERROR_PREFIX, errorFact } from '../contract/errors.ts';
import type { ErrorBody } from '../definition/wire.ts';
import type { Fault } from './fault.ts';

/** Returns the code of an error, such as `ERR_EDGE_7117`. */
export function errorCode(number: number, prefix: string = DEFAULT_ERROR_PREFIX): string {
  return `${prefix}${number}`;
}

/** The maximum number of faults in a response. */
const MOST = 50;
/** The most characters of the request that a response repeats; more would make the server a mirror. */
const MOST_ECHOED = 1000;

/**
 * Returns the body of an error response. Code and status are those of the first fault, because clients compare one code; the message has
 * one line per fault. `details.field` is the field of the first fault; `details.faults` lists all faults as JSON if there are several.
 */
export function faultsBody(
  faults: readonly [Fault, ...Fault[]],
  { operationId, prefix }: { readonly operationId: string; readonly prefix?: string },
): ErrorBody {
  const [first] = faults;
  const some = faults.slice(0, countShown(faults));
  const coded = some.map(({ field, code, message }) => ({ field, code: errorCode(code, prefix), message }));
  const lines = some.map(({ message }) => message);
  if (faults.length > some.length) lines.push(`And ${faults.length - some.length} more.`);
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

/** Returns how many faults a response shows: each of several is in the message and in the details. The first is always shown. */
function countShown(faults: readonly Fault[]): number {
  let echoed = 0;
  const beyond = faults.findIndex((fault, index) => {
    echoed += fault.echoed * 2;
    return index > 0 && (index === MOST || echoed > MOST_ECHOED);
  });
  return beyond < 0 ? faults.length : beyond;
}
