import assert from 'node:assert/strict';
import {
  EXAMPLES,
  OPERATION_IDS,
  type Operation,
  type OperationId,
  operationOf,
  type ShapeName,
  sourceOf,
  WIRE,
} from '@tollgate/edge-api';
import type { ApiFixture, Request } from '../api-fixture.ts';
import { createJudge } from '../described.ts';
import { unknownId } from '../samples.ts';
import { assertError, pathFor, type ServerCase } from '../server-case.ts';
import { substituted } from '../substitute.ts';

const JUDGE = createJudge();

/** The claims about every single operation. */
export function operationCases(): readonly ServerCase[] {
  return OPERATION_IDS.flatMap(casesOf);
}

function casesOf(id: OperationId): readonly ServerCase[] {
  const operation = operationOf(id);
  const make = (claim: string, run: ServerCase['run']): ServerCase => ({
    name: `${id} ${claim}`,
    row: id,
    source: sourceOf(id),
    run,
  });
  return [
    make(`answers ${operation.success}, as described`, api => succeeds(api, id)),
    make('refuses a request without a key with 403 and 200', async api => {
      assertError(await api.call(id, { headers: { authorization: null } }), 403, 200);
    }),
    make('refuses a request without a version with 400 and 218', async api => {
      assertError(await api.call(id, { headers: { 'service-version': null } }), 400, 218);
    }),
    make('refuses an unknown query parameter with 400 and 231', async api => {
      const request = await workingRequest(api, id);
      assertError(await api.call(id, { ...request, query: 'surprise=1' }), 400, 231, 'surprise');
    }),
    ...(operation.request === null ? bodilessCases(id, make) : bodyCases(id, make)),
    ...(operation.path.includes('{') ? missingCases(id, make) : []),
    ...(operation.paged ? pagingCases(id, make) : []),
  ];
}

type Make = (claim: string, run: ServerCase['run']) => ServerCase;

/** Sends a request that succeeds: with the example as its body, on an existing module. */
async function workingRequest(api: ApiFixture, id: OperationId): Promise<Request> {
  const operation = operationOf(id);
  const path = await pathFor(api, operation);
  if (operation.kind === 'get-module' || operation.kind === 'delete-module') await configure(api, operation, path);
  if (operation.request === null) return { path };
  return { path, body: await exampleOf(api, operation) };
}

async function exampleOf(api: ApiFixture, { request, kind }: Operation): Promise<unknown> {
  const example = EXAMPLES[request as ShapeName] ?? {};
  return substituted(api, kind === 'update' && request !== 'EventSource' ? { metadata: 'changed' } : example);
}

async function configure(
  api: ApiFixture,
  { path: template, record }: Operation,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const replace = OPERATION_IDS.find(
    id => operationOf(id).path === template && operationOf(id).kind === 'replace-module',
  );
  if (replace !== undefined) await api.call(replace, { path, body: await exampleOf(api, operationOf(replace)) });
  // Reservations have no module with its own path.
  else assert.equal(record, 'reserved_domain');
}

async function succeeds(api: ApiFixture, id: OperationId): Promise<void> {
  const operation = operationOf(id);
  const request = await workingRequest(api, id);
  const answer = await api.call(id, request);
  assert.equal(answer.status, operation.success, answer.text);
  assert.equal(JUDGE.judge(id, answer.status, answer.body), undefined, answer.text);
  assert.match(answer.headers.get(WIRE.operationIdHeader) ?? '', /^op_[0-9A-Za-z]{27}$/);
  if (operation.success === 204) assert.equal(answer.text, '');
  else assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  if (operation.kind === 'create' && operation.record !== 'event_source') {
    const made = (answer.body as { readonly id: string }).id;
    await api.send(
      'DELETE',
      `${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => request.path?.[name] ?? '')}/${made}`,
    );
  }
}

function bodilessCases(id: OperationId, make: Make): readonly ServerCase[] {
  if (operationOf(id).verb === 'GET') return [];
  return [
    make('refuses a body with 400 and 211', async api => {
      assertError(await api.call(id, { path: await pathFor(api, operationOf(id)), body: { surprise: 1 } }), 400, 211);
    }),
  ];
}

function bodyCases(id: OperationId, make: Make): readonly ServerCase[] {
  const refused = (claim: string, request: Request, status: number, number: number): ServerCase =>
    make(`refuses ${claim} with ${status} and ${number}`, async api => {
      assertError(await api.call(id, { path: await pathFor(api, operationOf(id)), ...request }), status, number);
    });
  return [
    refused('invalid JSON', { raw: '{"a":' }, 400, 213),
    refused('JSON other than an object', { raw: '[]' }, 400, 213),
    refused('a body of another type', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415, 210),
    refused('a body without a type', { raw: '{}', headers: { 'content-type': null } }, 415, 216),
    refused('an unknown field', { body: { surprise: 1 } }, 400, 214),
  ];
}

/** An identifier in a path: invalid, of another kind, or of no record. */
function missingCases(id: OperationId, make: Make): readonly ServerCase[] {
  const { path: template, record } = operationOf(id);
  const last = [...template.matchAll(/\{(\w+)\}/g)].at(-1)![1]!;
  const kind = last === 'edge_id' ? 'https_edge' : last === 'subscription_id' ? 'event_subscription' : record;
  if (kind === 'event_source') {
    return [
      make('answers 404 without a number for a source that the subscription has not', async api => {
        const request = await requestFor(api, id, { type: 'ip_policy_deleted.v0' });
        assertError(await api.call(id, request), 404, null);
      }),
    ];
  }
  return [
    make('answers 404 without a number for an identifier of no record', async api => {
      assertError(await api.call(id, await requestFor(api, id, { [last]: unknownId(kind) })), 404, null);
    }),
    make('answers 404 with 222 for an invalid identifier', async api => {
      assertError(await api.call(id, await requestFor(api, id, { [last]: 'nope' })), 404, 222);
    }),
    make('answers 404 with 222 for an identifier of another kind', async api => {
      assertError(await api.call(id, await requestFor(api, id, { [last]: unknownId('account') })), 404, 222);
    }),
  ];
}

async function requestFor(api: ApiFixture, id: OperationId, other: Readonly<Record<string, string>>): Promise<Request> {
  const operation = operationOf(id);
  const path = { ...(await pathFor(api, operation)), ...other };
  return operation.request === null ? { path } : { path, body: await exampleOf(api, operation) };
}

function pagingCases(id: OperationId, make: Make): readonly ServerCase[] {
  const refused = (query: string, number: number): ServerCase =>
    make(`refuses the query ${query} with 400 and ${number}`, async api => {
      assertError(await api.call(id, { query }), 400, number);
    });
  return [
    refused('limit=0', 233),
    refused('limit=101', 233),
    refused('limit=ten', 244),
    refused('limit=1&limit=2', 232),
    refused('filter=obj.', 250),
    refused('filter=1', 251),
  ];
}
