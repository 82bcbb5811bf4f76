import assert from 'node:assert/strict';
import { type Operation, operationOf, sourceOf } from '@tollgate/edge-api';
import type { BodyCase } from './body-case.ts';
import { substituted } from './substitute.ts';
import { type Answer, parentsOf, type Request, type World } from './world.ts';

/** One claim about a server, and what proves it there: it throws where the claim is false. */
export interface ServerCase {
  readonly name: string;
  /** The row of the contract's table that it proves. */
  readonly row: string;
  /** Where the contract says so. */
  readonly source: string;
  readonly run: (world: World) => Promise<void>;
}

/** Where a request of an operation goes, with records that it can be made on. */
export async function pathFor(
  world: World,
  { path, kind, record }: Operation,
): Promise<Readonly<Record<string, string>>> {
  if (kind === 'create' || kind === 'list') return parentsOf(world, path);
  if (record !== 'event_source') return (await world.make(record)).path;
  return { ...(await parentsOf(world, path)), type: 'ip_policy_created.v0' };
}

/** Asserts that an answer is an error: of a status, with a number, or with null for an error without one. */
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

/** A case about a body, as a case about a server. */
export function onServer({ name, row, operation, body, expected, needsStore }: BodyCase): ServerCase {
  const facts = operationOf(operation);
  return {
    name,
    row,
    source: sourceOf(operation),
    run: async world => {
      const path = await pathFor(world, facts);
      const answer = await world.call(operation, { path, body: await substituted(world, body) } satisfies Request);
      if (!expected.ok) {
        assertError(answer, 400, expected.number);
        // What a store finds wrong with a module is told by its place in the record.
        const field = String(await substituted(world, expected.field));
        const fields = needsStore && facts.field !== undefined ? [field, `${facts.field}.${field}`] : [field];
        return assert.ok(fields.includes(fieldOf(answer)), answer.text);
      }
      assert.equal(answer.status, facts.success, answer.text);
      for (const [at, value] of Object.entries(expected.answered ?? {})) {
        assert.deepEqual(memberAt(answer.body, at), await substituted(world, value), at);
      }
      if (facts.kind === 'create') await remove(world, facts, { ...path, ...idOf(answer) });
    },
  };
}

function idOf({ body }: Answer): { readonly id?: string } {
  const { id } = body as { readonly id?: string };
  return id === undefined ? {} : { id };
}

/** What a case created is taken away, so that it is in no other's way. */
async function remove(
  world: World,
  { path, record }: Operation,
  made: Readonly<Record<string, string>>,
): Promise<void> {
  if (record === 'event_source') return;
  const parent = path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '');
  await world.send('DELETE', `${parent}/${made.id}`);
}

/** The member of an answer at a path such as `a.b[0]`. */
export function memberAt(value: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter(key => key !== '')
    .reduce<unknown>((from, key) => (from as Readonly<Record<string, unknown>> | null)?.[key], value);
}
