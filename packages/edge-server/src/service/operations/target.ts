import { type Operation, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';
import { ApiError, notFound, refused } from '../../api/api-error.ts';
import type { StoredRecord } from '../../store/port/store.ts';
import type { ApiRequest } from '../records/context.ts';
import { parentKey } from '../records/record-kinds.ts';

/** Checks that every identifier in the path has the right kind. @throws ApiError */
export function checkPath({ record }: Operation, { path }: Pick<ApiRequest, 'path'>): void {
  const kind = record === 'event_source' ? 'event_subscription' : record;
  for (const [name, expected] of [
    ['id', kind],
    ['edge_id', 'https_edge'],
    ['subscription_id', 'event_subscription'],
  ] as const) {
    const value = path[name];
    if (value !== undefined) checkIdentifier(value, expected);
  }
}

function checkIdentifier(value: string, kind: RecordKindName): void {
  const { prefix, noun } = RECORD_KINDS[kind];
  const isValid = value.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{27}$/.test(value.slice(prefix.length + 1));
  if (!isValid) throw refused(222, { value: value.slice(0, 100), expected: noun });
}

/** Returns the record of the path, which must exist below the parent in the path. @throws ApiError */
export function requireTarget(
  record: StoredRecord | undefined,
  { record: kind }: Operation,
  request: ApiRequest,
): StoredRecord {
  if (!record) throw notFound();
  const key = kind === 'event_source' ? undefined : parentKey(kind);
  const parent = key === undefined ? undefined : request.path[key];
  if (key !== undefined && parent !== undefined && parent !== record.parentId) {
    throw refused(7110, { value: parent, expected: record.parentId ?? '' }, key);
  }
  return record;
}

/** Checks the record against `If-Match`. @throws ApiError */
export function requireRevision({ revision }: StoredRecord, { ifMatch }: ApiRequest): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const tags = ifMatch
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== '');
  if (tags.length === 0) throw new ApiError({ kind: 'plain', error: 'empty-precondition' });
  if (!tags.includes(etagOf(revision))) throw new ApiError({ kind: 'plain', error: 'precondition-failed' });
}

/** Returns the entity tag of a revision. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}
