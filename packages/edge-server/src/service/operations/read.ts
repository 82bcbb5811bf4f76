import { type Operation, type RecordKindName, validateQuery } from '@tollgate/edge-api';
import { ApiError, notFound, refused } from '../../api/api-error.ts';
import { membersAt, parseBody } from '../../api/members.ts';
import type { Family, Page, StoredRecord } from '../../store/port/store.ts';
import { moduleAnswer, recordAnswer } from '../records/answer.ts';
import type { AnswerCache, CachedAnswer } from '../records/answer-cache.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
import { matching } from '../records/filters.ts';
import { showsMembers } from '../records/record-kinds.ts';
import { familyOf } from './change.ts';
import { requireTarget } from './target.ts';

/** Returns the cached response, synchronously, if the store has not changed since. */
export function knownAnswer({ store }: ServiceContext, request: ApiRequest, cache: AnswerCache): ApiAnswer | undefined {
  const known = cache.get(cacheKey(request));
  const stamp = known && store.stamp();
  return stamp !== undefined && stamp === known?.stamp ? answerOf(known) : undefined;
}

/** Returns a record or module, from the cache if the record has not changed. */
export async function readOne(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  cache: AnswerCache,
): Promise<ApiAnswer> {
  const key = cacheKey(request);
  const stamp = context.store.stamp();
  const known = cache.get(key);
  const isValid = known && (await context.store.revision(request.path.id!)) === known.revision;
  const valid = isValid ? { ...known, stamp } : { ...(await makeAnswer(context, request, operation)), stamp };
  cache.set(key, valid);
  return answerOf(valid);
}

function cacheKey({ baseUrl, id, path }: ApiRequest): string {
  return `${baseUrl} ${id} ${path.edge_id ?? ''} ${path.id}`;
}

function answerOf({ text, revision }: CachedAnswer): ApiAnswer {
  return { status: 200, text, revision };
}

async function makeAnswer({ store, box }: ServiceContext, request: ApiRequest, operation: Operation) {
  const maker = { box, baseUrl: request.baseUrl };
  const id = request.path.id!;
  const found = showsMembers(operation.record) && operation.kind === 'get' ? await store.family(id) : undefined;
  const record = requireTarget(found?.record ?? (await store.get(id)), operation, request);
  const { revision } = record;
  if (operation.kind === 'get') {
    const family = found ?? (await familyOf(store, record));
    return { revision: family.record.revision, text: Buffer.from(JSON.stringify(recordAnswer(maker, family))) };
  }
  const module = moduleAnswer(maker, record, { field: operation.field!, shape: operation.answer! });
  if (!module) throw noModule(record, operation);
  return { revision, text: Buffer.from(JSON.stringify(module)) };
}

/** Explains a missing policy module: it may be stored as a string that `/policy` cannot represent. */
function noModule({ body }: StoredRecord, { field = '' }: Operation): ApiError {
  if (!membersAt(parseBody(body), field)) return notFound();
  return refused(9026, {
    value: 'it has more than `inbound` and `outbound`; use `/traffic_policy`',
  });
}

/** Returns a page of a list, newest first, with the URI of the next page. */
export async function readList(context: ServiceContext, request: ApiRequest, operation: Operation): Promise<ApiAnswer> {
  const query = validateQuery(request.id, request.query);
  if (!query.ok) throw new ApiError({ kind: 'faults', faults: query.faults });
  const { limit, beforeId, filters } = query;
  const found = await families(context, operation.record as RecordKindName, { beforeId, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const maker = { box: context.box, baseUrl: request.baseUrl };
  const uri = `${request.baseUrl}${operation.path}`;
  const last = found.length > limit ? shown.at(-1)?.record.id : undefined;
  const answer = {
    [operation.listKey!]: shown.map(family => recordAnswer(maker, family)).filter(matching(filters)),
    uri,
    next_page_uri: last === undefined ? null : `${uri}?${nextQuery(last, limit, filters)}`,
  };
  return { status: operation.success, text: JSON.stringify(answer), revision: undefined };
}

async function families({ store }: ServiceContext, kind: RecordKindName, page: Page): Promise<readonly Family[]> {
  if (showsMembers(kind)) return await store.families(kind, page);
  return (await store.page(kind, page)).map(record => ({ record, members: [] }));
}

function nextQuery(beforeId: string, limit: number, filters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams({ before_id: beforeId, limit: String(limit), ...filters });
}
