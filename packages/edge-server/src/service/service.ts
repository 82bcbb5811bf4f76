// The operations of the API over a store.

import type { Diagnostic } from '@tollgate/diagnostics';
import { type Operation, operationOf, validateQuery } from '@tollgate/edge-api';
import { ApiError } from '../api-error.ts';
import type { RecordWriter, Store } from '../store/store.ts';
import { beginTurn } from '../thread-pool.ts';
import { type AnswerCache, createAnswerCache } from './answers.ts';
import { checkPath } from './change.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from './context.ts';
import { knownAnswer, readList, readOne } from './read-records.ts';
import type { BodyRequest, ValidBody } from './request-body.ts';
import { createSource, readSource, readSources, removeSource } from './sources.ts';
import { createRecord, deleteModule, removeRecord, replaceModule, updateRecord } from './write-records.ts';

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
