import { OPERATIONS, type Operation, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';

const CREATIONS: readonly Operation[] = Object.values(OPERATIONS).filter(operation => operation.kind === 'create');

/** The shape that records of a kind have, from the operation that creates them. */
export const SHAPE_OF_RECORD: ReadonlyMap<string, string> = new Map(
  CREATIONS.flatMap(({ record, request }) =>
    record !== 'event_source' && request !== null ? [[record, request]] : [],
  ),
);

/** Which parameter of the path, or field of the body, names the record that one of this kind belongs to. */
const PARENTS: Partial<Record<RecordKindName, string>> = {
  https_edge_route: 'edge_id',
  ip_policy_rule: 'ip_policy_id',
};

/** The name of the parent's identifier, in the path or the body. */
export function parentKey(kind: RecordKindName): string | undefined {
  return PARENTS[kind];
}

/** Kinds whose answers hold those that belong to them. */
export function showsMembers(kind: string): boolean {
  return kind === 'https_edge';
}

/** How messages call a kind of record, with its article. */
export function describeKind(kind: RecordKindName): string {
  const { noun } = RECORD_KINDS[kind];
  return `${/^(?:[aeiou]|HTTP|IP)/.test(noun) ? 'an' : 'a'} ${noun}`;
}
