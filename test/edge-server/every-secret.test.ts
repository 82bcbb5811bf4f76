import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EVENT_TYPES, type Field, operationOf, SHAPES, type ShapeName } from '@tollgate/edge-api';
import { configurationText } from '@tollgate/edge-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_LOCATIONS } from '../edge-api/body-locations.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, startTestServer, type TestServer, textOf } from './test-server.ts';

type Members = Readonly<Record<string, unknown>>;

/** A field marked as a secret, and a request that sets it to a value with a mark. */
interface Case {
  readonly name: string;
  readonly mark: string;
  readonly secret: NonNullable<Field['secret']>;
  readonly operation: Parameters<typeof operationOf>[0];
  readonly body: Members;
}

/** A case for each marked field; API keys are generated, so that they have a test of their own. */
const CASES: readonly Case[] = (Object.keys(SHAPES) as ShapeName[]).flatMap(shape =>
  Object.entries<Field>(SHAPES[shape].fields)
    .filter(([, field]) => field.secret !== undefined && field.secret !== 'once')
    .map(([key, field]): Case => {
      const location = BODY_LOCATIONS.find(one => one.shape === shape);
      if (!location) throw new Error(`nothing sends ${shape}`);
      const mark = `hush-${shape}-${key}`.toLowerCase().replaceAll('_', '-');
      const body = withValue(location.body, [...location.path, key], secretValue(field, mark));
      return { name: `${shape}.${key}`, mark, secret: field.secret!, operation: location.operation, body };
    }),
);

function secretValue({ type, secret }: Field, mark: string): unknown {
  if (type.kind === 'map') return { authorization: `Bearer ${mark}` };
  return secret === 'origin-only' ? `http://127.0.0.1:1/${mark}?token=${mark}` : mark;
}

function withValue(body: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): Members {
  const members = (body ?? {}) as Members;
  return { ...members, [key!]: rest.length === 0 ? value : withValue(members[key!], rest, value) };
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ logLevel: 'debug', privateDestinations: true, eventTries: 1 });
  const types = EVENT_TYPES.filter(type => /^(?:https_edge|event_destination)/.test(type));
  const target = await server.call('POST', '/event_destinations', { body: { format: 'json', target: { stdout: {} } } });
  await server.call('POST', '/event_subscriptions', {
    body: { sources: types.map(type => ({ type })), destination_ids: [textOf(target, 'id')] },
  });
});

afterAll(() => server.stop());

/** Sends the secret where the API takes it; returns what answered, and the path to read it. */
async function sent({ operation, body }: Case): Promise<{ readonly answer: Answer; readonly path: string }> {
  const { path, verb } = operationOf(operation);
  if (verb === 'POST') {
    const answer = await server.call('POST', path, { body });
    return { answer, path: `${path}/${textOf(answer, 'id')}` };
  }
  const edge = textOf(await server.call('POST', '/edges/https', { body: {} }), 'id');
  const route = textOf(
    await server.call('POST', `/edges/https/${edge}/routes`, { body: { match_type: 'path_prefix', match: '/' } }),
    'id',
  );
  const at = path.replace('{edge_id}', edge).replace('{id}', route);
  return { answer: await server.call(verb, at, { body }), path: at };
}

