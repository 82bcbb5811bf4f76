// The operations of the API over a store.

import type { Diagnostic } from '@tollgate/diagnostics';
import { type Operation, operationOf, validateQuery } from '@tollgate/edge-api';
import { ApiError, type Members, notFound, parseBody, refused, stringAt } from '../api-error.ts';
import type { RecordWriter, Store, StoredRecord } from '../store/store.ts';
import { beginTurn } from '../thread-pool.ts';
import { type AnswerCache, createAnswerCache, sourcesOf, sourceUri } from './answers.ts';
import { changeRecord, checkPath, requireTarget } from './change.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from './context.ts';
import {
  createRecord,
  deleteModule,
  knownAnswer,
  readList,
  readOne,
  removeRecord,
  replaceModule,
  updateRecord,
} from './record-operations.ts';
import type { BodyRequest, ValidBody } from './request-body.ts';

/** The size of the response cache in bytes. */
const CACHE_SIZE = 16_000_000;

/** The operations of the API on a store, independent of HTTP except for methods and statuses. */
export interface Service {
  /** Returns the cached response to a read if nothing has changed since; otherwise undefined. */
  readonly known: (request: ApiRequest) => ApiAnswer | undefined;
  /** @throws ApiError for client errors, ExternalError if the store fails */
  readonly run: (request: ApiRequest) => Promise<ApiAnswer>;
  /** Performs all checks of the request without changing anything. @throws like `run` */
  readonly validate: (request: ApiRequest) => Promise<DryRun>;
}

/** The result of a dry run. */
export interface DryRun {
  readonly answer: ApiAnswer;
  /** Warnings about the policy in the request. */
  readonly warnings: readonly Diagnostic[];
}

/** Creates the service. */
export function createService(context: ServiceContext): Service {
  const cache = createAnswerCache(CACHE_SIZE);
  return {
    known: request => (request.query.size === 0 ? knownAnswer(context, request, cache) : undefined),
    run: async request => (await answer({ context, request, cache, withWarnings: false })).answer,
    validate: request => {
      const trying = { ...context, store: rollingBack(context.store) };
      return answer({ context: trying, request, cache: createAnswerCache(0), withWarnings: true });
    },
  };
}

interface Task extends Pick<BodyRequest, 'withWarnings'> {
  readonly context: ServiceContext;
  readonly request: ApiRequest;
  readonly cache: AnswerCache;
}

async function answer({ context, request, cache, withWarnings }: Task): Promise<DryRun> {
  const operation = operationOf(request.id);
  checkPath(operation, request);
  checkQuery(request);
  if (operation.request === null)
    return { answer: await withoutBody(context, request, operation, cache), warnings: [] };
  const pause = beginTurn();
  const body = await context.bodies.check({ ...request, withWarnings });
  await pause();
  return { answer: await withBody(context, request, operation, body), warnings: body.warnings };
}

function checkQuery({ id, query }: ApiRequest): void {
  if (query.size === 0) return;
  const checked = validateQuery(id, query);
  if (!checked.ok) throw new ApiError({ kind: 'faults', faults: checked.faults });
}

async function withBody(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  body: ValidBody,
): Promise<ApiAnswer> {
  const isSource = operation.record === 'event_source';
  switch (operation.kind) {
    case 'create':
      return await (isSource ? createSource : createRecord)(context, request, operation, body);
    case 'update':
      return await (isSource ? readSource : updateRecord)(context, request, operation, body);
    default:
      return await replaceModule(context, request, operation, body);
  }
}

async function withoutBody(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  cache: AnswerCache,
): Promise<ApiAnswer> {
  const isSource = operation.record === 'event_source';
  switch (operation.kind) {
    case 'list':
      return await (isSource ? readSources : readList)(context, request, operation);
    case 'delete':
      return await (isSource ? removeSource : removeRecord)(context, request, operation);
    case 'delete-module':
      return await deleteModule(context, request, operation);
    default:
      return isSource
        ? await readSource(context, request, operation)
        : await readOne(context, request, operation, cache);
  }
}

/** Carries the result of work out of a transaction that is rolled back. */
class RolledBack<T> {
  readonly result: T;

  constructor(result: T) {
    this.result = result;
  }
}

/** Wraps a store so that every write is rolled back. */
function rollingBack(store: Store): Store {
  return {
    ...store,
    write: async <T>(work: (writer: RecordWriter) => Promise<T>): Promise<T> => {
      try {
        return await store.write(async writer => {
          throw new RolledBack(await work(writer));
        });
      } catch (thrown) {
        if (thrown instanceof RolledBack) return thrown.result;
        throw thrown;
      }
    },
  };
}

// The event types of a subscription.

/** Adds an event type to a subscription. */
async function createSource(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
  { value }: ValidBody,
): Promise<ApiAnswer> {
  const type = stringAt(value, 'type') ?? '';
  const add = (types: readonly string[]) => {
    if (types.includes(type)) throw refused(5127, { value: type }, 'type');
    return [...types, type];
  };
  return await changeSources(context, { request, operation, change: add, answer: () => sourceText(request, type) });
}

/** Removes an event type from a subscription. */
async function removeSource(context: ServiceContext, request: ApiRequest, operation: Operation): Promise<ApiAnswer> {
  const type = request.path.type!;
  const take = (types: readonly string[]) => {
    if (!types.includes(type)) throw notFound();
    return types.filter(one => one !== type);
  };
  return await changeSources(context, { request, operation, change: take, answer: () => undefined });
}

/** Returns a source. Also handles updates, which change nothing, because a source has only a type. */
async function readSource(context: ServiceContext, request: ApiRequest, operation: Operation): Promise<ApiAnswer> {
  const record = await subscription(context, request, operation);
  const type = request.path.type!;
  if (!sourcesOf(parseBody(record.body)).includes(type)) throw notFound();
  return { status: operation.success, text: sourceText(request, type), revision: record.revision };
}

/** Returns all sources of a subscription. */
async function readSources(context: ServiceContext, request: ApiRequest, operation: Operation): Promise<ApiAnswer> {
  const record = await subscription(context, request, operation);
  const { baseUrl } = request;
  const sources = sourcesOf(parseBody(record.body)).map(type => ({ type, uri: sourceUri(baseUrl, record.id, type) }));
  const uri = `${baseUrl}/event_subscriptions/${record.id}/sources`;
  return { status: operation.success, text: JSON.stringify({ sources, uri }), revision: record.revision };
}

async function subscription(
  { store }: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<StoredRecord> {
  return requireTarget(await store.get(request.path.subscription_id!), operation, request);
}

interface SourcesChange {
  readonly request: ApiRequest;
  readonly operation: Operation;
  readonly change: (types: readonly string[]) => readonly string[];
  readonly answer: () => string | undefined;
}

async function changeSources(
  context: ServiceContext,
  { request, operation, change, answer }: SourcesChange,
): Promise<ApiAnswer> {
  return await changeRecord(context, {
    operation,
    request,
    kind: 'event_subscription',
    id: request.path.subscription_id!,
    change: (before: Members) => ({ ...before, sources: change(sourcesOf(before)).map(type => ({ type })) }),
    given: {},
    answer: ({ revision }) => ({ status: operation.success, text: answer(), revision }),
  });
}

function sourceText({ baseUrl, path }: ApiRequest, type: string): string {
  return JSON.stringify({ type, uri: sourceUri(baseUrl, path.subscription_id!, type) });
}
