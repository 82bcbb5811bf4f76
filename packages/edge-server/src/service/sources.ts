// The event types of a subscription.

import type { Operation } from '@tollgate/edge-api';
import { type Members, notFound, parseBody, refused, stringAt } from '../api-error.ts';
import type { StoredRecord } from '../store/store.ts';
import { sourcesOf, sourceUri } from './answers.ts';
import { changeRecord, requireTarget } from './change.ts';
import type { ApiAnswer, ApiRequest, ServiceContext } from './context.ts';
import type { ValidBody } from './request-body.ts';

/** Adds an event type to a subscription. */
export async function createSource(
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
export async function removeSource(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  const type = request.path.type!;
  const take = (types: readonly string[]) => {
    if (!types.includes(type)) throw notFound();
    return types.filter(one => one !== type);
  };
  return await changeSources(context, { request, operation, change: take, answer: () => undefined });
}

/** Returns a source. Also handles updates, which change nothing, because a source has only a type. */
export async function readSource(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
  const record = await subscription(context, request, operation);
  const type = request.path.type!;
  if (!sourcesOf(parseBody(record.body)).includes(type)) throw notFound();
  return { status: operation.success, text: sourceText(request, type), revision: record.revision };
}

/** Returns all sources of a subscription. */
export async function readSources(
  context: ServiceContext,
  request: ApiRequest,
  operation: Operation,
): Promise<ApiAnswer> {
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