function rawBytes(): string {
  const entries = readdirSync(server.folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile());
  return entries.map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

describe('a field marked as a secret', () => {
  it('is one of those that the description marks', () => {
    expect(CASES.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['EventTargetHTTP.url', 'EventTargetHTTP.headers', 'EventTargetHTTP.secret']),
    );
    expect(CASES.length).toBeGreaterThan(14);
  });

  it.each(CASES)('$name is sealed, and leaves only where it may', async one => {
    const eventsBefore = server.lines.length;
    const { answer, path } = await sent(one);
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
    const read = await server.call('GET', path);
    const listed = await server.call(
      'GET',
      path
        .split('/')
        .slice(0, path.startsWith('/edges') ? 3 : 2)
        .join('/'),
    );
    for (const { status, text } of [answer, read, listed]) {
      expect([status, text.includes(one.mark)]).toEqual([expect.toBeOneOf([200, 201]), one.secret === 'clear']);
    }
    // Another field of the record changes, and the secret stays what it was.
    if (path.startsWith('/event')) await server.call('PATCH', path, { body: { description: 'changed' } });
    await eventually(() => server.lines.length > eventsBefore);
    expect(server.lines.join()).not.toContain(one.mark);
    const exported = [...configurationText(await server.server.store.contents(), '2026-11-22T00:00:00Z')].join('');
    expect(exported).not.toContain(one.mark);
    expect(rawBytes()).not.toContain(one.mark);
    expect(server.log.join()).not.toContain(one.mark);
  });

  it.each(CASES)('$name is in no error', async one => {
    const at = one.body;
    const long = JSON.parse(
      JSON.stringify(at).replaceAll(one.mark, `${one.mark}\\u0000${'x'.repeat(9000)}`),
    ) as Members;
    const wrong = JSON.parse(
      JSON.stringify(at).replaceAll(JSON.stringify(one.mark), JSON.stringify([one.mark])),
    ) as Members;
    for (const body of [long, wrong, JSON.stringify(at).slice(0, -3), { ...at, unknown: 1 }]) {
      const { verb, path } = operationOf(one.operation);
      const answer = await sent({ ...one, body: body as Members }).then(({ answer: found }) => found);
      if (answer.status < 400) continue;
      expect([verb, path, answer.text.includes(one.mark)]).toEqual([verb, path, false]);
    }
    expect(server.log.join()).not.toContain(one.mark);
  });
});

describe('a webhook', () => {
  const http = {
    url: 'https://hook.example/services/hush-path?token=hush-query',
    headers: { 'X-Token': 'hush-value' },
  };

  it('is shown with its origin and the names of its headers', async () => {
    const made = await server.call('POST', '/event_destinations', { body: { format: 'json', target: { http } } });
    expect(made.body).toMatchObject({
      target: { http: { url: 'https://hook.example/***', headers: { 'x-token': null }, secret: null } },
    });
  });

  it('keeps its URL if an update repeats what a response showed, and is called with it', async () => {
    const calls: string[] = [];
    const receiver = createServer((request, response) => {
      calls.push(`${request.url} ${request.headers['x-token']}`);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const own = { url: `${origin}/hush-path?token=hush-query`, headers: { 'X-Token': 'hush-value' } };
    const made = await server.call('POST', '/event_destinations', { body: { format: 'json', target: { http: own } } });
    const path = `/event_destinations/${textOf(made, 'id')}`;
    const subscription = { sources: [{ type: 'ip_policy_created.v0' }], destination_ids: [textOf(made, 'id')] };
    await server.call('POST', '/event_subscriptions', { body: subscription });
    const headers = { 'x-token': 'other' };
    await server.call('PATCH', path, { body: { target: { http: { url: `${origin}/***`, headers } } } });
    await server.call('POST', '/ip_policies', { body: {} });
    await eventually(() => calls.length > 0);
    receiver.close();
    expect(calls).toEqual(['/hush-path?token=hush-query other']);
  });
});

it('seals what was stored before its field became a secret', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-plain-'));
  const database = join(folder, 'old.db');
  const url = 'https://hook.example/hush';
  const first = await startTestServer({ database });
  const made = await first.call('POST', '/event_destinations', {
    body: { format: 'json', target: { http: { url, headers: { a: 'b' } } } },
  });
  await first.stop();
  const direct = new DatabaseSync(database);
  const body = JSON.stringify({ format: 'json', target: { http: { url, headers: { a: 'hush' }, secret: null } } });
  direct.prepare('update records set body = ? where id = ?').run(body, textOf(made, 'id'));
  direct.close();
  const second = await startTestServer({ database });
  const stored = await second.server.store.get(textOf(made, 'id'));
  expect(stored?.body).toMatch(/"url":"sealed:1:.*"a":"sealed:1:/);
  expect(stored?.body).not.toContain('hush');
  await second.stop();
  rmSync(folder, { recursive: true });
});
