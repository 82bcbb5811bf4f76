import { STRING_KEY, type VariableFact } from '@tollgate/catalog';
import { canonicalHeaderName } from '@tollgate/policy';
import { FALSE, type Signal } from '../logic/graph.ts';
import type { Cell } from '../theory/vocabulary.ts';
import { INT64 } from '../values/int-set.ts';
import type { Reader } from './reader-context.ts';

/** Returns true if reading a variable never fails. */
export function isAlwaysPresent({ absent, setBy }: VariableFact): boolean {
  return setBy === undefined && (absent === undefined || absent.value !== undefined);
}

/** Returns the path of a string that also has fields, which is one of its own fields. */
export function withoutStringKey(path: string): string {
  return path.endsWith(AS_STRING) ? path.slice(0, -AS_STRING.length) : path;
}

const AS_STRING = `.${STRING_KEY}`;

/** Returns the signal that holds where a list has at least this many elements. An absent entry of a map has none. */
export function hasElements(reader: Reader, cell: Cell, count: bigint): Signal {
  if (isNever(reader, cell)) return FALSE;
  return reader.vocabulary.atom({ kind: 'size', cell, set: [[count, INT64[1]]] });
}

/** Returns true if no message has the key: header maps contain names in one form only. */
function isNever(reader: Reader, { role, steps }: Cell): boolean {
  if (!reader.knowsNames || (role !== 'request-headers' && role !== 'response-headers')) return false;
  const name = String(steps.at(-1));
  const isCanonical = reader.profile.headerNames === 'canonical' && reader.names === undefined;
  const usual = isCanonical ? canonicalHeaderName(name) : name.toLowerCase();
  return name !== usual;
}
