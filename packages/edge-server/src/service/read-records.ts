// Reads one record, or a page of a list.

import { type Operation, type QueryValidation, type RecordKindName, validateQuery, WIRE } from '@tollgate/edge-api';
import { ApiError, type Members, membersAt, notFound, parseBody, refused } from '../api-error.ts';
import type { Family, Page, StoredRecord } from '../store/store.ts';
import { beginTurn } from '../thread-pool.ts';
import { type AnswerCache, type CachedAnswer, moduleAnswer, recordAnswer } from './answers.ts';
import { familyOf, requireTarget } from './change.ts';
import { type ApiAnswer, type ApiRequest, type ServiceContext, showsMembers } from './context.ts';

type Query = Extract<QueryValidation, { readonly ok: true }>;

/** The number of records that filters read at a time. */
const CHUNK = 100;
/** The most records that one request reads, however few match. The next page continues there. */
const MAX_READ = 10_000;

/** Returns a page of a list, newest first, with the URI of the next page. */
export async function readList(context: ServiceContext, request: ApiRequest, operation: Operation): Promise<ApiAnswer> {
  const query = validateQuery(request.id, request.query);
  if (!query.ok) throw new ApiError({ kind: 'faults', faults: query.faults });
  const lacks: string[] = [];
  const maker = { box: context.box, baseUrl: request.baseUrl, lacks: (secret: string) => lacks.push(secret) };
  const { entries, before } = await pageOf({
    query,
    filters: [...ownEdges(request), ...(await filtersOf(context, operation, query))],
    read: page => families(context, operation.record as RecordKindName, page),
    answer: family => recordAnswer(maker, family),
  });
  const uri = `${request.baseUrl}${operation.path}`;
  const next_page_uri = before === undefined ? null : `${uri}?${nextQuery(before, query)}`;
  const end = JSON.stringify({ uri, next_page_uri }).slice(1);
  const text = `{"${operation.listKey}":[${entries.join()}],${end}`;
  return { status: operation.success, text, revision: undefined, lacks };
}

/** A key that is limited to some edges sees only these. */
function ownEdges({ principal: { edges } }: ApiRequest): readonly EntryFilter[] {
  return edges ? [({ id }) => edges.has(String(id))] : [];
}

async function filtersOf(
  { now }: ServiceContext,
  { answer }: Operation,
  { filter, filters }: Query,
): Promise<readonly EntryFilter[]> {
  return [
    ...(Object.keys(filters).length > 0 ? [matching(filters)] : []),
    ...(filter === undefined ? [] : [await compiledFilter(filter, answer!, now())]),
  ];
}

interface Listing {
  readonly query: Query;
  readonly filters: readonly EntryFilter[];
  readonly read: (page: Page) => Promise<readonly Family[]>;
  readonly answer: (family: Family) => Members;
}

interface ListPage {
  /** As JSON. */
  readonly entries: readonly string[];
  /** The next page begins before this record. */
  readonly before: string | undefined;
}

async function pageOf({ query, filters, read, answer }: Listing): Promise<ListPage> {
  const { limit } = query;
  const size = filters.length === 0 ? limit : CHUNK;
  const pause = beginTurn();
  const entries: string[] = [];
  let before = query.beforeId;
  for (let count = 0; count < MAX_READ; count += size) {
    const found = await read({ beforeId: before, limit: size + 1 });
    for (const [index, family] of found.slice(0, size).entries()) {
      before = family.record.id;
      const entry = answer(family);
      if (filters.every(matches => matches(entry))) entries.push(JSON.stringify(entry));
      if (entries.length === limit) return { entries, before: index + 1 < found.length ? before : undefined };
      await pause();
    }
    if (found.length <= size) return { entries, before: undefined };
  }
  return { entries, before };
}

async function families({ store }: ServiceContext, kind: RecordKindName, page: Page): Promise<readonly Family[]> {
  if (showsMembers(kind)) return await store.families(kind, page);
  return (await store.page(kind, page)).map(record => ({ record, members: [] }));
}

function nextQuery(beforeId: string, { limit, filter, filters }: Query): URLSearchParams {
  const narrowing = { ...filters, ...(filter !== undefined && { filter }) };
  return new URLSearchParams({ before_id: beforeId, limit: String(limit), ...narrowing });
}

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

/** Returns true for list entries that match. */
type EntryFilter = (entry: Members) => boolean;

/** The fields that list filters apply to. */
const FIELDS: Readonly<Record<string, string>> = { ids: 'id', urls: 'url' };

/** Returns a filter that compares fields. Each value is a comma-separated list of values. */
function matching(filters: Readonly<Record<string, string>>): EntryFilter {
  const wanted = Object.entries(filters).map(([name, texts]) => ({ field: FIELDS[name], texts: texts.split(',') }));
  return entry => wanted.every(({ field, texts }) => field !== undefined && texts.includes(String(entry[field])));
}

/**
 * Returns a filter for a CEL expression over a record of the shape. The engine is loaded here, because most servers never need it.
 *
 * @throws ApiError if the expression has an error
 */
async function compiledFilter(source: string, shape: string, now: number): Promise<EntryFilter> {
  const { filterLength } = WIRE.paging;
  if (source.length > filterLength) throw refused(250, { value: `it has more than ${filterLength} characters` });
  const { createFilter } = await import('./create-filter.ts');
  const made = createFilter(source, shape);
  if (made.kind === 'error') throw refused(250, { value: made.message });
  if (made.kind === 'no-boolean') throw refused(251, { value: made.type });
  return entry => made.matches(entry, now);
}
