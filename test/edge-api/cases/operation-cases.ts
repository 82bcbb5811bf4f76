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
import { createJudge } from '../described.ts';
import { unknownId } from '../samples.ts';
import { assertError, pathFor, type ServerCase } from '../server-case.ts';
import { substituted } from '../substitute.ts';
import type { Request, World } from '../world.ts';

const JUDGE = createJudge();

/** What is claimed of every single operation. */
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
    make(`answers ${operation.success}, as described`, world => succeeds(world, id)),
    make('refuses a request without a key with 403 and 200', async world => {
      assertError(await world.call(id, { headers: { authorization: null } }), 403, 200);
    }),
    make('refuses a request without a version with 400 and 218', async world => {
      assertError(await world.call(id, { headers: { 'service-version': null } }), 400, 218);
    }),
    make('refuses an unknown query parameter with 400 and 231', async world => {
      const request = await workingRequest(world, id);
      assertError(await world.call(id, { ...request, query: 'surprise=1' }), 400, 231, 'surprise');
    }),
    ...(operation.request === null ? bodilessCases(id, make) : bodyCases(id, make)),
    ...(operation.path.includes('{') ? missingCases(id, make) : []),
    ...(operation.paged ? pagingCases(id, make) : []),
  ];
}

type Make = (claim: string, run: ServerCase['run']) => ServerCase;

/** A request that works: with its example for a body, and on a module that is there. */
async function workingRequest(world: World, id: OperationId): Promise<Request> {
  const operation = operationOf(id);
  const path = await pathFor(world, operation);
  if (operation.kind === 'get-module' || operation.kind === 'delete-module') await configure(world, operation, path);
  if (operation.request === null) return { path };
  return { path, body: await exampleOf(world, operation) };
}

async function exampleOf(world: World, { request, kind }: Operation): Promise<unknown> {
  const example = EXAMPLES[request as ShapeName] ?? {};
  return substituted(world, kind === 'update' && request !== 'EventSource' ? { metadata: 'changed' } : example);
}

async function configure(
  world: World,
  { path: template, record }: Operation,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const replace = OPERATION_IDS.find(
    id => operationOf(id).path === template && operationOf(id).kind === 'replace-module',
  );
  if (replace !== undefined) await world.call(replace, { path, body: await exampleOf(world, operationOf(replace)) });
  // What reservations have is no module with a path of its own to put to.
  else assert.equal(record, 'reserved_domain');
}

async function succeeds(world: World, id: OperationId): Promise<void> {
  const operation = operationOf(id);
  const request = await workingRequest(world, id);
  const answer = await world.call(id, request);
  assert.equal(answer.status, operation.success, answer.text);
  assert.equal(JUDGE.judge(id, answer.status, answer.body), undefined, answer.text);
  assert.match(answer.headers.get(WIRE.operationIdHeader) ?? '', /^op_[0-9A-Za-z]{27}$/);
  if (operation.success === 204) assert.equal(answer.text, '');
  else assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  if (operation.kind === 'create' && operation.record !== 'event_source') {
    const made = (answer.body as { readonly id: string }).id;
    await world.send(
      'DELETE',
      `${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => request.path?.[name] ?? '')}/${made}`,
    );
  }
}

function bodilessCases(id: OperationId, make: Make): readonly ServerCase[] {
  if (operationOf(id).verb === 'GET') return [];
  return [
    make('refuses a body with 400 and 211', async world => {
      assertError(
        await world.call(id, { path: await pathFor(world, operationOf(id)), body: { surprise: 1 } }),
        400,
        211,
      );
    }),
  ];
}

function bodyCases(id: OperationId, make: Make): readonly ServerCase[] {
  const refused = (claim: string, request: Request, status: number, number: number): ServerCase =>
    make(`refuses ${claim} with ${status} and ${number}`, async world => {
      assertError(await world.call(id, { path: await pathFor(world, operationOf(id)), ...request }), status, number);
    });
  return [
    refused('what is no JSON', { raw: '{"a":' }, 400, 213),
    refused('JSON that is no object', { raw: '[]' }, 400, 213),
    refused('a body of another type', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415, 210),
    refused('a body without a type', { raw: '{}', headers: { 'content-type': null } }, 415, 216),
    refused('an unknown field', { body: { surprise: 1 } }, 400, 214),
  ];
}

/** Of an identifier in a path: one that is none, one of another kind, one of no record. */
function missingCases(id: OperationId, make: Make): readonly ServerCase[] {
  const { path: template, record } = operationOf(id);
  const last = [...template.matchAll(/\{(\w+)\}/g)].at(-1)![1]!;
  const kind = last === 'edge_id' ? 'https_edge' : last === 'subscription_id' ? 'event_subscription' : record;
  if (kind === 'event_source') {
    return [
      make('answers 404 without a number for a source that the subscription has not', async world => {
        const request = await requestFor(world, id, { type: 'ip_policy_deleted.v0' });
        assertError(await world.call(id, request), 404, null);
      }),
    ];
  }
  return [
    make('answers 404 without a number for an identifier of no record', async world => {
      assertError(await world.call(id, await requestFor(world, id, { [last]: unknownId(kind) })), 404, null);
    }),
    make('answers 404 with 222 for what is no identifier', async world => {
      assertError(await world.call(id, await requestFor(world, id, { [last]: 'nope' })), 404, 222);
    }),
    make('answers 404 with 222 for an identifier of another kind', async world => {
      assertError(await world.call(id, await requestFor(world, id, { [last]: unknownId('account') })), 404, 222);
    }),
  ];
}

async function requestFor(world: World, id: OperationId, other: Readonly<Record<string, string>>): Promise<Request> {
  const operation = operationOf(id);
  const path = { ...(await pathFor(world, operation)), ...other };
  return operation.request === null ? { path } : { path, body: await exampleOf(world, operation) };
}

function pagingCases(id: OperationId, make: Make): readonly ServerCase[] {
  const refused = (query: string, number: number): ServerCase =>
    make(`refuses the query ${query} with 400 and ${number}`, async world => {
      assertError(await world.call(id, { query }), 400, number);
    });
  return [
    refused('limit=0', 233),
    refused('limit=101', 233),
    refused('limit=ten', 244),
    refused('limit=1&limit=2', 232),
  ];
}
