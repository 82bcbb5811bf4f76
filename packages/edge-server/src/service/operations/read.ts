import type { Operation } from '@tollgate/edge-api';
import { type ApiError, notFound, refused } from '../../api/api-error.ts';
import { membersAt, parseBody } from '../../api/members.ts';
import type { StoredRecord } from '../../store/port/store.ts';
import { moduleAnswer, recordAnswer } from '../records/answer.ts';
import type { AnswerCache, CachedAnswer } from '../records/answer-cache.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
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

function answerOf({ text, revision, lacks = [] }: CachedAnswer): ApiAnswer {
  return { status: 200, text, revision, lacks };
}

async function makeAnswer({ store, box }: ServiceContext, request: ApiRequest, operation: Operation) {
  const lacks: string[] = [];
  const maker = { box, baseUrl: request.baseUrl, lacks: (secret: string) => lacks.push(secret) };
  const id = request.path.id!;
  const found = showsMembers(operation.record) && operation.kind === 'get' ? await store.family(id) : undefined;
  const record = requireTarget(found?.record ?? (await store.get(id)), operation, request);
  const { revision } = record;
  if (operation.kind === 'get') {
    const family = found ?? (await familyOf(store, record));
    return { revision: family.record.revision, text: Buffer.from(JSON.stringify(recordAnswer(maker, family))), lacks };
  }
  const module = moduleAnswer(maker, record, { field: operation.field!, shape: operation.answer! });
  if (!module) throw noModule(record, operation);
  return { revision, text: Buffer.from(JSON.stringify(module)), lacks };
}

/** Explains a missing policy module: it may be stored as a string that `/policy` cannot represent. */
function noModule({ body }: StoredRecord, { field = '' }: Operation): ApiError {
  if (!membersAt(parseBody(body), field)) return notFound();
  return refused(9026, {
    value: 'it has more than `inbound` and `outbound`; use `/traffic_policy`',
  });
}
