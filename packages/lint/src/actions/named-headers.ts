import type { Range } from '@tollgate/diagnostics';
import type { Action } from '@tollgate/policy';
import { headersOf, removedHeadersOf, stringsIn } from './action-parts.ts';

/** A header that an action sets or removes, with the range of its name. */
export interface NamedHeader {
  readonly name: string;
  readonly range: Range;
  readonly verb: 'set' | 'remove';
}

/** Returns the headers that an action names in its configuration. */
export function namedHeaders(action: Action): readonly NamedHeader[] {
  const set = (headersOf(action)?.entries ?? []).map(
    ({ key, keyRange }) => ({ name: key, range: keyRange, verb: 'set' }) as const,
  );
  const removed = stringsIn(removedHeadersOf(action)).map(
    ({ value, place }) => ({ name: value, range: place, verb: 'remove' }) as const,
  );
  return [...set, ...removed];
}
