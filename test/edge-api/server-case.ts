import assert from 'node:assert/strict';
import { type Operation, operationOf, sourceOf } from '@tollgate/edge-api';
import { type Answer, type ApiFixture, parentsOf, type Request } from './api-fixture.ts';
import type { BodyCase } from './body-case.ts';
import { substituted } from './substitute.ts';

/** A claim about a server and its proof, which throws if the claim is false. */
export interface ServerCase {
  readonly name: string;
  /** The row of the contract's table that it proves. */
  readonly row: string;
  /** The section of the contract. */
  readonly source: string;
  readonly run: (api: ApiFixture) => Promise<void>;
}

/** The path of a request of an operation, with existing records. */
export async function pathFor(
  api: ApiFixture,
  { path, kind, record }: Operation,
): Promise<Readonly<Record<string, string>>> {
  if (kind === 'create' || kind === 'list') return parentsOf(api, path);
  if (record !== 'event_source') return (await api.make(record)).path;
  return { ...(await parentsOf(api, path)), type: 'ip_policy_created.v0' };
}

/** Asserts that a response is an error with a status and a number, or null for an error without one. */
export function assertError(answer: Answer, status: number, number: number | null, field?: string): void {
  const body = answer.body as {
    readonly error_code?: string;
    readonly status_code: number;
    readonly details: Record<string, string>;
  };
  const found = { status: answer.status, code: body?.error_code, said: body?.status_code };
  assert.deepEqual(
    found,
    { status, code: number === null ? undefined : `ERR_EDGE_${number}`, said: status },
    answer.text,
  );
  if (field !== undefined) assert.equal(body.details.field, field, answer.text);
}

function fieldOf({ body }: Answer): string {
  return (body as { readonly details: Readonly<Record<string, string>> }).details.field ?? '';
}

/** Returns a case about a body as a case about a server. */
export function onServer({ name, row, operation, body, expected, needsStore }: BodyCase): ServerCase {
  const facts = operationOf(operation);
  return {
    name,
    row,
    source: sourceOf(operation),
    run: async api => {
      const path = await pathFor(api, facts);
      const answer = await api.call(operation, { path, body: await substituted(api, body) } satisfies Request);
      if (!expected.ok) {
        assertError(answer, 400, expected.number);
        // Faults in a module that a store finds have the path in the record.
        const field = String(await substituted(api, expected.field));
        const fields = needsStore && facts.field !== undefined ? [field, `${facts.field}.${field}`] : [field];
        return assert.ok(fields.includes(fieldOf(answer)), answer.text);
      }
      assert.equal(answer.status, facts.success, answer.text);
      for (const [at, value] of Object.entries(expected.answered ?? {})) {
        assert.deepEqual(memberAt(answer.body, at), await substituted(api, value), at);
      }
      if (facts.kind === 'create') await remove(api, facts, { ...path, ...idOf(answer) });
    },
  };
}

function idOf({ body }: Answer): { readonly id?: string } {
  const { id } = body as { readonly id?: string };
  return id === undefined ? {} : { id };
}

/** Deletes what a case created, so that it does not affect others. */
async function remove(
  api: ApiFixture,
  { path, record }: Operation,
  made: Readonly<Record<string, string>>,
): Promise<void> {
  if (record === 'event_source') return;
  const parent = path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '');
  await api.send('DELETE', `${parent}/${made.id}`);
}

/** Returns the member of a response at a path such as `a.b[0]`. */
export function memberAt(value: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter(key => key !== '')
    .reduce<unknown>((from, key) => (from as Readonly<Record<string, unknown>> | null)?.[key], value);
}
