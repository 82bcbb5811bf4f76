import type { Unknown } from '@tollgate/cel';
import { type HeaderMap, type HeaderValues, replaceHeader, withHeader } from './header-map.ts';

/**
 * Changes to the headers of a message, without the message: what is done to a header that was not recorded is known all the same, and changing one
 * does not read the others.
 */
export type HeaderEdits = ReadonlyMap<string, HeaderEdit>;

/** What was done to one header: the values that it had are kept or not, and others follow them. */
export interface HeaderEdit {
  readonly keeps: boolean;
  /** Unknown if it depends on what is not known. */
  readonly added: HeaderValues;
}

/** A change to one header: one more value, or exactly these. Names are in the form of header maps. */
export type HeaderChange =
  | { readonly key: string; readonly add: string | Unknown }
  | { readonly key: string; readonly to: HeaderValues };

/** Returns edits with further changes. */
export function editedHeaders(
  edits: HeaderEdits | undefined,
  changes: readonly HeaderChange[],
): HeaderEdits | undefined {
  if (edits === undefined) return undefined;
  const edited = new Map(edits);
  for (const change of changes) edited.set(change.key, editOf(edited.get(change.key), change));
  return edited;
}

function editOf(before: HeaderEdit | undefined, change: HeaderChange): HeaderEdit {
  if ('to' in change) return { keeps: false, added: change.to };
  const { keeps = true, added } = before ?? {};
  const map = withHeader({ [change.key]: added }, change.key, change.add);
  return { keeps, added: map[change.key] };
}

/** Returns a header map after changes. */
export function changedHeaders(map: HeaderMap, changes: readonly HeaderChange[]): HeaderMap {
  return changes.reduce(
    (left, change) =>
      'to' in change ? replaceHeader(left, change.key, change.to) : withHeader(left, change.key, change.add),
    map,
  );
}

/** Returns the values of a header after changes. */
export function changedValues(values: HeaderValues, key: string, changes: readonly HeaderChange[]): HeaderValues {
  const own = changes.filter(change => change.key === key);
  return own.length === 0 ? values : changedHeaders({ [key]: values }, own)[key];
}
