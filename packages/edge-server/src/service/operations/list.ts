import { type Operation, type QueryValidation, type RecordKindName, validateQuery } from '@tollgate/edge-api';
import { ApiError } from '../../api/api-error.ts';
import type { Members } from '../../api/members.ts';
import type { Family, Page } from '../../store/port/store.ts';
import { beginTurn } from '../../threads/begin-turn.ts';
import { recordAnswer } from '../records/answer.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from '../records/context.ts';
import { compiledFilter, type EntryFilter, matching } from '../records/filters.ts';
import { showsMembers } from '../records/record-kinds.ts';

type Query = Extract<QueryValidation, { readonly ok: true }>;

/** The number of records that filters read at a time. */
const CHUNK = 100;
/** The most records that one request reads, however few match. The next page continues there. */
const MOST_READ = 10_000;

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
  for (let count = 0; count < MOST_READ; count += size) {
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
