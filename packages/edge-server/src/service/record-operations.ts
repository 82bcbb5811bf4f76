// Operations on records: reads one or a page of a list, creates, updates and removes them, and their modules.

import {
  type Operation,
  type QueryValidation,
  RECORD_KINDS,
  type RecordKindName,
  validateQuery,
  WIRE,
} from '@tollgate/edge-api';
import { ApiError, type Members, membersAt, notFound, parseBody, refused, stringAt } from '../api-error.ts';
import { hashToken, makeToken } from '../security/api-keys.ts';
import { toTimestamp } from '../security/certificate-details.ts';
import type { Family, Page, RecordWriter, StoredRecord } from '../store/store.ts';
import { beginTurn } from '../thread-pool.ts';
import {
  type AnswerCache,
  type CachedAnswer,
  fieldsAtCreation,
  fieldsAtUpdate,
  moduleAnswer,
  recordAnswer,
  shapeOfRecord,
  sourcesOf,
} from './answers.ts';
import {
  changeRecord,
  checkDraft,
  type Draft,
  draftReferences,
  familyOf,
  requireRevision,
  requireTarget,
  storedForm,
  writeOnce,
} from './change.ts';
import { type ApiAnswer, type ApiRequest, parentKey, type ServiceContext, showsMembers } from './context.ts';
import { convertingConflicts, publishChange, recordChange } from './record-changes.ts';
import type { ValidBody } from './request-body.ts';
import { withKnownUrls } from './shape-walk.ts';

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

// Creates, updates and removes records, and replaces and removes their modules.

/** Creates a record. */
export async function createRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value }: ValidBody,
): Promise<ApiAnswer> {
  const kind = operation.record as RecordKindName;
  const ksuid = context.newKsuid();
  const token = kind === 'api_key' ? makeToken(ksuid) : undefined;
  const time = toTimestamp(new Date(context.now()));
  const made = fieldsAtCreation(kind, { body: value, settings: context.rules, time });
  const after = { ...value, ...made, ...(token !== undefined && keyFields(token)) };
  const id = `${RECORD_KINDS[kind].prefix}_${ksuid}`;
  const draft: Draft = { id, kind, parentId: parentOf(kind, request, value), before: undefined, after, given: value };
  const work = async (writer: RecordWriter): Promise<ApiAnswer> => {
    const pause = beginTurn();
    await requireParent(writer, request, draft);
    await checkDraft(context, writer, draft);
    const record = await insert(context, writer, draft, time);
    await recordChange(context, writer, request, { before: undefined, after: record });
    await pause();
    const family = { record, members: [] };
    await publishChange(context, writer, { operation, request, resourceId: id, family: () => family });
    await pause();
    const answer = recordAnswer({ box: context.box, baseUrl: request.baseUrl }, family);
    return { status: 201, text: JSON.stringify(token === undefined ? answer : { ...answer, token }), revision: 1 };
  };
  return await convertingConflicts(() => writeOnce(context, request, operation, work), draftReferences(draft));
}

async function insert(
  context: ServiceContext,
  writer: RecordWriter,
  draft: Draft,
  createdAt: string,
): Promise<StoredRecord> {
  const { id, kind, parentId, after } = draft;
  const { body, refs = [], claims = [] } = storedForm(context, draft);
  await writer.insert({ id, kind, parentId, createdAt, body, refs, claims });
  if (kind === 'event_subscription') await writer.setSources(id, sourcesOf(after));
  return { id, kind, parentId, createdAt, body, revision: 1 };
}

/** Keys created through the API can read and write; admin keys are created on the command line. */
function keyFields(token: string): Members {
  return { hash: hashToken(token), scopes: ['read', 'write'], expires_at: null };
}

function parentOf(kind: RecordKindName, { path }: ApiRequest, body: Members): string | null {
  const key = parentKey(kind);
  return key === undefined ? null : (path[key] ?? stringAt(body, key) ?? null);
}

/** A parent in the path must exist. A parent in the body is a reference, which is checked with the others. */
async function requireParent(writer: RecordWriter, { path }: ApiRequest, { kind, parentId }: Draft): Promise<void> {
  const key = parentKey(kind);
  if (key === undefined || path[key] === undefined || parentId === null) return;
  if (!(await writer.lock(parentId))) throw notFound();
}

/** Changes the fields given in the request. Modules are replaced as a whole (part A, section 4.5). */
export async function updateRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value }: ValidBody,
): Promise<ApiAnswer> {
  const kind = operation.record as RecordKindName;
  const time = toTimestamp(new Date(context.now()));
  const change = (before: Members): Members => {
    const body = withKnownUrls(shapeOfRecord({ kind }), before, { ...before, ...value });
    return { ...body, ...fieldsAtUpdate(kind, { body, settings: context.rules, time }) };
  };
  return await changeRecord(context, {
    operation,
    request,
    kind,
    id: request.path.id!,
    change,
    given: value,
    answer: async (_, family) => {
      const whole = await family();
      const answer = recordAnswer({ box: context.box, baseUrl: request.baseUrl }, whole);
      return { status: operation.success, text: JSON.stringify(answer), revision: whole.record.revision };
    },
  });
}

/** Replaces a module. */
export async function replaceModule(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value, at }: ValidBody,
): Promise<ApiAnswer> {
  const given = { [keptField(operation)]: value };
  return await changeRecord(context, {
    operation,
    request,
    kind: operation.record as RecordKindName,
    id: request.path.id!,
    change: before => ({ ...before, ...given }),
    given,
    moduleAt: at,
    answer: record => {
      const maker = { box: context.box, baseUrl: request.baseUrl };
      const answer = moduleAnswer(maker, record, { field: operation.field!, shape: operation.answer! });
      return { status: operation.success, text: JSON.stringify(answer), revision: record.revision };
    },
  });
}

/** Removes a module; succeeds if there is none. */
export async function deleteModule(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  return await changeRecord(context, {
    operation,
    request,
    kind: operation.record as RecordKindName,
    id: request.path.id!,
    change: before => ({ ...before, [keptField(operation)]: null }),
    given: {},
    answer: ({ revision }) => ({ status: operation.success, text: undefined, revision }),
  });
}

/** Returns the record field that stores a module. Both forms of a policy share one field. */
function keptField({ field, record }: Operation): string {
  if (field === undefined) throw notFound();
  return field === 'traffic_policy' && record !== 'endpoint' ? 'policy' : field;
}

/** Deletes a record and everything that belongs to it, unless another record refers to it. */
export async function removeRecord(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  const id = request.path.id!;
  const work = () =>
    context.store.write(async writer => {
      const record = requireTarget(await writer.lock(id), operation, request);
      requireRevision(record, request);
      await publishChange(context, writer, {
        operation,
        request,
        resourceId: id,
        family: () => familyOf(writer, record),
      });
      await recordChange(context, writer, request, { before: record, after: undefined });
      await writer.remove(id);
      return { status: operation.success, text: undefined, revision: undefined };
    });
  return await convertingConflicts(work);
}
