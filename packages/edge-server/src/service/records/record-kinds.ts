import { OPERATIONS, type Operation, type RecordKindName } from '@tollgate/edge-api';

const CREATIONS: readonly Operation[] = Object.values(OPERATIONS).filter(operation => operation.kind === 'create');

/** The shape of each record kind, from the operation that creates it. */
export const SHAPE_OF_RECORD: ReadonlyMap<string, string> = new Map(
  CREATIONS.flatMap(({ record, request }) =>
    record !== 'event_source' && request !== null ? [[record, request]] : [],
  ),
);

/** The path parameter or body field with the parent's identifier, by record kind. */
const PARENTS: Partial<Record<RecordKindName, string>> = {
  https_edge_route: 'edge_id',
  ip_policy_rule: 'ip_policy_id',
};

/** Returns the name of the path parameter or body field with the parent's identifier. */
export function parentKey(kind: RecordKindName): string | undefined {
  return PARENTS[kind];
}

/** Returns true if responses of this kind include the records that belong to it. */
export function showsMembers(kind: string): boolean {
  return kind === 'https_edge';
}
