import { DEFAULT_ERROR_PREFIX, errorFact } from '../contract/errors.ts';
import type { ErrorBody } from '../definition/wire.ts';
import type { Fault } from './fault.ts';

/** An error as code: `ERR_EDGE_7117`. */
export function errorCode(number: number, prefix: string = DEFAULT_ERROR_PREFIX): string {
  return `${prefix}${number}`;
}

/** Most faults that one answer names. */
const MOST = 50;

/**
 * The body that answers faults. Code and status are those of the first, as clients compare one code; the message has one line a
 * fault. `details.field` is the first fault's; `details.faults` holds all as JSON text where there are several.
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
